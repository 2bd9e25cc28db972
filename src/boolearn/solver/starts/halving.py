"""Successive halving: many starts are begun, the better ones continue.

All starts get a small budget, the best 1/η of them η times as much, and so on; the last few get all of it.
A start is judged by its trace up to the end of its budget, so the result depends neither on how many run at
the same time nor on whether the run was resumed.

Jamieson & Talwalkar, "Non-stochastic best arm identification and hyperparameter optimization".
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from boolearn.errors import ParameterError
from boolearn.solver.run import Outcome
from boolearn.solver.starts.pool import StartPool
from boolearn.solver.starts.race import run_starts
from boolearn.solver.status import Status


def halving_plan(restarts: int, max_iter: int | None, eta: int) -> list[tuple[int, int]]:
    """How many starts continue to how many iterations, from all of them to the last."""
    if max_iter is None:
        raise ParameterError("max_iter", "given with 'halving', which shares it out", None)
    counts = [restarts]
    while counts[-1] >= eta:
        counts.append(counts[-1] // eta)
    last = len(counts) - 1
    return [(count, max(1, max_iter // eta ** (last - k))) for k, count in enumerate(counts)]


def run_halving(pool: StartPool, add: Callable[[Outcome], None]) -> None:
    """Run all starts and add their outcomes, in their order."""
    restarts = pool.restarts
    assert restarts.halving is not None
    plan = halving_plan(restarts.count, pool.budget.max_iter, restarts.halving)
    numbers = list(range(restarts.count))
    ended: dict[int, Outcome] = {}
    for rung, (_, limit) in enumerate(plan):
        outcomes: list[Outcome] = []
        run_starts(pool, numbers, outcomes.append, limit)
        ended.update(zip(numbers, outcomes, strict=False))
        if any(outcome.solved for outcome in outcomes) or pool.stop_requested() or rung == len(plan) - 1:
            break
        ranking = sorted(numbers, key=lambda number: (_standing(ended[number]), -number), reverse=True)
        better = sorted(ranking[: plan[rung + 1][0]])
        for number in set(numbers) - set(better):
            pool.forget(number)
            if ended[number].status is Status.BUDGET:
                ended[number] = replace(ended[number], status=Status.DROPPED)
        numbers = better
    for number in sorted(ended):
        add(ended[number])


def _standing(outcome: Outcome) -> tuple[float, float]:
    """How good a start was within its budget."""
    return max((line.train_accuracy, -line.least_gap) for line in outcome.trace)
