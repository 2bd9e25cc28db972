"""One start, from its first iteration to its end. The only loop: it knows budgets and checkpoints, and no algorithm."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace

from boolearn.engine import Progress
from boolearn.ranks import ALONE, Ranks
from boolearn.solver.contract import Search
from boolearn.solver.interrupt import Request
from boolearn.solver.run import Outcome
from boolearn.solver.starts.budget import Budget
from boolearn.solver.starts.checkpoint import Checkpoint, Keeper, check_alike
from boolearn.solver.starts.measure import Measure, Measured, better
from boolearn.solver.status import Status
from boolearn.solver.stopping import checked_verdict
from boolearn.solver.trace import TraceLine, trace_iterations
from boolearn.solver.watching.callbacks import Callback, Tick

_SECONDS_A_TICK = 0.1
_NOTHING_YET = Progress(0, math.inf, math.inf, math.inf, math.inf, math.inf)


class Start:
    """A random start that can be stopped and resumed."""

    def __init__(
        self,
        search: Search,
        measure: Measure,
        seed: int,
        place: tuple[int, int] = (1, 1),
        ranks: Ranks = ALONE,
    ) -> None:
        """``place`` is its number among how many, for callbacks."""
        self.search = search
        self.measure = measure
        self.ranks = ranks
        self.seed = seed
        self.place = place
        self.status: Status | None = None
        self.seconds = 0.0
        self.progress = _NOTHING_YET
        self.trace: list[TraceLine] = []
        self.best: Measured | None = None
        self.over = False
        """There is nothing more to do, whatever the budget."""
        self._current: Measured | None = None
        self._max_iter: int | None = None

    def begin(self) -> None:
        self.search.begin(self.seed)

    def resume(self, checkpoint: Checkpoint, *, check: bool = False) -> None:
        """Continue from a checkpoint; one that comes from a file is to be checked."""
        self.status, self.seconds, self.progress = checkpoint.status, checkpoint.seconds, checkpoint.progress
        self.trace, self.best = list(checkpoint.trace), checkpoint.best
        self.over = not checkpoint.search
        if not self.over:
            self.search.begin(self.seed)
            if check:
                own = self.search.snapshot()
                with self.ranks.together():
                    check_alike(checkpoint.search, own)
            self.search.restore(checkpoint.search)

    def checkpoint(self) -> Checkpoint:
        return Checkpoint(
            seed=self.seed,
            status=self.status,
            seconds=self.seconds,
            progress=self.progress,
            trace=tuple(self.trace),
            best=self.best,
            search={} if self.over else self.search.snapshot(),
            max_iter=self._max_iter,
        )

    def run(
        self, budget: Budget, callback: Callback, give_up: Callable[[], Request], keeper: Keeper | None = None
    ) -> Status:
        """Search until solved, or until the budget is used up."""
        if self.over:
            assert self.status is not None
            return self.status
        marks = trace_iterations(budget.trace_ratio)
        mark = next(mark for mark in marks if mark > self.progress.iterations)
        begun = self._now() - self.seconds
        chunk = 1
        self._max_iter = budget.max_iter
        self.status = self._ended(budget, give_up)
        while self.status is None:
            done = self.progress.iterations
            limit = mark if budget.max_iter is None else min(mark, budget.max_iter)
            before = self._now()
            progress = self.search.advance(min(chunk, limit - done))
            now = self._now()
            self.seconds = now - begun
            # Chunks only decide how often the loop looks around, never what is computed.
            chunk = max(1, min(4 * chunk, int(progress.iterations * _SECONDS_A_TICK / max(now - before, 1e-9))))
            done += progress.iterations
            least = min(self.progress.least_gap, progress.least_gap)
            self.progress = progress._replace(iterations=done, least_gap=least)
            self.status = self.search.status
            if self.status is None and done >= mark:
                self._take_line(callback, budget)
                self.status = self.ranks.agreed(self._stopped(budget))
                while mark <= done:
                    mark = next(marks)
            if self.status is None:
                self.status = self._ended(budget, give_up)
            if self.status is None:
                if keeper is not None and keeper.due():
                    keeper.keep(self.checkpoint())
                if callback:
                    callback.on_tick(self._tick(budget))
        self._end(self.status, budget, callback, keeper)
        return self.status

    def _end(self, status: Status, budget: Budget, callback: Callback, keeper: Keeper | None) -> None:
        used_up = status is Status.BUDGET and keeper is not None and not keeper.extendable
        self.over = status.final or used_up
        measured_anyway = self.over or (budget.rung and status is Status.BUDGET)
        if keeper is not None and not measured_anyway:
            # Before the last trace line, which a start that is resumed would not have taken here.
            keeper.keep(self.checkpoint())
        if not self.trace or self.trace[-1].iteration < self.progress.iterations:
            self._take_line(callback, budget)
        if status.solved and self._current is not None:
            self.best = self._current
        if keeper is not None and measured_anyway:
            keeper.keep(self.checkpoint())
        if callback:
            callback.on_tick(self._tick(budget))

    def outcome(self) -> Outcome:
        """What came out; for a start that is not solved, the best seen."""
        assert self.status is not None
        assert self.best is not None
        best = self.best
        train_accuracy, test_accuracy = self.measure.accuracies(best)
        return Outcome(
            status=self.status,
            model=self.measure.model(best.weights),
            iterations=self.progress.iterations,
            gap=self.progress.gap,
            least_gap=self.progress.least_gap,
            train_accuracy=train_accuracy,
            test_accuracy=test_accuracy,
            seconds=self.seconds,
            seed=self.seed,
            trace=tuple(self.trace),
            dataset=self.measure.dataset(best.codes),
            codes=best.codes,
            doubted_inputs=best.doubted_inputs,
        )

    def _now(self) -> float:
        """One clock for all ranks, so that they decide the same."""
        return self.ranks.agreed(time.perf_counter())

    def _ended(self, budget: Budget, give_up: Callable[[], Request]) -> Status | None:
        """A search that fits and is only improving is solved, unless it is to be resumed later."""
        request = give_up()
        ended = Status.INTERRUPTED if request else budget.ended(self.progress.iterations, self.seconds)
        if ended is not None and self.search.fits and request is not Request.STOP:
            return Status.SOLVED
        return ended

    def _stopped(self, budget: Budget) -> Status | None:
        for rule in budget.stop:
            # The trace may hold accuracies of some items only; what ends a start is judged on all.
            if rule(self.trace) and (status := rule([*self.trace[:-1], self._whole_line()])):
                verdict = checked_verdict(rule, status)
                return Status.SOLVED if verdict is Status.STAGNATED and self.search.fits else verdict
        return None

    def _whole_line(self) -> TraceLine:
        assert self._current is not None
        train, test = self.measure.accuracies(self._current)
        return replace(self._current.line, train_accuracy=train, test_accuracy=test)

    def _take_line(self, callback: Callback, budget: Budget) -> None:
        measured = self.measure.take(self.search, self.progress, self.seconds)
        self._current = measured
        self.trace.append(measured.line)
        if better(measured, self.best):
            self.best = measured
        if callback:
            callback.on_trace(self._tick(budget))

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
            fits=self.search.fits,
            stage=self.search.stage,
        )


def outcome_at(measure: Measure, checkpoint: Checkpoint, limit: int) -> Outcome:
    """What a start that has continued since had found at the end of a budget of ``limit`` iterations."""
    assert checkpoint.best is not None
    end = next(k for k, line in enumerate(checkpoint.trace) if line.iteration >= limit)
    lines = checkpoint.trace[: end + 1]
    last = lines[-1]
    best = max(enumerate(lines), key=lambda pair: (pair[1].train_accuracy, pair[0]))[1]
    return Outcome(
        status=Status.BUDGET,
        model=measure.model(checkpoint.best.weights),
        iterations=last.iteration,
        gap=last.gap,
        least_gap=last.least_gap,
        train_accuracy=best.train_accuracy,
        test_accuracy=best.test_accuracy,
        seconds=last.seconds,
        seed=checkpoint.seed,
        trace=lines,
        dataset=measure.dataset(checkpoint.best.codes),
        codes=checkpoint.best.codes,
        doubted_inputs=checkpoint.best.doubted_inputs,
    )
