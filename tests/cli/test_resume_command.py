"""boolearn train --resume, as a user runs it."""

from __future__ import annotations

import json
import os
import subprocess
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
import tomli_w

from boolearn.data import multiplier, write
from commands import PROGRAM, boolearn

pytestmark = pytest.mark.usefixtures("in_tmp")

TRAIN = ("train", "2x2.dat", "--layers", "4,4,4,4", "--gap-tol", "0")


def trace(directory: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in (Path(directory) / "trace.jsonl").read_text().splitlines()]
    return [{**line, "seconds": 0} for line in lines]


def same(one: str, other: str) -> bool:
    models = [(Path(name) / "model.safetensors").read_bytes() for name in (one, other)]
    return models[0] == models[1] and trace(one) == trace(other)


@pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
@pytest.mark.parametrize("wait_for", ["config.toml", "states/start-0.npz"])
def test_killed_and_resumed_is_as_never_killed(wait_for: str) -> None:
    """Before anything was kept, and after."""
    words = (*TRAIN, "--max-seconds", "600", "--checkpoint-seconds", "0.02", "--out", "killed")
    process = subprocess.Popen([*PROGRAM, *words], stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not Path("killed", wait_for).exists() and time.monotonic() < deadline:
        time.sleep(0.005)
    process.kill()
    process.wait()
    assert Path("killed", wait_for).exists()
    assert not Path("killed/model.safetensors").exists()
    # Far enough that the killed one cannot have been there yet.
    boolearn("train", "--resume", "killed", "--max-iter", "60000", status=1)
    boolearn(*TRAIN, "--max-seconds", "600", "--max-iter", "60000", "--out", "whole", status=1)
    assert same("killed", "whole")


def test_a_budget_is_extended_and_the_run_stays_resumable() -> None:
    said = boolearn(*TRAIN, "--max-iter", "200", "--out", "run", status=1).stdout
    assert "to resume: boolearn train --resume run" in said
    report = json.loads(boolearn("train", "--resume", "run", "--max-iter", "500", "--json", status=1).stdout)
    assert report["status"] == "budget"
    assert report["iterations"] == 500
    boolearn(*TRAIN, "--max-iter", "500", "--out", "whole", status=1)
    assert same("run", "whole")
    config = tomllib.loads(Path("run/config.toml").read_text())
    assert config["command"]["max_iter"] == config["settings"]["max_iter"] == 500


def test_a_solved_run_says_so_again() -> None:
    words = ("train", "2x2.dat", "--layers", "4,4,4,4", "--restarts", "50", "--out", "run")
    said = boolearn(*words).stdout
    assert "the fit is a proof" in said
    assert "to resume" not in said
    assert {path.name for path in Path("run").iterdir()} == {"model.safetensors", "config.toml", "trace.jsonl"}
    before = {path.name: path.read_bytes() for path in Path("run").iterdir()}
    again = boolearn("train", "--resume", "run", "--max-iter", "1000000")
    assert again.stdout.startswith("solved: this run has ended, there is nothing to resume\n")
    report = json.loads(boolearn("train", "--resume", "run", "--json").stdout)
    assert report["status"] == "solved"
    assert report["proved"] is True
    assert report["test_accuracy"] is None
    assert {path.name: path.read_bytes() for path in Path("run").iterdir()} == before


def test_solved_on_the_second_day() -> None:
    """The fit comes at the gate search's first look or at a later one; either way the states are gone at the end."""
    words = ("train", "2x2.dat", "--layers", "4,4,4,4", "--solver", "gates", "--out", "run")
    boolearn(*words, "--max-iter", "5", status=1)
    assert Path("run/states/start-0.npz").exists()
    Path("run/states/.start-0.npz.xyz.part").write_bytes(b"of a killed process")
    assert "solved" in boolearn("train", "--resume", "run", "--max-iter", "100000").stdout
    assert not Path("run/states").exists()
    assert "100.000 %" in boolearn("predict", "run", "2x2.dat").stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("2x2.dat",), "'data' parameter must be left out with --resume"),
        (("--sigma", "5"), "'sigma' parameter must be left out with --resume"),
        (("--seed", "0"), "'seed' parameter must be left out with --resume"),
        (("--out", "elsewhere"), "'out' parameter must be left out with --resume"),
        (("--max-iter", "0"), "'max_iter' parameter must be"),
    ],
)
def test_what_a_run_cannot_change_is_refused(words: tuple[str, ...], message: str) -> None:
    boolearn(*TRAIN, "--max-iter", "20", "--out", "run", status=1)
    before = {path: path.read_bytes() for path in Path("run").rglob("*") if path.is_file()}
    assert message in boolearn("train", "--resume", "run", *words, status=2).stderr
    assert {path: path.read_bytes() for path in Path("run").rglob("*") if path.is_file()} == before


def test_what_is_no_run_is_refused() -> None:
    assert "none/config.toml: cannot be read" in boolearn("train", "--resume", "none", status=2).stderr
    assert "'data' parameter must be given, or a run with --resume" in boolearn("train", status=2).stderr
    boolearn(*TRAIN, "--max-iter", "20", "--out", "run", status=1)
    Path("run/states/start-0.npz").write_bytes(b"hello")
    assert "start-0.npz: is not a checkpoint" in boolearn("train", "--resume", "run", status=2).stderr
    write(multiplier(3).take(slice(0, 16)), "2x2.dat")
    assert "has 4 inputs, the data 6; they must be the same" in boolearn("train", "--resume", "run", status=2).stderr


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({}, "[command] must have one entry 'data'. Got [] instead."),
        ({"data": "2x2.dat"}, "[command] must have one entry 'layers' or 'network' or 'hidden'. Got [] instead."),
        ({"data": 5}, "the entry 'data' of [command] must be text in quotes. Got 5 instead."),
        ({"sigma": 3}, "the entry 'sigma' of [command] must be text in quotes. Got 3 instead."),
        ({"layers": 4}, "the entry 'layers' of [command] must be text in quotes. Got 4 instead."),
        ({"magic": 3}, "the entry 'magic' of [command] must be left out: there is no option of this name. Got 3"),
        ({"resume": "run"}, "the entry 'resume' of [command] must be left out"),
        ({"seed": True}, "the entry 'seed' of [command] must be a whole number. Got True instead."),
        ({"noise": "0.1"}, "the entry 'noise' of [command] must be a number. Got '0.1' instead."),
        ({"all_restarts": 0}, "the entry 'all_restarts' of [command] must be true or false. Got 0 instead."),
    ],
)
def test_an_edited_configuration_is_checked(change: dict[str, Any], message: str) -> None:
    Path("run").mkdir()
    Path("run/config.toml").write_text(tomli_w.dumps({"command": change}))
    said = " ".join(boolearn("train", "--resume", "run", status=2).stderr.split())
    assert f"run/config.toml: {message}" in said


def test_what_an_older_version_did_not_note_is_as_by_default() -> None:
    boolearn(*TRAIN, "--max-iter", "20", "--out", "run", status=1)
    path = Path("run/config.toml")
    config = tomllib.loads(path.read_text())
    for newer in ("input_noise", "all_restarts"):
        del config["command"][newer]
    # Older versions wrote down every option, also those of other solvers.
    config["command"] |= {"batch_rule": "whole", "price": 0.3}
    config["command"]["max_seconds"] = 600  # as people write a number
    path.write_text(tomli_w.dumps(config))
    boolearn("train", "--resume", "run", "--max-iter", "60", status=1)
    command = tomllib.loads(path.read_text())["command"]
    assert (command["input_noise"], command["all_restarts"]) == (0.0, False)
    assert (command["max_iter"], command["max_seconds"]) == (60, 600.0)


def test_other_data_under_the_same_name_is_refused() -> None:
    boolearn(*TRAIN, "--max-iter", "20", "--out", "run", status=1)
    write(multiplier(2).shuffled(1), "2x2.dat")
    assert "is of a run whose 'data' is" in boolearn("train", "--resume", "run", status=2).stderr
