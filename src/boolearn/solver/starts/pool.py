"""All starts of a run, each by its number: begun, or resumed from its checkpoint."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from boolearn.errors import BoolearnError
from boolearn.problem import Problem
from boolearn.ranks import ALONE, Ranks
from boolearn.solver.contract import Search, Solver
from boolearn.solver.interrupt import Request
from boolearn.solver.run import Outcome
from boolearn.solver.starts.budget import Budget
from boolearn.solver.starts.checkpoint import Checkpoint, Keeper, Keepers
from boolearn.solver.starts.measure import Measure
from boolearn.solver.starts.restarts import Restarts
from boolearn.solver.starts.start import Start, outcome_at
from boolearn.solver.watching.callbacks import Callback


@dataclass
class StartPool:
    """What all starts of a run have in common, and the searches they share."""

    solver: Solver
    problem: Problem
    measure: Measure
    budget: Budget
    restarts: Restarts
    seed: int
    callback: Callback
    stop_requested: Callable[[], Request]
    """Does the user, or whoever limits the time, want an end?"""
    keepers: Keepers | None = None
    cores: int = 1
    threads: int | None = None
    """For one start that has all the cores; None for as many as are worth it."""
    ranks: Ranks = ALONE
    cpu_seconds_elsewhere: float = 0.0
    """Of starts that ran in other processes."""
    _checkpoints: dict[int, Checkpoint] = field(default_factory=dict)
    """With halving: where the starts stand that may continue."""
    _idle: list[Search] = field(default_factory=list)
    _searches: list[Search] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def workers(self) -> int:
        together = self.ranks.size > 1  # on one start after another
        return 1 if together else self.restarts.workers(self.solver, self.problem, self.cores)

    def run(self, number: int, give_up: Callable[[], Request], limit: int | None = None) -> Outcome:
        """Run a start to its end or, with a ``limit``, up to that many iterations."""
        checkpoint = self.last_checkpoint(number)
        if limit is None:
            most = self.restarts.limit(number, self.problem.network.n_edges, self.budget.max_iter)
            return self._run(number, replace(self.budget, max_iter=most), checkpoint, give_up)
        if checkpoint is not None and checkpoint.passed(limit):
            # Resumed on a later rung: what counts here is how it stood at the end of this one.
            return outcome_at(self.measure, checkpoint, limit)
        return self._run(number, replace(self.budget, max_iter=limit, rung=True), checkpoint, give_up)

    def keep(self, number: int, checkpoint: Checkpoint) -> None:
        """Where a start stands that ran elsewhere."""
        keeper = self._keeper(number)
        if keeper is not None:
            keeper.keep(checkpoint)

    def forget(self, number: int) -> None:
        """A start that is abandoned needs no checkpoint."""
        self._checkpoints.pop(number, None)

    def close(self) -> None:
        for search in self._searches:
            search.close()

    def _run(
        self, number: int, budget: Budget, checkpoint: Checkpoint | None, give_up: Callable[[], Request]
    ) -> Outcome:
        keeper = self._keeper(number)
        with self._search() as search:
            start = Start(search, self.measure, self.seed + number, (number + 1, self.restarts.count), self.ranks)
            if checkpoint is None or checkpoint.cut_short(budget):
                start.begin()
            else:
                self._resume(start, number, checkpoint)
            start.run(budget, self.callback, give_up, keeper)
            return start.outcome()

    def _keeper(self, number: int) -> Keeper | None:
        halving = self.restarts.halving is not None
        keeper: Keeper | None = None
        if self.keepers is not None:
            keeper = self.keepers.keeper(number, extendable=self.restarts.count == 1 or halving)
        return _InMemory(self._checkpoints, number, keeper) if halving else keeper

    @contextmanager
    def _search(self) -> Iterator[Search]:
        """A search of one's own: as many are made as starts run side by side, and used for one after another."""
        with self._lock:
            search = self._idle.pop() if self._idle else None
        if search is None:
            threads = 1 if self.workers > 1 else self.threads
            until_fit = self.budget.until_fit
            search = self.solver.search(self.problem, threads=threads, until_fit=until_fit, ranks=self.ranks)
            self._searches.append(search)
        try:
            yield search
        finally:
            with self._lock:
                self._idle.append(search)

    def last_checkpoint(self, number: int) -> Checkpoint | None:
        if number in self._checkpoints or self.keepers is None:
            return self._checkpoints.get(number)
        return self.keepers.load(number, self.seed + number)

    def _resume(self, start: Start, number: int, checkpoint: Checkpoint) -> None:
        if number in self._checkpoints or self.keepers is None:
            start.resume(checkpoint)
            return
        try:
            with self.ranks.together():
                if checkpoint.best is not None:
                    self.measure.check(checkpoint.best)
            start.resume(checkpoint, check=True)
        except (BoolearnError, ValueError) as error:
            raise self.keepers.refuse(number, error) from error


class _InMemory:
    """Keeps the last checkpoint of a start in memory, for the next rung of halving."""

    extendable = True

    def __init__(self, checkpoints: dict[int, Checkpoint], number: int, file: Keeper | None) -> None:
        self._checkpoints = checkpoints
        self._number = number
        self._file = file

    def due(self) -> bool:
        return self._file is not None and self._file.due()

    def keep(self, checkpoint: Checkpoint) -> None:
        self._checkpoints[self._number] = checkpoint
        if self._file is not None:
            self._file.keep(checkpoint)
