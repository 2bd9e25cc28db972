"""boolearn tune as a user runs it."""

from __future__ import annotations

import json
import shlex
import tomllib
from pathlib import Path

import pytest

from boolearn.data import multiplier, write
from boolearn.model import BoolNet
from boolearn.network import layered
from commands import Said, boolearn

pytestmark = pytest.mark.usefixtures("in_tmp")


def tune(*words: str, status: int = 0) -> Said:
    return boolearn("tune", "2x2.dat", *words, status=status)


CHOICES = ("--layers", "4,4,4,4", "--beta", "0.5,1.5", "--gamma", "0.001", "--trials", "2", "--starts", "6")


def test_the_best_setting_as_words_and_as_json() -> None:
    said = tune(*CHOICES, "--max-iter", "5000")
    assert "--layers 4,4,4,4 --max-iter 5000 --beta 0.5 --gamma 0.001 --sigma 3\n" in said.stdout
    assert "setting 2:" in said.stderr
    report = json.loads(tune(*CHOICES, "--max-iter", "5000", "--json").stdout)
    assert report["best"].items() >= {"solver": "rrr", "beta": 0.5, "gamma": 0.001, "sigma": 3.0}.items()
    assert report["solved"]
    assert [row["beta"] for row in report["settings"]] == [0.5, 1.5]
    assert {"starts", "solved", "rate", "rate_error", "successes_per_second"} <= set(report["settings"][0])


def test_without_a_solution_the_status_is_1() -> None:
    report = json.loads(tune(*CHOICES, "--max-iter", "2", "--json", status=1).stdout)
    assert not report["solved"]
    assert report["settings"][0]["iterations_per_success"] is None


def test_the_printed_command_trains_as_was_tuned() -> None:
    """Run as printed, from a file with a space in its name, with every option that both commands have."""
    write(multiplier(2), "my table.csv")
    network = layered(4, 4, 4, 4)
    BoolNet(network, [0.5] * network.n_weights).save("wiring.safetensors")
    shared = {
        "network": "wiring.safetensors", "items": 12, "outputs": 4, "noise": 0.05, "input_noise": 0.01, "stop": "fit=2",
        "gap_tol": 0.0, "max_iter": 40, "seed": 3, "precision": "double", "threads": 1,
    }  # fmt: skip
    words = [word for name, value in shared.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    values = ("--beta", "0.31234567", "--gamma", "0.002", "--sigma", "4")
    said = boolearn("tune", "my table.csv", *words, *values, "--trials", "1", "--starts", "1", status=1).stdout
    printed = shlex.split(said.partition("to train with the best: ")[2])
    assert printed[:2] == ["boolearn", "train"]
    boolearn(*printed[1:], "--out", "run", status=1)
    command = tomllib.loads(Path("run/config.toml").read_text())["command"]
    assert Path(command["data"]).name == "my table.csv"
    assert {**command, "network": Path(command["network"]).name}.items() >= shared.items()
    assert [command[name] for name in ("beta", "gamma", "sigma")] == ["0.31234567", "0.002", "4"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--beta", "a:b"), "'beta' parameter must be a number, a range LOW:HIGH"),
        (("--beta", "1:0.5"), "'beta' parameter must be a range"),
        (("--sigma", "0"), "'sigma' parameter must be"),
        (("--trials", "2", "--max-seconds", "3"), "'max_seconds' parameter must be left out"),
    ],
)
def test_bad_values_are_refused(words: tuple[str, ...], message: str) -> None:
    assert message in tune("--layers", "4,4,4,4", *words, status=2).stderr
