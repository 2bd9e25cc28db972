"""Successive halving: many starts are begun, the better ones go on.

All starts get a small budget, the best 1/η of them η times as much, and so on; the last few get all of it.
A start is judged by its checkpoints up to the end of its budget, so the outcome depends neither on how
many run at the same time nor on whether the run was resumed.

Jamieson & Talwalkar, "Non-stochastic best arm identification and hyperparameter optimization".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from boolearn.solver.restarts import quality, run_starts
from boolearn.solver.run import Run, Start
from boolearn.solver.status import Status

SolveUpTo = Callable[[int, int, Callable[[], bool]], Run]
"""Takes the start of a number on to so many iterations; the function tells when to give up."""


def rungs(restarts: int, max_iter: int, eta: int) -> list[tuple[int, int]]:
    """How many starts go on to how many iterations, from all of them to the last."""
    found = [(restarts, max_iter)]
    while found[-1][0] >= eta:
        found.append((found[-1][0] // eta, max_iter))
    last = len(found) - 1
    return [(starts, max(1, max_iter // eta ** (last - k))) for k, (starts, _) in enumerate(found)]


def run_halving(
    plan: Sequence[tuple[int, int]],
    workers: int,
    solve_up_to: SolveUpTo,
    interrupted: Callable[[], bool],
    on_run_end: Callable[[Run], None],
    forget: Callable[[int], None],
) -> tuple[Run, list[Start]]:
    """The best run, and how every start ended. ``forget`` hears of those that do not go on."""
    going = list(range(plan[0][0]))
    ended: dict[int, Run] = {}
    for rung, (_, limit) in enumerate(plan):
        numbers = list(going)

        def solve_start(k: int, give_up: Callable[[], bool], numbers: list[int] = numbers, limit: int = limit) -> Run:
            return solve_up_to(numbers[k], limit, give_up)

        collected: list[Run] = []
        run_starts(len(numbers), min(workers, len(numbers)), solve_start, interrupted, collected.append, False)
        ended.update(zip(numbers, collected, strict=False))
        if any(run.solved for run in collected) or interrupted() or rung == len(plan) - 1:
            break
        ranking = sorted(numbers, key=lambda number: (_standing(ended[number]), -number), reverse=True)
        going = sorted(ranking[: plan[rung + 1][0]])
        for number in set(numbers) - set(going):
            forget(number)
            if ended[number].status is Status.BUDGET:
                ended[number] = replace(ended[number], status=Status.DROPPED)
    for _, run in sorted(ended.items()):
        on_run_end(run)
    # The first of equals stays, as in every race.
    best = max(sorted(ended), key=lambda number: (quality(ended[number]), -number))
    return ended[best], [run.start() for _, run in sorted(ended.items())]


def _standing(run: Run) -> tuple[float, float]:
    """How good a start was within its budget."""
    return max((line.train_accuracy, -line.least_gap) for line in run.trace)
