"""The commands as a user runs them: in a directory, through the shell's words, judged by status and output."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import numpy as np
import pytest

from boolearn._version import __version__
from boolearn.data import read
from commands import PROGRAM, boolearn, boolearn_process

pytestmark = pytest.mark.usefixtures("in_tmp")


def test_from_table_to_answers() -> None:
    Path("2x2.dat").unlink()
    boolearn_process("make", "multiplier", "--bits", "2", "-o", "2x2.dat")
    done = boolearn_process("train", "2x2.dat", "--layers", "4,4,4,4", "--restarts", "30", "--seed", "3")
    assert "solved" in done.stdout
    folder = Path("2x2-run")
    assert {path.name for path in folder.iterdir()} == {"model.safetensors", "config.toml", "trace.jsonl"}
    trace = [json.loads(line) for line in (folder / "trace.jsonl").read_text().splitlines()]
    assert trace[-1]["gap"] < 0.01
    config = tomllib.loads((folder / "config.toml").read_text())
    assert config["settings"]["sigma"] == 3
    assert config["result"]["status"] == "solved"
    assert "100.000 %" in boolearn_process("predict", "2x2-run", "2x2.dat", "-o", "answers.csv").stdout
    answers = np.loadtxt("answers.csv", delimiter=",")
    assert np.array_equal(2 * answers - 1, read("2x2.dat").outputs)


def test_json_holds_what_scripts_rely_on() -> None:
    words = ("train", "2x2.dat", "--layers", "4,4,4,4", "--json", "--max-iter", "50", "--items", "12")
    report = json.loads(boolearn(*words, "--out", "a", status=1).stdout)
    assert {"status", "iterations", "gap", "train_accuracy", "test_accuracy", "seconds", "seed"} <= set(report)
    assert report["status"] == "budget"
    assert 0 <= report["test_accuracy"] <= 1
    whole = json.loads(boolearn(*words[:-2], "--out", "b", status=1).stdout)
    assert whole["test_accuracy"] is None


def test_same_seed_same_model() -> None:
    words = ("train", "2x2.dat", "--layers", "4,4,4,4", "--max-iter", "100", "--seed", "7")
    for out in ("a", "b"):
        boolearn(*words, "--out", out, status=1)
    assert Path("a/model.safetensors").read_bytes() == Path("b/model.safetensors").read_bytes()


def test_nothing_learned_is_overwritten() -> None:
    words = ("train", "2x2.dat", "--layers", "4,4,4,4", "--max-iter", "10")
    boolearn(*words, "--out", "kept", status=1)
    before = Path("kept/model.safetensors").read_bytes()
    assert "already holds a run" in boolearn(*words, "--out", "kept", "--seed", "1", status=2).stderr
    assert Path("kept/model.safetensors").read_bytes() == before
    boolearn(*words, status=1)
    boolearn(*words, status=1)
    assert Path("2x2-run").is_dir()
    assert Path("2x2-run-2").is_dir()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("train", "none.dat", "--layers", "4,4"), "none.dat: cannot be read: No such file"),
        (("train", "2x2.dat"), "--layers, --hidden or --network"),
        (("train", "2x2.dat", "--layers", "4,4", "--network", "x.net"), "--layers, --hidden or --network"),
        (("train", "2x2.dat", "--layers", "4,x"), "'layers' parameter must be whole numbers"),
        (("train", "2x2.dat", "--layers", "5,4"), "has 5 inputs, the data 4; they must be the same"),
        (("train", "2x2.dat", "--layers", "4,4", "--sigma", "0.5"), "'sigma' parameter must be"),
        (("train", "2x2.dat", "--layers", "4,4", "--sigma", "a"), "'sigma' parameter must be"),
        (("train", "2x2.dat", "--layers", "4,4", "--items", "17"), "'items' parameter must be"),
        (("train", "2x2.dat", "--layers", "4,4", "--solver", "magic"), "'solver' parameter must be"),
        (("train", "2x2.dat", "--layers", "4,4", "--batch", "17"), "'batch' parameter must be an integer from 1 to 16"),
        (("train", "2x2.dat", "--layers", "4,4", "--beta", "x"), "'beta' parameter must be a number, auto, or KIND:"),
        (("train", "bad.dat", "--layers", "4,4"), "bad.dat:5: expected"),
        (("predict", "none", "2x2.dat"), "none: there is no run folder or model file"),
        (("make", "automaton", "--rule", "256", "-o", "a.dat"), "'rule' parameter must be"),
        (("make", "multiplier", "-o", "missing/a.dat"), "missing/a.dat: cannot be written"),
        (("make", "multiplier", "-o", "a.xyz"), "a.xyz: must end in"),
        (("circuit", "none"), "none: cannot be read: No such file"),
        (("circuit", "none", "-o", "a.v", "-o", "b.zzz"), "b.zzz: circuits can be written as"),
        (
            ("circuit", "none", "-o", "a.v", "-o", "missing/b.v"),
            "missing/b.v: cannot be written: there is no directory",
        ),
        (("demo", "-o", "missing/a.svg"), "missing/a.svg: cannot be written"),
    ],
)
def test_mistakes_get_one_clear_line_and_leave_nothing_behind(words: tuple[str, ...], message: str) -> None:
    Path("bad.dat").write_text("16\n2 4\n2 4\n\n1 0 0 7\n0 0 1 0\n")
    before = set(Path().rglob("*"))
    done = boolearn(*words, status=2)
    assert message in " ".join(done.stderr.replace("│", " ").split())
    assert set(Path().rglob("*")) == before


def test_ctrl_c_keeps_what_there_is() -> None:
    words = [*PROGRAM, "train", "2x2.dat", "--layers", "4,4,4,4", "--max-seconds", "60", "--gap-tol", "0"]
    words += ["--checkpoint-seconds", "0.02"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stderr is not None
        assert "seed 0" in process.stderr.readline()
        deadline = time.monotonic() + 30
        while not Path("2x2-run/states/start-0.npz").exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=20)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 1
    assert "interrupted" in output
    assert Path("2x2-run/model.safetensors").exists()


@pytest.mark.parametrize(
    "words",
    [
        ("vectors", "--items", "8", "--bits", "8"),
        ("one-hot", "--items", "4", "--free", "any"),
        ("automaton", "--rule", "30", "--items", "20"),
        ("circuit", "--layers", "8,8,8", "--gates", "maj", "--items", "20"),
        ("roman", "--largest", "20"),
        ("mirror", "--items", "10"),
        ("digits",),
    ],
)
def test_every_kind_of_data_can_be_made(words: tuple[str, ...]) -> None:
    boolearn("make", words[0], *words[1:], "-o", "made.dat")
    assert len(read("made.dat")) > 1


def test_networks_can_be_made_and_used() -> None:
    boolearn("make", "network", "--layers", "4,5,4", "-o", "a.net")
    boolearn("train", "2x2.dat", "--network", "a.net", "--max-iter", "20", "--sigma", "5,3", status=1)


def test_csv_knows_its_outputs() -> None:
    Path("and.csv").write_text("a,b,both,any\n0,0,0,0\n0,1,0,1\n1,0,0,1\n1,1,1,1\n")
    report = json.loads(boolearn("train", "and.csv", "--layers", "2,2", "--outputs", "2", "--json").stdout)
    assert report["status"] == "solved"
    done = boolearn("circuit", report["out"])
    assert "both = a & b" in done.stdout
    assert "any = a | b" in done.stdout


def test_help_starts_quickly() -> None:
    """Nothing heavy is imported before a verb is chosen."""
    code = (
        "import sys, boolearn.cli; print([m for m in ('numpy', 'scipy', 'matplotlib', 'sklearn') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_version_is_told() -> None:
    assert boolearn("--version").stdout == f"boolearn {__version__}\n"


def test_help_shows_its_brackets() -> None:
    """The help's own markup would swallow words in square brackets."""
    assert "(else the run's own)" in " ".join(boolearn("circuit", "--help").stdout.replace("│", " ").split())


def test_too_little_memory_is_one_line() -> None:
    code = (
        "import resource, sys, boolearn.cli as cli\n"
        "from boolearn import network, solver\n"
        "resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))\n"
        "sys.argv = 'boolearn train 2x2.dat --layers 4,40000,40000,4'.split()\n"
        "cli.main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("boolearn: not enough memory")
    assert done.stderr.count("\n") == 1


def test_the_demo_proves_its_circuit_and_says_how_to_go_on() -> None:
    said = boolearn("demo").stdout
    assert "The circuit and the network are equal on all 16 inputs" in said
    assert "The circuit agrees with the data, a complete truth table: 16 of 16 items" in said
    assert "boolearn --help" in said
    assert "gap 0." not in said
    assert Path("multiplier.svg").exists()
