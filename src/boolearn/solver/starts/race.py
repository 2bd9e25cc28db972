"""Several starts, one after another or side by side; the result is the same."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from boolearn.solver.interrupt import Request
from boolearn.solver.run import Outcome, StartSummary
from boolearn.solver.starts import spread
from boolearn.solver.starts.pool import StartPool
from boolearn.solver.status import Status


class Ended:
    """How starts ended, and the outcome of the best; the others' are not kept in memory."""

    def __init__(self) -> None:
        self.summaries: list[StartSummary] = []
        self._best: Outcome | None = None

    def add(self, outcome: Outcome) -> None:
        self.summaries.append(outcome.summary())
        if self._best is None or quality(outcome) > quality(self._best):
            self._best = outcome

    @property
    def best(self) -> Outcome:
        assert self._best is not None
        return self._best


def run_starts(
    pool: StartPool, numbers: Sequence[int], add: Callable[[Outcome], None], limit: int | None = None
) -> None:
    """Run these starts and add their outcomes in this order: of all, or up to the first that is solved.

    Side by side, later starts are already running when an earlier one is solved; they are abandoned and left out, so
    the result does not depend on the number of workers.
    """
    if spread.wanted(pool, len(numbers)):
        spread.run_spread(pool, numbers, add, limit)
        return
    race = _Race(pool, len(numbers), add)

    def work() -> None:
        while (place := race.next_place()) is not None:
            try:
                race.finish(place, pool.run(numbers[place], race.judge_of(place), limit))
            except BaseException:
                race.failed = True
                raise

    workers = min(pool.workers, len(numbers))
    if workers == 1:
        work()
    else:
        with ThreadPoolExecutor(workers, thread_name_prefix="boolearn-start") as executor:
            for future in [executor.submit(work) for _ in range(workers)]:
                future.result()


class _Race:
    """Hands out places, and takes outcomes in the order of the places."""

    def __init__(self, pool: StartPool, places: int, add: Callable[[Outcome], None]) -> None:
        self.failed = False
        self._pool = pool
        self._add = add
        self._added = 0
        self._last = places - 1
        self._next = 0
        self._waiting: dict[int, Outcome] = {}
        self._lock = threading.Lock()

    def next_place(self) -> int | None:
        with self._lock:
            place = self._next
            # The first start is always made, so that there is something to return.
            if place > self._last or self.failed or (place > 0 and self._pool.stop_requested()):
                return None
            self._next += 1
            return place

    def judge_of(self, place: int) -> Callable[[], Request]:
        """Says when the start at this place should give up."""

        def judge() -> Request:
            return Request.STOP if self.failed or place > self._last else self._pool.stop_requested()

        return judge

    def finish(self, place: int, outcome: Outcome) -> None:
        with self._lock:
            self._waiting[place] = outcome
            if outcome.solved and not self._pool.restarts.all:
                self._last = min(self._last, place)
            while self._added in self._waiting and self._added <= self._last:
                self._add(self._waiting.pop(self._added))
                self._added += 1


def quality(outcome: Outcome) -> tuple[bool, float, bool, float]:
    """A solved start first, then the best training accuracy, then one that was not dropped on the way, then the
    smallest gap; the first of equals stays."""
    return outcome.solved, outcome.train_accuracy, outcome.status is not Status.DROPPED, -outcome.gap
