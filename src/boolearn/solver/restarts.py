"""Several starts, one after another or side by side; what comes out is the same."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from boolearn.solver.run import Run

SolveStart = Callable[[int, Callable[[], bool]], Run]
"""Runs the start of a number; the function it is given tells when to give up."""


def run_starts(
    restarts: int,
    workers: int,
    solve_start: SolveStart,
    interrupted: Callable[[], bool],
    on_run_end: Callable[[Run], None],
    all_restarts: bool,
) -> list[Run]:
    """The runs of starts 0, 1, …: all of them, or up to the first that is solved.

    Side by side, later starts are under way when an earlier one is solved; they are given up and
    left out, so the outcome does not depend on the number of workers.
    """
    race = _Race(all_restarts, on_run_end)

    def start(number: int) -> None:
        def give_up() -> bool:
            return interrupted() or number > race.last

        if number == 0 or not give_up():
            race.finish(number, solve_start(number, give_up))

    if workers == 1:
        for number in range(restarts):
            start(number)
    else:
        with ThreadPoolExecutor(workers, thread_name_prefix="boolearn-start") as pool:
            for future in [pool.submit(start, number) for number in range(restarts)]:
                future.result()
    return [run for number, run in sorted(race.runs.items()) if number <= race.last]


class _Race:
    """Keeps finished runs and passes them on in the order of their starts."""

    def __init__(self, all_restarts: bool, on_run_end: Callable[[Run], None]) -> None:
        self.runs: dict[int, Run] = {}
        self.last = float("inf")
        self._all = all_restarts
        self._on_run_end = on_run_end
        self._told = 0
        self._lock = threading.Lock()

    def finish(self, number: int, run: Run) -> None:
        with self._lock:
            self.runs[number] = run
            if run.solved and not self._all:
                self.last = min(self.last, number)
            while self._told in self.runs and self._told <= self.last:
                self._on_run_end(self.runs[self._told])
                self._told += 1


def best_of(runs: list[Run]) -> Run:
    """A solved run if there is one, then the best training accuracy, then the least gap; the first of equals."""

    def quality(run: Run) -> tuple[bool, float, float]:
        return run.solved, run.train_accuracy, -run.gap

    return max(runs, key=quality)
