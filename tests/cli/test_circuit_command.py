"""boolearn circuit says what equals what, and never calls a circuit that contradicts its data a success."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from boolearn.data import Dataset, multiplier, write
from commands import boolearn

pytestmark = pytest.mark.usefixtures("in_tmp")

XOR = "a,b,y\n0,0,0\n0,1,1\n1,0,1\n1,1,0\n"


@pytest.fixture
def wrong_run(in_tmp: None) -> None:
    """A run that cannot learn its data: one neuron for an exclusive or."""
    Path("xor.csv").write_text(XOR)
    boolearn("train", "xor.csv", "--layers", "2,1", "--max-iter", "100", "--out", "wrong", status=1)


@pytest.mark.usefixtures("wrong_run")
@pytest.mark.parametrize("more", [(), ("--data", "xor.csv"), ("--data", "none")])
def test_a_circuit_that_contradicts_its_data_is_no_success(more: tuple[str, ...]) -> None:
    done = boolearn("circuit", "wrong", "--json", "-o", "wrong.v", *more, status=1)
    report = json.loads(done.stdout)
    assert not report["success"]
    assert "proved" not in report
    equal = report["circuit_equals_network"]
    assert (equal["equal"], equal["compared"], equal["all_inputs"]) == (True, "all 4 inputs", True)
    assert equal["text"] == "The circuit and the network are equal on all 4 inputs, each compared."
    agrees = report["circuit_agrees_with_data"]
    assert agrees.pop("text").startswith("The circuit contradicts the data, a complete truth table")
    assert agrees == {
        "agrees": False,
        "right_items": 3,
        "items": 4,
        "right_bits": 3,
        "bits": 4,
        "allowed_wrong_bits": 0,
        "complete_truth_table": True,
    }
    assert "1 of 4 bits are wrong, 0 are allowed" in done.stderr
    assert "status 'budget'" in done.stderr
    said = boolearn("circuit", "wrong", *more, status=1)
    assert "contradicts the data" in said.stdout
    assert "contradicts the data" in said.stderr


@pytest.mark.usefixtures("wrong_run")
def test_without_its_data_the_circuit_of_an_unsolved_run_is_no_success() -> None:
    Path("xor.csv").unlink()
    done = boolearn("circuit", "wrong", "--data", "none", "--json", status=1)
    assert json.loads(done.stdout)["circuit_agrees_with_data"] is None
    assert "not compared with the run's data" in done.stderr
    assert "status 'budget'" in done.stderr
    assert "xor.csv: cannot be read" in boolearn("circuit", "wrong", status=2).stderr


def test_a_run_that_ended_by_fit_is_solved() -> None:
    Path("xor.csv").write_text(XOR)
    words = ("train", "xor.csv", "--layers", "2,2,1", "--restarts", "30", "--stop", "fit", "--out", "run", "--json")
    assert json.loads(boolearn(*words).stdout)["status"] == "fit"
    done = boolearn("circuit", "run")
    assert done.stderr == ""
    assert "4 of 4 items and 4 of 4 bits are right" in done.stdout
    Path("xor.csv").unlink()
    assert "solved" not in boolearn("circuit", "run", "--data", "none").stderr


def test_a_part_of_the_table_is_not_called_all_inputs() -> None:
    words = ("train", "2x2.dat", "--layers", "4,4,4,4", "--items", "12", "--restarts", "30", "--out", "run")
    boolearn(*words)
    report = json.loads(boolearn("circuit", "run", "--json").stdout)
    assert report["circuit_equals_network"]["compared"] == "12 items"
    assert not report["circuit_equals_network"]["all_inputs"]
    assert not report["circuit_agrees_with_data"]["complete_truth_table"]
    assert report["circuit_agrees_with_data"]["items"] == 12


def test_bits_that_the_run_took_for_noise_are_allowed() -> None:
    table = multiplier(2)
    flipped = table.outputs.copy()
    flipped[5, 0] *= -1
    write(Dataset(np.tile(table.inputs, (4, 1)), np.vstack([flipped, *[table.outputs] * 3])), "noisy.dat")
    words = ("train", "noisy.dat", "--layers", "4,4,4,4", "--noise", "0.01", "--restarts", "30", "--out", "run")
    boolearn(*words)
    agrees = json.loads(boolearn("circuit", "run", "--json").stdout)["circuit_agrees_with_data"]
    assert (agrees["bits"], agrees["allowed_wrong_bits"], agrees["agrees"]) == (256, 2, True)
    assert 1 <= agrees["bits"] - agrees["right_bits"] <= 2  # equal inputs with different outputs: one must be wrong
    config = Path("run/config.toml")
    config.write_text(config.read_text().replace("noise = 0.01", "noise = 0.0"))
    assert not json.loads(boolearn("circuit", "run", "--json", status=1).stdout)["success"]


def test_circuits_of_runs_that_lack_something() -> None:
    boolearn("train", "2x2.dat", "--layers", "4,4,4,4", "--max-iter", "10", "--out", "run", status=1)
    config = Path("run/config.toml")
    whole = config.read_text().splitlines(keepends=True)
    for name in ("items", "data"):
        config.write_text("".join(line for line in whole if not line.startswith(f"{name} =")))
        assert f"config.toml: has no entry '{name}'" in boolearn("circuit", "run", status=2).stderr
    done = boolearn("circuit", "run", "--data", "2x2.dat", status=1)
    assert "The circuit and the network are equal on all 16 inputs" in done.stdout


def test_a_model_alone_is_compared_with_nothing_else() -> None:
    boolearn("train", "2x2.dat", "--layers", "4,4,4,4", "--max-iter", "10", "--out", "run", status=1)
    report = json.loads(boolearn("circuit", "run/model.safetensors", "--json").stdout)
    assert report["circuit_agrees_with_data"] is None
    assert report["circuit_equals_network"]["compared"] == "all 16 inputs"
