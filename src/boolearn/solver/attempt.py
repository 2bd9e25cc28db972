"""One start, from its first iteration to its end. The only loop: it knows budgets, checkpoints and no algorithm."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Protocol

from boolearn.engine import Progress, Snapshot
from boolearn.solver.callbacks import Callback, Tick
from boolearn.solver.run import Run
from boolearn.solver.search import Search
from boolearn.solver.status import Status
from boolearn.solver.stopping import StopRule, checked_verdict
from boolearn.solver.trace import DEFAULT_RATIO, Checkpoint, checkpoint_iterations
from boolearn.solver.watch import Seen, Watch, better

_SECONDS_A_TICK = 0.1
_NOTHING_YET = Progress(0, math.inf, math.inf, math.inf, math.inf, math.inf)


@dataclass(frozen=True)
class Budget:
    """When a start ends without a solution, and how often it is looked at."""

    max_iter: int | None = None
    max_seconds: float | None = None
    checkpoint_ratio: float = DEFAULT_RATIO
    stop: tuple[StopRule, ...] = ()
    rung: bool = False
    """The start is compared with others at the end of ``max_iter``, so there it is looked at in any case."""

    def ended(self, done: int, seconds: float) -> Status | None:
        if self.max_iter is not None and done >= self.max_iter:
            return Status.BUDGET
        if self.max_seconds is not None and seconds >= self.max_seconds:
            return Status.TIME
        return None


@dataclass(frozen=True)
class State:
    """Where a start stands; all that is needed to go on."""

    seed: int
    status: Status | None
    """None while it is under way."""
    seconds: float
    progress: Progress
    """The gaps of the last iteration, and how many iterations were done in all."""
    trace: tuple[Checkpoint, ...]
    best: Seen | None
    search: Snapshot
    """Empty when the start has ended for good."""
    max_iter: int | None = None
    """The budget it was under way with."""

    def passed(self, limit: int) -> bool:
        """Has it gone on, with a larger budget, from where it was looked at after so many iterations?"""
        further = self.max_iter is not None and self.max_iter > limit
        return further and self.best is not None and any(line.iteration >= limit for line in self.trace)

    def cut_short(self, budget: Budget) -> bool:
        """Did it end for want of a budget it would now have, with no state to go on from? Then it begins anew."""
        used_up = self.status in (Status.BUDGET, Status.TIME)
        return used_up and not self.search and budget.ended(self.progress.iterations, self.seconds) is None


class Keeper(Protocol):
    """Keeps states of a start, on disk for example."""

    @property
    def extendable(self) -> bool:
        """Is a start that used up its budget to be kept so that it can go on with a larger one?"""

    def due(self) -> bool: ...
    def keep(self, state: State) -> None: ...


class Attempt:
    """A start that can be laid aside and taken up again."""

    def __init__(self, search: Search, watch: Watch, seed: int, place: tuple[int, int] = (1, 1)) -> None:
        """``place`` is its number among how many, for those who look on."""
        self.search = search
        self.watch = watch
        self.seed = seed
        self.place = place
        self.status: Status | None = None
        self.seconds = 0.0
        self.progress = _NOTHING_YET
        self.trace: list[Checkpoint] = []
        self.best: Seen | None = None
        self.over = False
        """There is nothing more to do, whatever the budget."""
        self._current: Seen | None = None
        self._max_iter: int | None = None

    def begin(self) -> None:
        self.search.begin(self.seed)

    def resume(self, state: State) -> None:
        self.status, self.seconds, self.progress = state.status, state.seconds, state.progress
        self.trace, self.best = list(state.trace), state.best
        self.over = not state.search
        if not self.over:
            self.search.begin(self.seed)
            self.search.restore(state.search)

    def state(self) -> State:
        return State(
            seed=self.seed,
            status=self.status,
            seconds=self.seconds,
            progress=self.progress,
            trace=tuple(self.trace),
            best=self.best,
            search={} if self.over else self.search.snapshot(),
            max_iter=self._max_iter,
        )

    def go_on(
        self, budget: Budget, callback: Callback, give_up: Callable[[], bool], keeper: Keeper | None = None
    ) -> Status:
        """Search until solved or until the budget is used up."""
        marks = checkpoint_iterations(budget.checkpoint_ratio)
        mark = next(mark for mark in marks if mark > self.progress.iterations)
        begun = time.perf_counter() - self.seconds
        chunk = 1
        if self.over:
            assert self.status is not None
            return self.status
        self._max_iter = budget.max_iter
        self.status = self._ended(budget, give_up)
        while self.status is None:
            done = self.progress.iterations
            limit = mark if budget.max_iter is None else min(mark, budget.max_iter)
            before = time.perf_counter()
            progress = self.search.advance(min(chunk, limit - done))
            now = time.perf_counter()
            self.seconds = now - begun
            # Chunks only decide how often we look up, never what is computed.
            chunk = max(1, min(4 * chunk, int(progress.iterations * _SECONDS_A_TICK / max(now - before, 1e-9))))
            done += progress.iterations
            least = min(self.progress.least_gap, progress.least_gap)
            self.progress = progress._replace(iterations=done, least_gap=least)
            self.status = self.search.status
            if self.status is None and done >= mark:
                self._look(callback, budget)
                self.status = self._stopped(budget)
                while mark <= done:
                    mark = next(marks)
            if self.status is None:
                self.status = self._ended(budget, give_up)
            if self.status is None:
                if keeper is not None and keeper.due():
                    keeper.keep(self.state())
                callback.on_tick(self._tick(budget))
        self._end(self.status, budget, callback, keeper)
        return self.status

    def _end(self, status: Status, budget: Budget, callback: Callback, keeper: Keeper | None) -> None:
        used_up = status in (Status.BUDGET, Status.TIME)
        self.over = status.final or (used_up and keeper is not None and not keeper.extendable)
        looks_anyway = self.over or (budget.rung and status is Status.BUDGET)
        if keeper is not None and not looks_anyway:
            # Before the last look, which a start that goes on later would not have made here.
            keeper.keep(self.state())
        if not self.trace or self.trace[-1].iteration < self.progress.iterations:
            self._look(callback, budget)
        if status.solved and self._current is not None:
            self.best = self._current
        if keeper is not None and looks_anyway:
            keeper.keep(self.state())
        callback.on_tick(self._tick(budget))

    def run(self) -> Run:
        """What came out; for a start that is not solved, the best seen."""
        assert self.status is not None
        assert self.best is not None
        seen = self.best
        train_accuracy, test_accuracy = self.watch.accuracies(seen)
        return Run(
            status=self.status,
            model=self.watch.model(seen.weights),
            iterations=self.progress.iterations,
            gap=self.progress.gap,
            least_gap=self.progress.least_gap,
            train_accuracy=train_accuracy,
            test_accuracy=test_accuracy,
            seconds=self.seconds,
            seed=self.seed,
            trace=tuple(self.trace),
            dataset=self.watch.dataset(seen.codes),
            codes=seen.codes,
            doubted_inputs=seen.doubted_inputs,
        )

    def _ended(self, budget: Budget, give_up: Callable[[], bool]) -> Status | None:
        if give_up():
            return Status.INTERRUPTED
        ended = budget.ended(self.progress.iterations, self.seconds)
        return Status.SOLVED if ended is not None and self.search.fits else ended

    def _stopped(self, budget: Budget) -> Status | None:
        for rule in budget.stop:
            # The trace may hold accuracies of some items only; what ends a run is asked of all.
            if rule(self.trace) and (status := rule([*self.trace[:-1], self._whole_line()])):
                verdict = checked_verdict(rule, status)
                return Status.SOLVED if verdict is Status.STAGNATED and self.search.fits else verdict
        return None

    def _whole_line(self) -> Checkpoint:
        assert self._current is not None
        train, test = self.watch.accuracies(self._current)
        return replace(self._current.line, train_accuracy=train, test_accuracy=test)

    def _look(self, callback: Callback, budget: Budget) -> None:
        progress = self.progress
        seen = self.watch.look(self.search, progress.iterations, progress, progress.least_gap, self.seconds)
        self._current = seen
        self.trace.append(seen.line)
        if better(seen, self.best):
            self.best = seen
        callback.on_checkpoint(self._tick(budget))

    def _tick(self, budget: Budget) -> Tick:
        return Tick(
            restart=self.place[0],
            restarts=self.place[1],
            seed=self.seed,
            iteration=self.progress.iterations,
            max_iter=budget.max_iter,
            max_seconds=budget.max_seconds,
            seconds=self.seconds,
            gap=self.progress.gap,
            least_gap=self.progress.least_gap,
            last=self.trace[-1] if self.trace else None,
        )


def run_at(watch: Watch, state: State, limit: int) -> Run:
    """How a start that has gone further had stood at the end of a budget, after ``limit`` iterations or just above."""
    assert state.best is not None
    end = next(k for k, line in enumerate(state.trace) if line.iteration >= limit)
    lines = state.trace[: end + 1]
    last = lines[-1]
    best = max(enumerate(lines), key=lambda pair: (pair[1].train_accuracy, pair[0]))[1]
    return Run(
        status=Status.BUDGET,
        model=watch.model(state.best.weights),
        iterations=last.iteration,
        gap=last.gap,
        least_gap=last.least_gap,
        train_accuracy=best.train_accuracy,
        test_accuracy=best.test_accuracy,
        seconds=last.seconds,
        seed=state.seed,
        trace=lines,
        dataset=watch.dataset(state.best.codes),
        codes=state.best.codes,
        doubted_inputs=state.best.doubted_inputs,
    )
