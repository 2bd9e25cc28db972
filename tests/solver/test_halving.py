"""Successive halving: the outcome does not depend on workers, and the weaker starts are dropped."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boolearn.data import Dataset, write
from boolearn.errors import ParameterError
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.ranks import ALONE, Ranks
from boolearn.solver import RRR, Callback, Outcome, Restarts, Status
from boolearn.solver.rrr.search import RRRSearch
from boolearn.solver.starts.halving import halving_plan
from boolearn.training import Noise, train
from commands import boolearn
from killable import outcome


@given(st.integers(1, 200), st.integers(1, 10**6), st.integers(2, 10))
def test_rungs_share_the_budget_out(restarts: int, max_iter: int, eta: int) -> None:
    plan = halving_plan(restarts, max_iter, eta)
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
    options: dict[str, Any] = {"max_iter": 400, "gap_tol": 0, "seed": 10}
    runs = [
        train(layered(6, 4, 3), noise, **options, restarts=Restarts(8, halving=2, side_by_side=side), threads=threads)
        for side, threads in ((False, None), (True, 2), (True, 8))
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


def test_the_result_is_a_start_that_was_kept(two_bit_multiplier: Dataset) -> None:
    """Also where one that was dropped has the same accuracy and a smaller gap."""
    dropped_had_less_gap = 0
    for seed in range(0, 60, 6):
        run = train(
            layered(4, 8, 4), two_bit_multiplier, max_iter=800, gap_tol=0, seed=seed, restarts=Restarts(6, halving=2)
        )
        (kept,) = (start for start in run.starts if start.status is Status.BUDGET)
        assert (run.status, run.seed) == (Status.BUDGET, kept.seed)
        same = [start for start in run.starts if start.train_accuracy == kept.train_accuracy]
        dropped_had_less_gap += min(same, key=lambda start: start.gap) is not kept
    assert dropped_had_less_gap


def test_the_command_does_not_offer_what_it_would_refuse(tmp_path: Path, two_bit_multiplier: Dataset) -> None:
    write(two_bit_multiplier, tmp_path / "table.dat")
    words = ("train", str(tmp_path / "table.dat"), "--layers", "4,3,4", "--gap-tol", "0", "--max-iter", "80")
    said = boolearn(*words, "--restarts", "4", "--halving", "2", "--out", str(tmp_path / "halving"), status=1).stdout
    assert "to resume" not in said
    assert "begin another run with more" in said
    run = str(tmp_path / "run")
    assert f"to resume: boolearn train --resume {run} --max-iter 800" in boolearn(*words, "--out", run, status=1).stdout
    again = boolearn("train", "--resume", run, "--max-iter", "10", status=1).stdout
    assert f"to resume: boolearn train --resume {run} --max-iter 800" in again


def test_a_solved_start_ends_it(two_bit_multiplier: Dataset) -> None:
    class Ends(Callback):
        def __init__(self) -> None:
            self.seeds: list[int] = []

        def on_start_end(self, outcome: Outcome) -> None:
            self.seeds.append(outcome.seed)

    ends = Ends()
    options: dict[str, Any] = {"restarts": Restarts(27, halving=3), "max_iter": 9000}
    runs = [
        train(layered(4, 4, 4, 4), two_bit_multiplier, **options, threads=threads, callbacks=[ends][: 2 - threads])
        for threads in (1, 2)
    ]
    assert runs[0].status is Status.SOLVED
    assert outcome(runs[0]) == outcome(runs[1])
    assert ends.seeds == [start.seed for start in runs[0].starts]
    assert sum(start.status.solved for start in runs[0].starts) == 1


def test_searches_are_used_again(noise: Dataset) -> None:
    """Every rung has threads of its own; engines are large, so there are no more of them than workers."""
    made: list[object] = []
    closed: list[object] = []

    @dataclass(frozen=True)
    class Counted(RRR):
        def search(
            self, problem: Problem, *, threads: int | None = None, until_fit: bool = False, ranks: Ranks = ALONE
        ) -> RRRSearch:
            made.append(super().search(problem, threads=threads, until_fit=until_fit, ranks=ranks))
            made[-1].close = lambda search=made[-1]: closed.append(search)  # type: ignore[attr-defined]
            return made[-1]  # type: ignore[return-value]

    restarts = Restarts(8, halving=2, side_by_side=True)
    run = train(layered(6, 4, 3), noise, solver=Counted(gap_tol=0), max_iter=80, restarts=restarts, threads=2)
    assert len(run.starts) == 8
    assert 1 <= len(made) <= 2
    assert closed == made


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"restarts": (4, False, 1)}, "'halving' parameter must be an integer of at least 2"),
        ({"restarts": (4, False, 2.5)}, "'halving' parameter must be an integer of at least 2"),
        ({"restarts": (4, True, 2)}, "'all' parameter must be False with 'halving'"),
        ({"restarts": (0,)}, "'restarts' parameter must be an integer of at least 1"),
        ({"restarts": (4, False, None, "yes")}, "'side_by_side' parameter must be True, False or None"),
        ({"restarts": (4, False, 2), "max_seconds": 3}, "'max_iter' parameter must be given with 'halving'"),
        ({"noise": 0.5}, "'noise' parameter must be at least 0 and below 0.5"),
        ({"noise": -0.1}, "'noise' parameter must be at least 0 and below 0.5"),
        ({"noise": {"inputs": "a"}}, "'noise' parameter must be at least 0 and below 0.5 for inputs"),
        ({"noise": {"inputs": 0.5}}, "'noise' parameter must be at least 0 and below 0.5 for inputs"),
    ],
)
def test_bad_values_are_refused_by_name(noise: Dataset, options: dict[str, Any], message: str) -> None:
    def call() -> None:
        if "restarts" in options:
            train(layered(6, 4, 3), noise, **{**options, "restarts": Restarts(*options["restarts"])})
        elif isinstance(options["noise"], dict):
            train(layered(6, 4, 3), noise, noise=Noise(**options["noise"]))
        else:
            train(layered(6, 4, 3), noise, **options)

    with pytest.raises(ParameterError, match=message):
        call()
