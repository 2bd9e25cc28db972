"""The starts of a run, each by its number: begun, or taken up where they were left."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from boolearn.solver.attempt import Attempt, Budget, Keeper, State
from boolearn.solver.callbacks import Callback
from boolearn.solver.run import Run
from boolearn.solver.search import Search
from boolearn.solver.store import Store
from boolearn.solver.watch import Watch


class Searches:
    """One search for every thread that works on starts; a search is used for one start after another."""

    def __init__(self, make: Callable[[], Search]) -> None:
        self._make = make
        self._mine = threading.local()
        self._all: list[Search] = []

    def mine(self) -> Search:
        if not hasattr(self._mine, "search"):
            self._mine.search = self._make()
            self._all.append(self._mine.search)
        search: Search = self._mine.search
        return search

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
        return self._go_on(number, self.budget, give_up)

    def solve_up_to(self, number: int, limit: int, give_up: Callable[[], bool]) -> Run:
        return self._go_on(number, replace(self.budget, max_iter=limit), give_up)

    def _go_on(self, number: int, budget: Budget, give_up: Callable[[], bool]) -> Run:
        attempt = Attempt(self.searches.mine(), self.watch, self.seed + number, (number + 1, self.restarts))
        keeper: Keeper | None = None
        state = self.laid_aside.pop(number, None)
        if self.store is not None:
            keeper = self.store.keeper(number, extendable=self.restarts == 1 or self.halved)
            state = state or self.store.load(number)
        if self.halved:
            keeper = _LayAside(self.laid_aside, number, keeper)
        if state is None:
            attempt.begin()
        else:
            attempt.resume(state)
        attempt.go_on(budget, self.callback, give_up, keeper)
        return attempt.run()


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
