"""One start of the gate search: the budgets, checkpoints and callbacks of the training loop around it."""

from __future__ import annotations

import time
from collections.abc import Callable

from boolearn.data import Dataset, InputKind
from boolearn.engine import native_available
from boolearn.errors import BoolearnError, DataError, NetworkError
from boolearn.model import BoolNet
from boolearn.problem import Problem
from boolearn.solver.callbacks import Callback, Tick
from boolearn.solver.gate_table import GateTable, weights_of
from boolearn.solver.loop import Budget
from boolearn.solver.run import Run
from boolearn.solver.status import Status
from boolearn.solver.trace import Checkpoint, checkpoint_iterations

_SECONDS_A_TICK = 0.1


def check_searchable(problem: Problem) -> None:
    """Refuse what is not a search for gates: analog or free inputs, shared weights, nothing compiled."""
    if problem.dataset.input_kind is not InputKind.BOOLEAN:
        raise DataError(f"solver='gates' needs Boolean inputs. Got {problem.dataset.input_kind.value} inputs instead.")
    if problem.network.tied:
        raise NetworkError("solver='gates' needs a network without shared weights.")
    if not native_available():
        raise BoolearnError("solver='gates' is compiled code, which was not built when boolearn was installed.")


def solve_gates(
    problem: Problem,
    test: Dataset | None,
    budget: Budget,
    seed: int,
    callback: Callback,
    give_up: Callable[[], bool],
    place: tuple[int, int] = (1, 1),
    *,
    noise: float = 0.0,
    threads: int = 1,
) -> Run:
    """Search until a circuit fits and is refined. An iteration is a sweep; the gap is the share of wrong bits."""
    from boolearn.solver.gate_search import GateSearch

    search = GateSearch(problem, seed, noise=noise, threads=threads)
    begun = time.perf_counter()
    bits = problem.targets.size
    trace: list[Checkpoint] = []
    marks = checkpoint_iterations(budget.checkpoint_ratio)
    mark = next(marks)
    last_tick = begun

    def look(iteration: int, errors: int) -> Checkpoint:
        model = model_of(problem, search.best)
        return Checkpoint(
            iteration=iteration,
            gap_w=0.0,
            gap_x=0.0,
            gap_y=errors / bits,
            gap=errors / bits,
            least_gap=search.least / bits,
            train_accuracy=model.accuracy(problem.dataset),
            test_accuracy=None if test is None else model.accuracy(test),
            seconds=time.perf_counter() - begun,
        )

    def tell(iteration: int, errors: int) -> None:
        callback.on_tick(
            Tick(
                restart=place[0],
                restarts=place[1],
                seed=seed,
                iteration=iteration,
                max_iter=budget.max_iter,
                max_seconds=budget.max_seconds,
                seconds=time.perf_counter() - begun,
                gap=errors / bits,
                least_gap=search.least / bits,
                last=trace[-1] if trace else None,
            )
        )

    # A circuit that fits stays one while it is refined, so running out of time there is no failure.
    status = Status.SOLVED
    try:
        for progress in search.rounds(refine=not budget.stop_at_fit):
            now = time.perf_counter()
            ended = budget.ended(progress.sweeps, now - begun, give_up)
            if ended is not None:
                status = Status.SOLVED if search.fits and ended is not Status.INTERRUPTED else ended
                break
            if progress.sweeps >= mark:
                trace.append(look(progress.sweeps, progress.errors))
                callback.on_checkpoint(trace[-1])
                while mark <= progress.sweeps:
                    mark = next(marks)
            if now - last_tick >= _SECONDS_A_TICK:
                last_tick = now
                tell(progress.sweeps, progress.errors)
    finally:
        search.close()
    last = look(search.sweeps, search.least)
    trace.append(last)
    callback.on_checkpoint(last)
    tell(search.sweeps, search.least)
    return Run(
        status=status,
        model=model_of(problem, search.best),
        iterations=search.sweeps,
        gap=last.gap,
        least_gap=last.least_gap,
        train_accuracy=last.train_accuracy,
        test_accuracy=last.test_accuracy,
        seconds=last.seconds,
        seed=seed,
        trace=tuple(trace),
        dataset=problem.dataset,
    )


def model_of(problem: Problem, table: GateTable) -> BoolNet:
    """The network whose every neuron is its gate."""
    dataset = problem.dataset
    return BoolNet(
        problem.network,
        weights_of(problem.network, table),
        classes=dataset.classes,
        input_names=dataset.input_names,
        output_names=dataset.output_names,
    )
