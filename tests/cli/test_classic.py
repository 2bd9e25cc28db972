"""The classic command line: the C toolkit's calls run as they stand, and wrong calls leave nothing behind."""

from __future__ import annotations

import contextlib
import signal
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from boolearn.data import Dataset, InputKind, evolve, read_dat, read_gen, write_dat
from boolearn.model import BoolNet
from boolearn.network import layered, read_net, write_net, write_widths
from boolearn.runs.toolkit import read_command, read_gap, read_run, summary_of
from commands import PROGRAM, boolearn, boolearn_process


def classic(line: str, folder: Path) -> str:
    """Run a command line of the C toolkit; give back what it prints."""
    with contextlib.chdir(folder):
        return boolearn("classic", *line.split()).stdout


def printed_seed(output: str) -> int:
    word, seed = output.splitlines()[0].split()
    assert word == "seed"
    return int(seed)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.fixture
def mult(tmp_path: Path, two_bit_multiplier: Dataset) -> Path:
    """The folder in which the C toolkit's first example begins."""
    write_widths((4, 4, 4, 4), tmp_path / "2x2.wth")
    write_dat(two_bit_multiplier, tmp_path / "2x2.dat")
    return tmp_path


@pytest.fixture
def mult_net(mult: Path) -> Path:
    network = layered(4, 4, 4, 4)
    write_net(network, np.zeros(network.n_weights), mult / "2x2.net")
    return mult


def test_the_multiplier(mult: Path) -> None:
    classic("layered 2x2.wth 2x2.net", mult)
    network, weights = read_net(mult / "2x2.net")
    assert network == layered(4, 4, 4, 4)
    assert not weights.any()
    output = classic("train 2x2.net 2x2.dat 16 3. .2 1e-3 10 2e2 .01 5 2x2a", mult)
    assert names(mult) == {f"2x2.{e}" for e in ("wth", "dat", "net")} | {
        f"2x2a.{e}" for e in ("cmd", "gap", "run", "sol")
    }

    records, summary = read_run(mult / "2x2a.run")
    assert [record.number for record in records] == [1, 2, 3, 4, 5]
    assert summary == summary_of(records)
    assert output.splitlines()[-1] == (mult / "2x2a.run").read_text().splitlines()[-1].strip()

    trace = read_gap(mult / "2x2a.gap")  # of the last run, at the first iterations past 200^(1/10), 200^(2/10), …
    *marks, end = [checkpoint.iteration for checkpoint in trace]
    assert marks == [2, 3, 5, 9, 15, 25, 41, 70, 118][: len(marks)]
    assert end == records[-1].iterations or (end == 200 and len(marks) == 9)
    assert (trace[-1].gap, trace[-1].train_accuracy) == (records[-1].gap, records[-1].train_accuracy)
    assert all(checkpoint.test_accuracy is None for checkpoint in trace)

    accuracy = BoolNet.load(mult / "2x2a.sol").accuracy(read_dat(mult / "2x2.dat"))
    assert accuracy >= max(record.train_accuracy for record in records) - 1e-5


def test_a_random_circuit_and_its_data(tmp_path: Path) -> None:
    write_widths((32,) * 6, tmp_path / "5.wth")
    for line, file, fan_in in (
        ("layered_andor .5 5.wth a5.net", "a5.net", {1, 3}),
        ("layered_maj .5 5.wth m5.net", "m5.net", {1, 3}),
    ):
        printed_seed(classic(line, tmp_path))
        network, weights = read_net(tmp_path / file)
        assert network == layered(32, 32, 32, 32, 32, 32)
        used = np.add.reduceat((weights != 0).astype(int), network.start[:-1])
        assert set(used.tolist()) == fan_in
        # Rows have mean square 1, as training makes them.
        squares = np.add.reduceat(weights**2, network.start[:-1])
        np.testing.assert_allclose(squares, network.fan_in, rtol=1e-6)
    printed_seed(classic("data a5.net dummy 10000 a5", tmp_path))
    dataset = read_dat(tmp_path / "a5.dat")
    assert (len(dataset), dataset.n_inputs, dataset.n_output_nodes) == (10000, 32, 32)
    assert BoolNet.load(tmp_path / "a5.net").accuracy(dataset) == 1
    assert abs(dataset.inputs.mean()) < 0.01


def test_a_cellular_automaton(tmp_path: Path) -> None:
    printed_seed(classic("data_cellauto 3 30 16 2 10000 30_2", tmp_path))
    dataset = read_dat(tmp_path / "30_2.dat")
    assert (len(dataset), dataset.n_inputs) == (10000, 16)
    np.testing.assert_array_equal(evolve(dataset.inputs.astype(np.int8), 30, 2), dataset.outputs)


@pytest.mark.parametrize("code", [InputKind.ONE_HOT_CODE, InputKind.ANY_CODE])
def test_a_generative_model(tmp_path: Path, rng: np.random.Generator, code: InputKind) -> None:
    # Narrow stand-ins for the pictures, under their names.
    write_widths((16, 24, 16), tmp_path / "16a.wth")
    write_dat(Dataset.generative(rng.integers(0, 2, (1100, 16)), code), tmp_path / "mnist4.dat")
    classic("layered 16a.wth 16a.net", tmp_path)
    classic("train 16a.net mnist4.dat 1024 5. .2 1e-3 200 1e1 .01 1 16a", tmp_path)
    codes = read_gen(tmp_path / "16a.gen")
    assert codes.codes.shape[1] == 16
    assert codes.counts.sum() == 1024
    if code is InputKind.ONE_HOT_CODE:
        np.testing.assert_array_equal(codes.codes, 2 * np.eye(16) - 1)
    else:
        assert codes.counts.min() >= 1
    assert classic("data 16a.sol 16a.gen 0 16a", tmp_path) == ""  # nothing is drawn, so there is no seed
    answers = read_dat(tmp_path / "16a.dat")
    np.testing.assert_array_equal(answers.inputs, codes.codes)
    assert BoolNet.load(tmp_path / "16a.sol").accuracy(answers) == 1


def test_the_test_part_is_the_rest_of_the_file(mult_net: Path) -> None:
    classic("train 2x2.net 2x2.dat 12 3. .2 1e-3 10 50 .01 1 part", mult_net)
    checkpoint = read_gap(mult_net / "part.gap")[-1]
    assert checkpoint.test_accuracy is not None
    # Four items of four bits: sixteenths.
    assert 16 * checkpoint.test_accuracy == pytest.approx(round(16 * checkpoint.test_accuracy))


def test_the_printed_seed_makes_the_same_files(mult_net: Path) -> None:
    seed = printed_seed(classic("data_cellauto 3 30 16 2 10 a", mult_net))
    classic(f"data_cellauto 3 30 16 2 10 b --seed {seed}", mult_net)
    assert (mult_net / "a.dat").read_bytes() == (mult_net / "b.dat").read_bytes()
    assert printed_seed(classic("data_cellauto 3 30 16 2 10 b", mult_net)) != seed


def test_the_recorded_command_makes_the_same_files(mult_net: Path) -> None:
    seed = printed_seed(classic("train 2x2.net 2x2.dat 16 3. .2 1e-3 5 50 .01 2 a --threads 1", mult_net))
    program, word, *arguments = read_command(mult_net / "a.cmd")
    assert (program, word) == ("boolearn", "classic")
    assert arguments == f"train 2x2.net 2x2.dat 16 3. .2 1e-3 5 50 .01 2 a --seed {seed}".split()
    before = {e: (mult_net / f"a.{e}").read_bytes() for e in ("cmd", "gap", "run", "sol")}
    for ending in before:
        (mult_net / f"a.{ending}").write_text("left by an earlier training")
    classic(" ".join(arguments), mult_net)
    assert {e: (mult_net / f"a.{e}").read_bytes() for e in before} == before


def test_a_training_can_be_watched_and_interrupted(mult_net: Path) -> None:
    line = "train 2x2.net 2x2.dat 16 3. .2 1e-3 100 1e9 0 3 long --seed 1 --threads 1"
    process = subprocess.Popen([*PROGRAM, "classic", *line.split()], cwd=mult_net, stdout=subprocess.PIPE, text=True)
    try:
        deadline = time.monotonic() + 60
        seen: set[int] = set()
        while len(seen) < 3:
            assert time.monotonic() < deadline
            if (mult_net / "long.gap").exists():  # whenever it is there it is whole
                seen.add(read_gap(mult_net / "long.gap")[-1].iteration)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=60)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    assert output.splitlines() == ["seed 1", "no solutions found"]
    records, summary = read_run(mult_net / "long.run")
    assert summary is None  # there would have been more
    assert [record.iterations for record in records] == [0] * len(records)
    assert read_net(mult_net / "long.sol")[0] == layered(4, 4, 4, 4)
    assert names(mult_net) == {"2x2.wth", "2x2.dat", "2x2.net", "long.cmd", "long.gap", "long.run", "long.sol"}


TRAIN = "train 2x2.net 2x2.dat 16 3. .2 1e-3 10 1e4 .01 5 a"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("nothing", "No such command 'nothing'"),
        ("layered 2x2.wth", "Missing argument 'NET'"),
        ("layered 2x2.wth a.net more", "unexpected extra argument"),
        ("layered none.wth a.net", "none.wth: cannot be read: No such file"),
        ("layered 2x2.dat a.net", "2x2.dat:"),
        ("layered 2x2.wth nowhere/a.net", "nowhere/a.net: cannot be written: No such file"),
        ("layered_andor half 2x2.wth a.net", "The 'P' parameter must be a number. Got 'half' instead."),
        ("layered_andor 1.5 2x2.wth a.net", "must be from 0 to 1. Got 1.5 instead."),
        ("layered_maj nan 2x2.wth a.net", "The 'P' parameter must be a finite number"),
        ("layered_andor .5 2x2.wth a.net --seed -3", "--seed"),
        ("data none.net dummy 10 a", "none.net: cannot be read"),
        ("data 2x2.net dummy 0 a", "dummy: cannot be read"),
        ("data 2x2.net 2x2.dat 0 a", "2x2.dat:"),
        ("data 2x2.net codes.gen 0 a", "codes.gen: codes must have 4 bits, one per input. Got 3 instead."),
        (
            "data 2x2.net dummy 1.5 a",
            "The 'ITEMS' parameter must be an integer from 0 to 1000000000. Got '1.5' instead.",
        ),
        ("data 2x2.net dummy 10 nowhere/a", "nowhere/a.dat: cannot be written"),
        ("data 2x2.net dummy 1e30 a", "The 'ITEMS' parameter must be an integer from 0 to"),
        ("data_cellauto 3 30 1e9 1 1e9 a", "must be small enough for 268435456 values"),
        (f"data_cellauto 3 {'9' * 5000} 16 2 10 a", "The 'RULE' parameter must be an integer of at least 0"),
        ("data_cellauto 3 thirty 16 2 10 a", "The 'RULE' parameter must be an integer of at least 0"),
        ("data_cellauto 3 256 16 2 10 a", "The 'rule' parameter must be"),
        ("data_cellauto 2 1 16 2 10 a", "The 'neighbours' parameter must be an odd integer"),
        ("data_cellauto 3 30 0 2 10 a", "The 'SIZE' parameter must be an integer from 1 to 1000000000"),
        ("data_cellauto 3 30 16 2 0 a", "The 'ITEMS' parameter must be an integer from 1 to 1000000000"),
        (TRAIN.replace("2x2.net", "2x2.wth"), "2x2.wth:2: "),
        (TRAIN.replace("2x2.dat", "2x2.wth"), "2x2.wth:2: "),
        (TRAIN.replace("2x2.net", "wide.net"), "must"),
        (TRAIN.replace(" 16 ", " 17 "), "The 'items' parameter must be an integer from 1 to 16"),
        (TRAIN.replace(" 16 ", " 0 "), "The 'ITEMS' parameter must be an integer from 1 to 1000000000"),
        (TRAIN.replace(" 3. ", " 0 "), "sigma"),
        (TRAIN.replace(" .2 ", " 2 "), "The 'beta' parameter must be between 0 and 2"),
        (TRAIN.replace(" 1e-3 ", " small "), "The 'gamma' parameter must be a number. Got 'small' instead."),
        (TRAIN.replace(" 1e4 ", " 0.5 "), "The 'MAXITER' parameter must be an integer from 1 to 1000000000000000"),
        (TRAIN.replace(" 10 ", " 0 "), "The 'LINES' parameter must be an integer from 1 to 1000000000"),
        (TRAIN.replace(" 5 ", " 0 "), "The 'RUNS' parameter must be an integer from 1 to 1000000000"),
        (TRAIN[:-2], "Missing argument 'ID'"),
        (TRAIN + " --threads 0", "--threads"),
    ],
)
def test_a_wrong_call_says_why_in_one_line_and_leaves_nothing_behind(
    mult_net: Path, line: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (mult_net / "codes.gen").write_text("1  3\n\n 1 0 1\t4\n")
    network = layered(5, 4)
    write_net(network, np.zeros(network.n_weights), mult_net / "wide.net")
    before = names(mult_net)
    monkeypatch.chdir(mult_net)
    said = boolearn("classic", *line.split(), status=2).stderr
    assert said.startswith("boolearn classic")
    assert said.count("\n") == 1
    assert message in said
    assert names(mult_net) == before


def test_an_error_from_outside_has_no_traceback(mult_net: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(mult_net)
    (mult_net / "2x2.dat").write_text("16\n2 4\n2 4\n\n0 0 0 0\n0 0 O 0\n")
    assert boolearn_process("classic", *TRAIN.split(), status=2).stderr == (
        "boolearn classic train: 2x2.dat:6: expected an output (an integer from 0 to 1), found 'O'.\n"
    )
    assert names(mult_net) == {"2x2.wth", "2x2.dat", "2x2.net"}


@pytest.mark.slow
def test_the_multiplier_is_learned_as_often_as_by_the_c_toolkit(mult_net: Path) -> None:
    classic("train 2x2.net 2x2.dat 16 3. .2 1e-3 10 1e4 .01 20 2x2a --seed 0", mult_net)
    _, summary = read_run(mult_net / "2x2a.run")
    assert summary is not None
    assert 4 <= summary.solved <= 16  # one half on average
    model = BoolNet.load(mult_net / "2x2a.sol")
    assert model.accuracy(read_dat(mult_net / "2x2.dat"), by="items") == 1


def test_a_directory_in_the_way_is_found_before_training(mult_net: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(mult_net)
    (mult_net / "ID.gap").mkdir()
    before = names(mult_net)
    words = ["train", "2x2.net", "2x2.dat", "16", "3.", ".2", "1e-3", "10", "100", "1e-2", "1", "ID"]
    assert (
        boolearn("classic", *words, status=2).stderr
        == "boolearn classic train: ID.gap: cannot be written: it is a directory.\n"
    )
    assert names(mult_net) == before
