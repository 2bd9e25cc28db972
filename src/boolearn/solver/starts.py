"""The starts of a run, each by its number: begun, or taken up where they were left."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from boolearn.engine import Snapshot
from boolearn.errors import BoolearnError, DataError, FileError
from boolearn.solver.attempt import Attempt, Budget, Keeper, State, run_at
from boolearn.solver.callbacks import Callback
from boolearn.solver.run import Run
from boolearn.solver.search import Search
from boolearn.solver.store import Store
from boolearn.solver.watch import Watch


class Searches:
    """As many searches as starts run side by side; a search is used for one start after another."""

    def __init__(self, make: Callable[[], Search]) -> None:
        self._make = make
        self._lock = threading.Lock()
        self._idle: list[Search] = []
        self._all: list[Search] = []

    @contextmanager
    def lent(self) -> Iterator[Search]:
        with self._lock:
            search = self._idle.pop() if self._idle else None
        if search is None:
            search = self._make()
            self._all.append(search)
        try:
            yield search
        finally:
            with self._lock:
                self._idle.append(search)

    def close(self) -> None:
        for search in self._all:
            search.close()


@dataclass
class Starts:
    """What all starts have in common."""

    searches: Searches
    watch: Watch
    budget: Budget
    seed: int
    restarts: int
    callback: Callback
    store: Store | None
    halved: bool
    """Starts go on from rung to rung, so the last state of each is needed again."""
    laid_aside: dict[int, State] = field(default_factory=dict)

    def solve(self, number: int, give_up: Callable[[], bool]) -> Run:
        return self._go_on(number, self.budget, self._last_state(number), give_up)

    def solve_up_to(self, number: int, limit: int, give_up: Callable[[], bool]) -> Run:
        state = self._last_state(number)
        if state is not None and state.passed(limit):
            # Resumed on a later rung: what counts here is how it stood at the end of this one.
            return run_at(self.watch, state, limit)
        return self._go_on(number, replace(self.budget, max_iter=limit, rung=True), state, give_up)

    def forget(self, number: int) -> None:
        """A start that does not go on needs no state."""
        self.laid_aside.pop(number, None)

    def _last_state(self, number: int) -> State | None:
        if number in self.laid_aside or self.store is None:
            return self.laid_aside.get(number)
        return self.store.load(number, self.seed + number)

    def _go_on(self, number: int, budget: Budget, state: State | None, give_up: Callable[[], bool]) -> Run:
        keeper: Keeper | None = None
        if self.store is not None:
            keeper = self.store.keeper(number, extendable=self.restarts == 1 or self.halved)
        if self.halved:
            keeper = _LayAside(self.laid_aside, number, keeper)
        with self.searches.lent() as search:
            attempt = Attempt(search, self.watch, self.seed + number, (number + 1, self.restarts))
            if state is None or state.cut_short(budget):
                attempt.begin()
            else:
                self._resume(attempt, number, state)
            attempt.go_on(budget, self.callback, give_up, keeper)
            return attempt.run()

    def _resume(self, attempt: Attempt, number: int, state: State) -> None:
        if number in self.laid_aside or self.store is None:
            attempt.resume(state)
            return
        try:
            if state.best is not None:
                self.watch.check(state.best)
            if state.search:
                attempt.begin()
                check_alike(state.search, attempt.search.snapshot())
            attempt.resume(state)
        except (BoolearnError, ValueError) as error:
            raise FileError(self.store.path(number), None, f"is no state of this run: {error}") from error


def check_alike(snapshot: Snapshot, own: Snapshot) -> None:
    """Refuse a snapshot whose arrays are not those that a search of this problem has."""
    for name in sorted({*snapshot, *own}):
        theirs, mine = (f"{a[name].dtype} {a[name].shape}" if name in a else "nothing" for a in (snapshot, own))
        if theirs != mine:
            raise DataError(f"{name!r} must be {mine}. Got {theirs} instead.")


class _LayAside:
    """Keeps the last state of a start in memory, for the next rung."""

    extendable = True

    def __init__(self, laid_aside: dict[int, State], number: int, file: Keeper | None) -> None:
        self._laid_aside = laid_aside
        self._number = number
        self._file = file

    def due(self) -> bool:
        return self._file is not None and self._file.due()

    def keep(self, state: State) -> None:
        self._laid_aside[self._number] = state
        if self._file is not None:
            self._file.keep(state)
