"""Several starts, one after another or side by side; what comes out is the same."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from boolearn.engine import EngineName, native_available
from boolearn.problem import Problem
from boolearn.solver.run import Run, Start

SolveStart = Callable[[int, Callable[[], bool]], Run]
"""Runs the start of a number; the function it is given tells when to give up."""


_SMALL = 200_000
"""Edges times items below which a start is better off with one core of its own."""


def starts_at_a_time(problem: Problem, engine: EngineName, cores: int, restarts: int, side_by_side: bool | None) -> int:
    """How many starts run at the same time. Small problems gain nothing from several threads each."""
    if restarts == 1 or side_by_side is False or engine == "reference" or not native_available():
        return 1
    variables = problem.network.n_edges * problem.n_items
    if side_by_side is None and variables > _SMALL:
        return 1
    return min(restarts, cores)


def run_starts(
    restarts: int,
    workers: int,
    solve_start: SolveStart,
    interrupted: Callable[[], bool],
    on_run_end: Callable[[Run], None],
    all_restarts: bool,
) -> tuple[Run, list[Start]]:
    """The best run of starts 0, 1, …, and how each ended: all of them, or up to the first that is solved.

    Side by side, later starts are under way when an earlier one is solved; they are given up and
    left out, so the outcome does not depend on the number of workers.
    """
    race = _Race(restarts, all_restarts, interrupted, on_run_end)

    def work() -> None:
        while (number := race.next_start()) is not None:
            give_up = race.judge_of(number)
            try:
                race.finish(number, solve_start(number, give_up))
            except BaseException:
                race.failed = True
                raise

    if workers == 1:
        work()
    else:
        with ThreadPoolExecutor(workers, thread_name_prefix="boolearn-start") as pool:
            for future in [pool.submit(work) for _ in range(workers)]:
                future.result()
    assert race.best is not None
    return race.best, race.starts


class _Race:
    """Hands out starts, and takes finished runs in the order of their starts."""

    def __init__(
        self,
        restarts: int,
        all_restarts: bool,
        interrupted: Callable[[], bool],
        on_run_end: Callable[[Run], None],
    ) -> None:
        self.best: Run | None = None
        self.starts: list[Start] = []
        self.failed = False
        self._all = all_restarts
        self._interrupted = interrupted
        self._on_run_end = on_run_end
        self._last = restarts - 1
        self._next = 0
        self._waiting: dict[int, Run] = {}
        self._lock = threading.Lock()

    def next_start(self) -> int | None:
        with self._lock:
            number = self._next
            # The first start is always made, so that there is something to return.
            if number > self._last or self.failed or (number > 0 and self._interrupted()):
                return None
            self._next += 1
            return number

    def judge_of(self, number: int) -> Callable[[], bool]:
        return lambda: self.failed or number > self._last or self._interrupted()

    def finish(self, number: int, run: Run) -> None:
        with self._lock:
            self._waiting[number] = run
            if run.solved and not self._all:
                self._last = min(self._last, number)
            while len(self.starts) in self._waiting and len(self.starts) <= self._last:
                finished = self._waiting.pop(len(self.starts))
                self.starts.append(finished.start())
                if self.best is None or quality(finished) > quality(self.best):
                    self.best = finished
                self._on_run_end(finished)


def quality(run: Run) -> tuple[bool, float, float]:
    """A solved run first, then the best training accuracy, then the least gap; the first of equals stays."""
    return run.solved, run.train_accuracy, -run.gap
