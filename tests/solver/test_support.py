"""RRR with a bound on the support: every neuron keeps it, runs can be cut anywhere, and memorising ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boolearn as bl
from boolearn.data import Dataset
from boolearn.errors import ParameterError
from boolearn.model import random_model
from boolearn.runs.folder import load_settings
from commands import boolearn


def effective_inputs(model: bl.BoolNet) -> np.ndarray:
    start = model.network.start[:-1]
    sums = np.add.reduceat(np.abs(model.edge_weights), start)
    return sums**2 / np.add.reduceat(model.edge_weights**2, start)


def test_every_neuron_keeps_the_bound(two_bit_multiplier: Dataset) -> None:
    settings: dict[str, Any] = {"seed": 2, "max_iter": 300, "gap_tol": 0}
    bounded = bl.train([4, 8, 8, 4], two_bit_multiplier, support=3.2, **settings)
    assert effective_inputs(bounded.model).max() <= 3.2 * (1 + 1e-6)
    assert bounded.settings["support"] == 3.2
    free = bl.train([4, 8, 8, 4], two_bit_multiplier, **settings)
    assert effective_inputs(free.model).max() > 4
    assert "support" not in free.settings
    loose = bl.train([4, 8, 8, 4], two_bit_multiplier, support=9, **settings)  # as many as there are
    assert np.array_equal(loose.model.weights, free.model.weights)


@pytest.mark.parametrize("batch", [None, 8])
def test_a_resumed_run_is_the_same(tmp_path: Path, two_bit_multiplier: Dataset, batch: int | None) -> None:
    settings: dict[str, Any] = {"solver": bl.RRR(support=3.5, gap_tol=0, batch=batch), "seed": 3}
    whole = bl.train([4, 6, 4], two_bit_multiplier, max_iter=400, **settings)
    bl.train([4, 6, 4], two_bit_multiplier, max_iter=150, checkpoint=tmp_path, **settings)
    again = bl.Checkpoints(tmp_path, resume=True)
    resumed = bl.train([4, 6, 4], two_bit_multiplier, max_iter=400, checkpoint=again, **settings)
    assert np.array_equal(whole.model.weights, resumed.model.weights)
    with pytest.raises(bl.errors.FileError, match="support"):
        bl.train(
            [4, 6, 4],
            two_bit_multiplier,
            max_iter=500,
            checkpoint=again,
            **{**settings, "solver": bl.RRR(gap_tol=0, batch=batch)},
        )


def test_threads_change_nothing() -> None:
    samples = random_model(12, 12, 12, seed=1).sample(700, seed=1)
    one, three = (
        bl.train([12, 12, 12], samples, support=5, max_iter=50, seed=1, threads=threads).model.weights
        for threads in (1, 3)
    )
    assert np.array_equal(one, three)


def test_a_wide_network_memorises_less() -> None:
    samples = random_model(12, 12, 12, 12, seed=4).sample(1060, seed=4)
    solver = {"beta": bl.Linear(0.9, 0.05, 2000), "anneal": 1400}
    free, bounded = (
        bl.train([12, 40, 40, 12], samples, items=60, seed=4, max_iter=2000, solver=bl.RRR(**solver, support=support))  # type: ignore[arg-type]
        for support in (None, 6)
    )
    assert free.test_accuracy is not None
    assert bounded.test_accuracy is not None
    assert bounded.test_accuracy > free.test_accuracy + 0.02


def test_the_option_of_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    boolearn("make", "multiplier", "--bits", "2", "-o", "2x2.dat")
    command = ["train", "2x2.dat", "--layers", "4,6,4", "--max-iter", "50", "--out", "run", "--support", "3.5"]
    boolearn(*command, status=1)
    assert load_settings("run")["support"] == 3.5
    said = boolearn("train", "2x2.dat", "--layers", "4,6,4", "--solver", "gates", "--support", "4", status=2)
    assert "'support'" in said.stderr


@pytest.mark.parametrize("wrong", [0.9, 0, -3, float("nan"), float("inf"), "5", True])
def test_mistakes_are_named(wrong: object) -> None:
    with pytest.raises(ParameterError, match="'support' parameter must be"):
        bl.RRR(support=wrong)  # type: ignore[arg-type]
