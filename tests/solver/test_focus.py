"""RRR with a focus: what receivers count in set B follows their weights, and a run can still be cut anywhere."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import boolearn as bl
from boolearn.data import Dataset
from boolearn.errors import ParameterError
from boolearn.model import random_model
from boolearn.problem import Problem
from boolearn.runs.folder import load_model, load_settings
from boolearn.solver import RRR
from commands import boolearn


def lines(run: bl.Run) -> list[Any]:
    return [replace(line, seconds=0) for line in run.trace]


@pytest.mark.parametrize("batch", [None, 8])
def test_a_resumed_run_is_the_same(tmp_path: Path, two_bit_multiplier: Dataset, batch: int | None) -> None:
    settings: dict[str, Any] = {"solver": RRR(focus=0.1, anneal=600, gap_tol=0, batch=batch), "seed": 3}
    whole = bl.train([4, 4, 4, 4], two_bit_multiplier, max_iter=1000, **settings)
    for cut in (50, 400, 730):
        folder = tmp_path / str(cut)
        bl.train([4, 4, 4, 4], two_bit_multiplier, max_iter=cut, checkpoint=folder, **settings)
        again = bl.Checkpoints(folder, resume=True)
        resumed = bl.train([4, 4, 4, 4], two_bit_multiplier, max_iter=1000, checkpoint=again, **settings)
        assert np.array_equal(whole.model.weights, resumed.model.weights)
        assert lines(whole) == lines(resumed)


def test_a_state_between_voices_and_iterations_continues_as_if_nothing_happened(two_bit_multiplier: Dataset) -> None:
    """An interrupt may come after the edges got new voices and before they were used."""
    problem = Problem(bl.layered(4, 4, 4, 4), two_bit_multiplier)
    whole, resumed = (RRR(focus=0.1, gap_tol=0).search(problem, threads=1) for _ in range(2))
    whole.begin(2)
    whole.advance(200)
    whole._set_voices(0.1)
    resumed.begin(9)
    resumed.restore(whole.snapshot())
    assert whole.advance(150) == resumed.advance(150)
    assert np.array_equal(whole.weights(), resumed.weights())


def test_a_second_start_does_not_hear_the_first(two_bit_multiplier: Dataset) -> None:
    settings: dict[str, Any] = {"solver": RRR(focus=0.1, gap_tol=0), "max_iter": 250, "threads": 1}
    both = bl.train([4, 4, 4, 4], two_bit_multiplier, seed=5, restarts=bl.Restarts(2, all=True), **settings)
    second = bl.train([4, 4, 4, 4], two_bit_multiplier, seed=6, **settings)
    assert both.starts[1].gap == second.gap


def test_engines_agree(two_bit_multiplier: Dataset) -> None:
    solver = RRR(focus=0.1, gap_tol=0, precision="double")
    run, reference, plain = (
        bl.train([4, 4, 4, 4], two_bit_multiplier, solver=replace(solver, **other), max_iter=120, seed=1)
        for other in ({}, {"engine": "reference"}, {"focus": 0.0})
    )
    assert run.gap == pytest.approx(reference.gap, rel=1e-7)
    assert abs(run.gap - plain.gap) > 1e-3


def test_what_is_solved_is_right(two_bit_multiplier: Dataset) -> None:
    run = bl.train([4, 4, 4, 4], two_bit_multiplier, solver=RRR(beta=0.5, focus=0.03), restarts=60, max_iter=10_000)
    assert run.solved
    assert run.train_accuracy == 1
    assert run.circuit().prove_equal(run.model)


def test_it_is_an_option_and_checked(tmp_path: Path, two_bit_multiplier: Dataset) -> None:
    bl.data.write(two_bit_multiplier, tmp_path / "table.dat")
    words = ("train", str(tmp_path / "table.dat"), "--layers", "4,4,4,4", "--max-iter", "200", "--gap-tol", "0")
    boolearn(*words, "--focus", "0.1", "--out", str(tmp_path / "run"), status=1)
    assert load_settings(tmp_path / "run")["focus"] == 0.1
    same = bl.train([4, 4, 4, 4], two_bit_multiplier, focus=0.1, gap_tol=0, max_iter=200)
    assert np.array_equal(load_model(tmp_path / "run").weights, same.model.weights)
    assert "focus" not in bl.train([4, 4, 4, 4], two_bit_multiplier, max_iter=5).settings
    for wrong in (-0.1, float("nan"), float("inf"), "much"):
        with pytest.raises(ParameterError, match="'focus' parameter must be"):
            RRR(focus=wrong)  # type: ignore[arg-type]
    assert "'focus' parameter must be" in boolearn(*words, "--focus", "-1", status=2).stderr


@pytest.mark.slow
def test_circuits_are_learned_in_fewer_iterations() -> None:
    accuracies: dict[float, list[float | None]] = {}
    for draw in range(3):
        circuit = random_model(32, 32, 32, 32, 32, 32, gates="andor", seed=draw)
        samples = circuit.sample(1256, seed=draw)
        for focus in (0.0, 0.03):
            run = bl.train(
                circuit.network,
                samples,
                items=256,
                solver=RRR(beta=0.5, anneal=2000, focus=focus),
                max_iter=3000,
                seed=draw,
            )
            accuracies.setdefault(focus, []).append(run.test_accuracy)
    assert np.mean(accuracies[0.03]) > np.mean(accuracies[0.0]) + 0.005  # type: ignore[arg-type]
