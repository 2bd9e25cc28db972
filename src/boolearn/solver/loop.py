"""The only loop. It knows budgets, checkpoints and callbacks, and no algorithm."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from boolearn.data import Dataset, InputKind
from boolearn.data.signs import Signs, signs_of
from boolearn.engine import Engine, Progress
from boolearn.model import BoolNet
from boolearn.problem import Problem
from boolearn.solver.callbacks import Callback, Tick
from boolearn.solver.run import Run
from boolearn.solver.status import Status
from boolearn.solver.trace import Checkpoint, checkpoint_iterations

_SECONDS_A_TICK = 0.1


@dataclass(frozen=True)
class Budget:
    """How one start is run and when it ends."""

    beta: float
    gamma: float
    gap_tol: float
    max_iter: int | None
    max_seconds: float | None
    checkpoint_ratio: float
    stop_at_fit: bool

    def ended(self, done: int, seconds: float, give_up: Callable[[], bool]) -> Status | None:
        """Why to stop without a solution, if it is time to."""
        if give_up():
            return Status.INTERRUPTED
        if self.max_iter is not None and done >= self.max_iter:
            return Status.BUDGET
        if self.max_seconds is not None and seconds >= self.max_seconds:
            return Status.TIME
        return None


def solve(
    problem: Problem,
    engine: Engine,
    test: Dataset | None,
    budget: Budget,
    seed: int,
    callback: Callback,
    give_up: Callable[[], bool],
    place: tuple[int, int] = (1, 1),
) -> Run:
    """Run one start to its end. ``place`` is its number among how many, for those who look on."""
    engine.begin(seed)
    watch = _Watch(problem, engine, test)
    marks = checkpoint_iterations(budget.checkpoint_ratio)
    mark = next(marks)
    begun = time.perf_counter()
    trace: list[Checkpoint] = []
    done, chunk, least = 0, 1, math.inf
    status: Status | None = None
    while status is None:
        limit = mark if budget.max_iter is None else min(mark, budget.max_iter)
        before = time.perf_counter()
        progress = engine.iterate(
            min(chunk, limit - done), beta=budget.beta, gamma=budget.gamma, stop_below=budget.gap_tol
        )
        now = time.perf_counter()
        done += progress.iterations
        least = min(least, progress.least_gap)
        # Chunks only decide how often we look up, never what is computed.
        chunk = max(1, min(4 * chunk, int(progress.iterations * _SECONDS_A_TICK / max(now - before, 1e-9))))

        status = _ended(progress, done, now - begun, budget, give_up)
        if status is not None or done >= mark:
            checkpoint = watch.look(done, progress, least, now - begun)
            trace.append(checkpoint)
            if status is None and budget.stop_at_fit and watch.fits:
                status = Status.FIT
            callback.on_checkpoint(checkpoint)
            while mark <= done:
                mark = next(marks)
        tick = Tick(
            restart=place[0],
            restarts=place[1],
            seed=seed,
            iteration=done,
            max_iter=budget.max_iter,
            max_seconds=budget.max_seconds,
            seconds=now - begun,
            gap=progress.gap,
            least_gap=least,
            last=trace[-1] if trace else None,
        )
        callback.on_tick(tick)

    last = trace[-1]
    model, codes, seen = watch.current if status.solved else watch.best
    return Run(
        status=status,
        model=model,
        iterations=done,
        gap=last.gap,
        least_gap=last.least_gap,
        train_accuracy=seen.train_accuracy,
        test_accuracy=seen.test_accuracy,
        seconds=last.seconds,
        seed=seed,
        trace=tuple(trace),
        dataset=watch.dataset(codes),
        codes=codes,
    )


def _ended(progress: Progress, done: int, seconds: float, budget: Budget, give_up: Callable[[], bool]) -> Status | None:
    if not math.isfinite(progress.gap):
        return Status.DIVERGED
    if progress.gap < budget.gap_tol:
        return Status.SOLVED
    return budget.ended(done, seconds, give_up)


class _Watch:
    """Measures accuracies at checkpoints and keeps the best weights seen."""

    def __init__(self, problem: Problem, engine: Engine, test: Dataset | None) -> None:
        self.problem = problem
        self.engine = engine
        self.test = test if test is not None and not test.input_kind.free else None
        self.fits = False
        self._best_accuracy = -1.0

    def look(self, iteration: int, progress: Progress, least_gap: float, seconds: float) -> Checkpoint:
        codes = signs_of(self.engine.input_values()) if self.problem.dataset.input_kind.free else None
        dataset = self.dataset(codes)
        weights = self.engine.weights()
        finite = bool(np.isfinite(weights).all())
        model = self.model(weights if finite else np.zeros_like(weights))
        train = model.accuracy(dataset)
        self.fits = finite and train == 1.0
        checkpoint = Checkpoint(
            iteration=iteration,
            gap_w=progress.gap_w,
            gap_x=progress.gap_x,
            gap_y=progress.gap_y,
            gap=progress.gap,
            least_gap=least_gap,
            train_accuracy=train,
            test_accuracy=None if self.test is None else model.accuracy(self.test),
            seconds=seconds,
        )
        self.current = (model, codes, checkpoint)
        # Later weights are crisper, so among equals the last is kept.
        if self._best_accuracy < 0 or (finite and train >= self._best_accuracy):
            self._best_accuracy = train
            self.best = self.current
        return checkpoint

    def dataset(self, codes: Signs | None) -> Dataset:
        """The training items; where inputs are free, with these codes as inputs."""
        dataset = self.problem.dataset
        return dataset if codes is None else replace(dataset, inputs=codes, input_kind=InputKind.BOOLEAN)

    def model(self, weights: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> BoolNet:
        dataset = self.problem.dataset
        kind = dataset.input_kind if not dataset.input_kind.free else InputKind.BOOLEAN
        return BoolNet(
            self.problem.network,
            weights,
            input_kind=kind,
            classes=dataset.classes,
            input_names=dataset.input_names,
            output_names=dataset.output_names,
        )
