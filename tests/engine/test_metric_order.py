"""The metric follows the gaps of an iteration in the next one, as in the paper, or one later."""

from __future__ import annotations

import numpy as np
import pytest

from boolearn.data import multiplier
from boolearn.engine.reference import ReferenceEngine
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.problem.point import Floats, Point

PROBLEM = Problem(layered(4, 4, 4, 4), multiplier(2), 3)


def engine(prompt: bool, iterations: int, gamma: float) -> ReferenceEngine:
    found = ReferenceEngine(PROBLEM, prompt_metric=prompt)
    found.begin(5)
    if iterations:
        found.iterate(iterations, beta=0.2, gamma=gamma)
    return found


def test_without_relaxation_both_orders_are_the_same() -> None:
    assert np.array_equal(engine(True, 30, 0.0).weights(), engine(False, 30, 0.0).weights())


def test_a_prompt_metric_is_the_papers_rule() -> None:
    """g + γ(Δ²/Δ²_rms − g), with the gaps of the iteration that has just been done, written out."""
    gamma = 0.1
    before = engine(True, 3, gamma)
    point, metric = before.point, before.metric.copy()
    progress = before.iterate(1, beta=0.2, gamma=gamma)
    moved = type(point)(*((new - old) / 0.2 for new, old in zip(vars_of(before.point), vars_of(point), strict=True)))
    local = before.local_gaps(moved)
    assert local.mean() == pytest.approx(progress.gap**2)
    assert before.metric == pytest.approx(metric + gamma * (local / local.mean() - metric))
    assert before.metric.mean() == pytest.approx(1)


def vars_of(point: Point) -> tuple[Floats, Floats, Floats]:
    return point.w, point.x, point.y


def test_the_later_metric_lags_by_one_iteration() -> None:
    gamma = 0.1
    first_prompt, first_late = engine(True, 1, gamma), engine(False, 1, gamma)
    assert np.array_equal(first_prompt.point.w, first_late.point.w)  # both began with a metric of 1
    assert (first_late.metric == 1).all()
    assert not (first_prompt.metric == 1).all()
    assert np.array_equal(engine(False, 2, gamma).metric, first_prompt.metric)
    assert not np.array_equal(engine(True, 2, gamma).weights(), engine(False, 2, gamma).weights())


def test_a_prompt_metric_resumes_from_a_snapshot() -> None:
    one = engine(True, 7, 0.1)
    other = engine(True, 0, 0.1)
    other.restore(one.snapshot())
    for running in (one, other):
        running.iterate(5, beta=0.2, gamma=0.1)
    assert np.array_equal(one.weights(), other.weights())
    assert np.array_equal(one.metric, other.metric)
