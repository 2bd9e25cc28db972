"""boolearn learn, and what other commands do with its folder."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from boolearn.circuit import load
from boolearn.data import read
from commands import boolearn


@pytest.fixture
def table(tmp_path: Path) -> Path:
    rng = np.random.default_rng(0)
    inputs = rng.random((120, 7)) < 0.5
    outputs = (inputs[:, 1] & inputs[:, 4]) ^ inputs[:, 6]
    rows = [",".join(str(int(bit)) for bit in (*row, out)) for row, out in zip(inputs, outputs, strict=True)]
    path = tmp_path / "table.csv"
    path.write_text("\n".join(["a,b,c,d,e,f,g,y", *rows, ""]))
    return path


def test_the_circuit_can_be_written_and_used(table: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    words = ("--test", str(table), "--max-work", "1e6", "--out", str(run), "--json")
    result = json.loads(boolearn("learn", str(table), *words).stdout)
    for name in ("train_accuracy", "valid_accuracy", "test_accuracy", "ands", "depth", "method", "seconds"):
        assert name in result
    assert result["test_accuracy"] == 1
    boolearn("circuit", str(run), "-o", str(tmp_path / "out.aig"))
    data = read(table)
    circuit = load(tmp_path / "out.aig")
    assert np.array_equal(circuit.predict(data.inputs), data.outputs)
    assert circuit.ands() == result["ands"]
    assert "100.000 %" in boolearn("predict", str(run), str(table)).stdout


def test_it_tells_what_it_found(table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = boolearn("learn", str(table), "--valid-share", "0.3", "--max-work", "1e6")
    assert "And nodes" in done.stdout
    assert "table-run" in done.stdout
    assert "best" in done.stderr


def test_class_labels_are_learned_and_predicted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = "a,b,what\n0,0,cat\n0,1,dog\n1,0,dog\n1,1,cow\n"
    Path("pets.csv").write_text(text)
    boolearn("learn", "pets.csv", "--max-work", "1000", "--out", "run")
    assert "100.000 % of 4 items" in boolearn("predict", "run", "pets.csv", "-o", "answers.csv").stdout
    assert Path("answers.csv").read_text() == "".join(f"{line.split(',')[2]}\n" for line in text.splitlines())
    assert "4 of 4 items" in boolearn("circuit", "run").stdout


def test_mistakes_are_one_line(table: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty.csv"
    empty.write_text("")
    for words in (
        (empty,),
        (tmp_path / "missing.csv",),
        (table, "--valid", table, "--valid-share", "0.2"),
        (table, "--gates", "nand"),
        (table, "--max-seconds", "-1"),
    ):
        done = boolearn("learn", *map(str, words), "--out", str(tmp_path / "run"), status=2)
        assert done.stderr.strip().splitlines()[-1].startswith("boolearn: ")
        assert not (tmp_path / "run").exists()
