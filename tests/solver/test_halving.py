"""Successive halving: the outcome does not depend on workers, and the weaker starts are dropped."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from killable import outcome

from boolearn.data import Dataset
from boolearn.errors import ParameterError
from boolearn.network import layered
from boolearn.solver import Callback, Run, Status
from boolearn.solver.starts.halving import rungs
from boolearn.solver.starts.pool import Searches
from boolearn.training import train


@given(st.integers(1, 200), st.integers(1, 10**6), st.integers(2, 10))
def test_rungs_share_the_budget_out(restarts: int, max_iter: int, eta: int) -> None:
    plan = rungs(restarts, max_iter, eta)
    starts, limits = zip(*plan, strict=True)
    assert starts[0] == restarts
    assert all(after == before // eta for before, after in itertools.pairwise(starts))
    assert 1 <= starts[-1] < eta or restarts == starts[-1]
    assert limits[-1] == max_iter
    assert list(limits) == sorted(limits)
    assert all(limit == max(1, max_iter // eta ** (len(plan) - 1 - k)) for k, limit in enumerate(limits))


@pytest.fixture
def noise(rng: np.random.Generator) -> Dataset:
    return Dataset(rng.integers(0, 2, (40, 6)), rng.integers(0, 2, (40, 3)))


def test_one_worker_or_two_and_how_the_starts_end(noise: Dataset) -> None:
    options: dict[str, Any] = {"restarts": 8, "halving": 2, "max_iter": 400, "gap_tol": 0, "seed": 10}
    runs = [
        train(layered(6, 4, 3), noise, **options, **how)
        for how in ({"side_by_side": False}, {"side_by_side": True, "threads": 2}, {"side_by_side": True, "threads": 8})
    ]
    assert outcome(runs[0]) == outcome(runs[1]) == outcome(runs[2])
    starts = runs[0].starts
    assert [start.seed for start in starts] == list(range(10, 18))
    assert sorted(start.iterations for start in starts) == [50] * 4 + [100] * 2 + [200] + [400]
    ends = {start.iterations: start.status for start in starts}
    assert ends == {50: Status.DROPPED, 100: Status.DROPPED, 200: Status.DROPPED, 400: Status.BUDGET}
    # Those that go on are the better ones, judged by themselves with as small a budget.
    alone = [train(layered(6, 4, 3), noise, max_iter=50, gap_tol=0, seed=seed) for seed in range(10, 18)]
    standing = [max((line.train_accuracy, -line.least_gap) for line in run.trace) for run in alone]
    better = sorted(range(8), key=lambda k: standing[k], reverse=True)[:4]
    assert sorted(start.seed - 10 for start in starts if start.iterations > 50) == sorted(better)


def test_a_solved_start_ends_it(two_bit_multiplier: Dataset) -> None:
    class Ends(Callback):
        def __init__(self) -> None:
            self.seeds: list[int] = []

        def on_start_end(self, run: Run) -> None:
            self.seeds.append(run.seed)

    ends = Ends()
    options: dict[str, Any] = {"restarts": 27, "halving": 3, "max_iter": 9000}
    runs = [
        train(layered(4, 4, 4, 4), two_bit_multiplier, **options, threads=threads, callbacks=[ends][: 2 - threads])
        for threads in (1, 2)
    ]
    assert runs[0].status is Status.SOLVED
    assert outcome(runs[0]) == outcome(runs[1])
    assert ends.seeds == [start.seed for start in runs[0].starts]
    assert sum(start.status.solved for start in runs[0].starts) == 1


def test_searches_are_used_again() -> None:
    """Every rung has threads of its own; engines are large, so there are no more of them than workers."""
    made: list[object] = []

    class Made:
        def close(self) -> None:
            made.remove(self)

    def make() -> Any:
        made.append(Made())
        return made[-1]

    searches = Searches(make)
    for _ in range(5):
        with searches.lent() as one, searches.lent() as other:
            assert one is not other
    assert len(made) == 2
    searches.close()
    assert made == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"halving": 1}, "'halving' parameter must be an integer of at least 2"),
        ({"halving": 2.5}, "'halving' parameter must be an integer of at least 2"),
        ({"halving": 2, "all_restarts": True}, "'all_restarts' parameter must be False with 'halving'"),
        ({"halving": 2, "max_seconds": 3}, "'max_iter' parameter must be given with 'halving'"),
        ({"noise": 0.5}, "'noise' parameter must be at least 0 and below 0.5"),
        ({"noise": -0.1}, "'noise' parameter must be at least 0 and below 0.5"),
        ({"input_noise": "a"}, "'input_noise' parameter must be at least 0 and below 0.5"),
        ({"input_noise": 0.5}, "'input_noise' parameter must be at least 0 and below 0.5"),
    ],
)
def test_bad_values_are_refused_by_name(noise: Dataset, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        train(layered(6, 4, 3), noise, restarts=4, **options)
