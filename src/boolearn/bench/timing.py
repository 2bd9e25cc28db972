"""How long one iteration takes on the problems of the paper, and how long it takes others."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from boolearn.baselines.gradient import GradientNetwork
from boolearn.bench.clock import best_in_turns, seconds_of_iteration, seconds_of_one, seconds_of_pass
from boolearn.bench.problems import TimedProblem, timed_problems
from boolearn.bench.toolkit import ToolkitTimer, check_program
from boolearn.checks import checked_integer
from boolearn.cores import available_cores, check_threads
from boolearn.engine import Precision, ReferenceEngine, check_engine
from boolearn.errors import ParameterError
from boolearn.problem import Problem

KEY = ("problem", "precision")
"""The fields of a Timing that say what was timed."""

_BYTES = {"half": 2, "single": 4, "double": 8}
"""Of s or d of an edge and an item."""


@dataclass(frozen=True)
class Settings:
    """What to time. Nothing is timed before everything is known to be possible."""

    original: Path | None = None
    """The C toolkit's train program."""
    reference: bool = False
    adamw: bool = False
    only: str = ""
    """Only problems whose name contains this."""
    precision: Precision = "single"
    threads: int | None = None
    """Instead of each problem's own."""
    rounds: int = 5

    def __post_init__(self) -> None:
        check_engine("native", self.precision)
        check_threads(self.threads)
        checked_integer("rounds", self.rounds, 1)
        names = [task.name for task in timed_problems()]
        if not any(self.only in name for name in names):
            raise ParameterError("only", f"a part of one of the problems' names, {'; '.join(names)}", self.only)
        if self.original is not None:
            check_program(self.original)


@dataclass(frozen=True)
class Timing:
    """A row of the record. Seconds are those of one iteration (AdamW: one step), the best of several rounds."""

    problem: str
    precision: Precision
    edges: int
    items: int
    threads: int
    seconds: float
    nanoseconds: float
    """Per edge and item."""
    pass_seconds: float
    """Of a read-write pass over as much memory as the variables take, on as many threads."""
    share_of_limit: float
    """The time of that pass as a share of the iteration's."""
    bytes_per_variable: float
    original_seconds: float | None
    reference_seconds: float | None
    adamw_seconds: float | None


def run_benchmark(settings: Settings) -> Iterator[Timing]:
    """Time every problem that is wanted."""
    for task in timed_problems():
        if settings.only in task.name:
            yield _timed(task, settings)


def _timed(task: TimedProblem, settings: Settings) -> Timing:
    from boolearn.engine.native import NativeEngine  # it may not have been compiled; the settings were checked for it

    problem = Problem(task.network, task.dataset, task.sigma)
    variables = task.network.n_edges * problem.n_items
    wanted = task.threads if settings.threads is None else settings.threads
    engine = NativeEngine(problem, precision=settings.precision, threads=wanted)

    def repetitions(work: float, least: int) -> int:
        return max(least, int(work / variables))

    size = 2 * _BYTES[settings.precision] * variables
    contestants: dict[str, Callable[[], float]] = {
        "native": lambda: seconds_of_iteration(engine, min(100_000, repetitions(1e9, 3))),
        "pass": lambda: seconds_of_pass(size, engine.threads),
    }
    if settings.reference:
        slow = ReferenceEngine(problem)
        contestants["reference"] = lambda: seconds_of_iteration(slow, repetitions(2e6, 2))
    if settings.adamw:
        steps = _adamw_steps(task, wanted or available_cores())
        contestants["adamw"] = lambda: seconds_of_one(steps, repetitions(2e7, 3))
    with tempfile.TemporaryDirectory() as folder:
        if settings.original is not None:
            toolkit = ToolkitTimer(settings.original, task, Path(folder))
            contestants["original"] = lambda: toolkit.seconds_of_iteration(repetitions(1e7, 2))
        best = best_in_turns(contestants, settings.rounds)
    return Timing(
        problem=task.name,
        precision=settings.precision,
        edges=task.network.n_edges,
        items=problem.n_items,
        threads=engine.threads,
        seconds=best["native"],
        nanoseconds=1e9 * best["native"] / variables,
        pass_seconds=best["pass"],
        share_of_limit=best["pass"] / best["native"],
        bytes_per_variable=engine.nbytes / variables,
        original_seconds=best.get("original"),
        reference_seconds=best.get("reference"),
        adamw_seconds=best.get("adamw"),
    )


def _adamw_steps(task: TimedProblem, threads: int) -> Callable[[int], None]:
    """Takes a number of steps on the same layers and items; inputs that training would find are all 0 here."""
    network = GradientNetwork.like(task.network, threads=threads)
    free = task.dataset.input_kind.free
    given = np.full((len(task.dataset), task.network.n_inputs), -1) if free else task.dataset.inputs
    inputs, targets = network.tensor(given), network.tensor(task.dataset.targets)

    def steps(n: int) -> None:
        for _ in range(n):
            network.step(inputs, targets)

    return steps
