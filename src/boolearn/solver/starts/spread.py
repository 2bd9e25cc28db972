"""Starts in other processes, see ``boolearn.workers``.

A start is a function of its seed, so the result is the same; each has one thread. Of callbacks only ``on_start_end`` is
called, which is here.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from boolearn.problem import Problem
from boolearn.solver.contract import Solver
from boolearn.solver.interrupt import Request
from boolearn.solver.run import Outcome
from boolearn.solver.starts.budget import Budget
from boolearn.solver.starts.checkpoint import Checkpoint
from boolearn.solver.starts.measure import Measure
from boolearn.solver.starts.pool import StartPool
from boolearn.solver.starts.restarts import Restarts
from boolearn.solver.watching.callbacks import Callback
from boolearn.workers import chosen_workers, results_elsewhere


def wanted(pool: StartPool, starts: int) -> bool:
    """Has the user chosen a joblib backend, with more than one worker, for several starts?"""
    return starts > 1 and pool.ranks.size == 1 and chosen_workers() > 1


def run_spread(
    pool: StartPool, numbers: Sequence[int], add: Callable[[Outcome], None], limit: int | None = None
) -> None:
    """Run these starts and add their outcomes in this order: of all, or up to the first that is solved."""
    task = StartTask(pool.solver, pool.problem, pool.measure, pool.budget, pool.restarts, pool.seed)
    keep = pool.keepers is not None or pool.restarts.halving is not None
    jobs = ((task, number, limit, pool.last_checkpoint(number), keep) for number in numbers)
    with results_elsewhere(run_start, jobs) as results:
        for number, done in zip(numbers, results, strict=True):
            pool.cpu_seconds_elsewhere += done.cpu_seconds
            if done.checkpoint is not None:
                pool.keep(number, done.checkpoint)
            add(replace(done.outcome, dataset=pool.measure.dataset(done.outcome.codes)))
            if (done.outcome.solved and not pool.restarts.all) or pool.stop_requested():
                return


@dataclass(frozen=True)
class StartTask:
    """All that a start needs, as it is sent to another process."""

    solver: Solver
    problem: Problem
    measure: Measure
    budget: Budget
    restarts: Restarts
    seed: int


class Done(NamedTuple):
    """What comes back. The training items stay where they are."""

    outcome: Outcome
    checkpoint: Checkpoint | None
    cpu_seconds: float


def run_start(job: tuple[StartTask, int, int | None, Checkpoint | None, bool]) -> Done:
    """One start, in the process that was given it: its number, up to which iteration, from where, and what to keep."""
    task, number, limit, checkpoint, keep = job
    begun = time.process_time()
    kept = _Kept(checkpoint)
    pool = StartPool(
        task.solver,
        task.problem,
        task.measure,
        task.budget,
        task.restarts,
        task.seed,
        Callback(),
        lambda: Request.NONE,
        kept if keep else None,
        threads=1,
    )
    try:
        outcome = pool.run(number, lambda: Request.NONE, limit)
    finally:
        pool.close()
    nothing = outcome.dataset.take(slice(0, 1))
    return Done(replace(outcome, dataset=nothing), kept.checkpoint, time.process_time() - begun)


class _Kept:
    """Keeps the last checkpoint of the one start there is, to be sent back."""

    def __init__(self, checkpoint: Checkpoint | None) -> None:
        self.checkpoint = checkpoint
        self.extendable = True

    def keeper(self, number: int, extendable: bool) -> _Kept:
        del number
        self.extendable = extendable
        return self

    def load(self, number: int, seed: int) -> Checkpoint | None:
        del number, seed
        return self.checkpoint

    def refuse(self, number: int, error: Exception) -> Exception:
        del number
        return error

    def due(self) -> bool:
        return False

    def keep(self, checkpoint: Checkpoint) -> None:
        self.checkpoint = checkpoint
