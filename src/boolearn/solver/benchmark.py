"""How long one iteration takes on the problems of the paper, and how long it takes others.

Whatever is compared is timed in turns, so that other work on the machine hurts all alike, and the
best of several rounds counts. The time of the C toolkit's iteration is the difference between a long
and a short run: start-up and files cancel.
"""

from __future__ import annotations

import itertools
import math
import os
import platform
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn._version import __version__
from boolearn.cores import available_cores
from boolearn.data import Dataset, InputKind, automaton, multiplier, write_dat
from boolearn.engine import Precision, ReferenceEngine, check_engine, make_engine, native_available
from boolearn.errors import BoolearnError, FileError, MissingExtraError, ParameterError
from boolearn.model import random_model
from boolearn.network import Network, layered, write_net
from boolearn.problem import Problem

BETA, GAMMA = 0.2, 1e-3
_BYTES = {"half": 2, "single": 4, "double": 8}
"""Of s or d of an edge and an item."""


@dataclass(frozen=True)
class Task:
    """A problem to time, and on how many threads; 0 means all that are worth it."""

    name: str
    network: Network
    dataset: Dataset
    sigma: float = 3.0
    threads: int = 0


@dataclass(frozen=True)
class Result:
    """Seconds are those of one iteration (for AdamW: of one step), the best of several rounds."""

    problem: str
    precision: Precision
    edges: int
    items: int
    threads: int
    seconds: float
    nanoseconds: float
    """Per edge and item."""
    pass_seconds: float
    """What a mere read-write pass over as much memory as the variables take needs, on as many threads."""
    share_of_limit: float
    """The time of that pass as a share of the iteration's."""
    bytes_per_variable: float
    original_seconds: float | None
    reference_seconds: float | None
    adamw_seconds: float | None


def tasks() -> list[Task]:
    """The problems of the paper from the smallest to the one that does not fit the caches."""
    circuit = random_model(32, 32, 32, 32, 32, 32, gates="andor", seed=1)
    fours = np.random.default_rng(1).choice(np.array([-1, 1], np.int8), (1024, 256))
    return [
        Task("2-bit multiplier", layered(4, 4, 4, 4), multiplier(2), threads=1),
        Task("3-bit multiplier", layered(6, 12, 12, 12, 6), multiplier(3), threads=1),
        Task("rule 30, 96 items", layered(16, 32, 32, 16), automaton(30, 16, 1, 96, seed=1)),
        Task("circuit, 128 items", circuit.network, circuit.sample(128, seed=2)),
        Task("circuit, 512 items", circuit.network, circuit.sample(512, seed=2)),
        Task("MNIST 4's, 1024 items", layered(16, 256, 256), Dataset.generative(fours, InputKind.ONE_HOT_CODE), 5.0),
    ]


def machine() -> dict[str, Any]:
    """What the numbers were measured on."""
    if not native_available():
        raise BoolearnError("bench times the compiled engine, which was not built when boolearn was installed.")
    from boolearn._native import isa

    return {
        "version": __version__,
        "processor": _processor(),
        "cores": available_cores(),
        "instruction_set": isa(),
        "python": platform.python_version(),
    }


@dataclass(frozen=True)
class Settings:
    """What to time. Nothing is timed before everything is known to be possible."""

    original: Path | None = None
    """The C toolkit's train program."""
    reference: bool = False
    adamw: bool = False
    only: str = ""
    """Problems whose names hold this."""
    precision: Precision = "single"
    threads: int | None = None
    """Instead of each problem's own."""
    rounds: int = 5

    def __post_init__(self) -> None:
        check_engine("native", self.precision)
        if self.threads is not None and self.threads < 1:
            raise ParameterError("threads", "at least 1", self.threads)
        if self.rounds < 1:
            raise ParameterError("rounds", "at least 1", self.rounds)
        names = [task.name for task in tasks()]
        if not any(self.only in name for name in names):
            raise ParameterError("only", f"a part of one of the problems' names, {'; '.join(names)}", self.only)
        if self.original is not None and not (self.original.is_file() and os.access(self.original, os.X_OK)):
            raise FileError(self.original, None, "is no program.")


def run_benchmark(settings: Settings) -> Iterator[Result]:
    """Time every task that is wanted."""
    for task in tasks():
        if settings.only in task.name:
            yield _timed(task, settings)


def _timed(task: Task, settings: Settings) -> Result:
    problem = Problem(task.network, task.dataset, task.sigma)
    variables = task.network.n_edges * problem.n_items
    threads = task.threads if settings.threads is None else settings.threads
    engine = make_engine(problem, "native", precision=settings.precision, threads=threads or None)
    with tempfile.TemporaryDirectory() as folder:
        contestants: dict[str, Callable[[], float]] = {
            "native": lambda: _seconds_of(
                lambda n: engine.iterate(n, beta=BETA, gamma=GAMMA), max(3, int(1e8 / variables))
            )
        }
        if settings.original is not None:
            contestants["original"] = _original(settings.original, task, Path(folder), max(2, int(1e7 / variables)))
        if settings.reference:
            slow = ReferenceEngine(problem)
            contestants["reference"] = lambda: _seconds_of(
                lambda n: slow.iterate(n, beta=BETA, gamma=GAMMA), max(2, int(2e6 / variables))
            )
        if settings.adamw:
            contestants["adamw"] = _adamw(task, threads or available_cores(), max(3, int(2e7 / variables)))
        workers = getattr(engine, "threads", 1)
        size = 2 * _BYTES[settings.precision] * variables
        contestants["pass"] = lambda: seconds_of_pass(size, workers)
        best = dict.fromkeys(contestants, math.inf)
        contestants["native"]()  # the first touch of the memory is nobody's iteration
        for _ in range(settings.rounds):
            for name, measure in contestants.items():
                best[name] = min(best[name], measure())
    return Result(
        problem=task.name,
        precision=settings.precision,
        edges=task.network.n_edges,
        items=problem.n_items,
        threads=workers,
        seconds=best["native"],
        nanoseconds=1e9 * best["native"] / variables,
        pass_seconds=best["pass"],
        share_of_limit=best["pass"] / best["native"],
        bytes_per_variable=getattr(engine, "nbytes", 0) / variables,
        original_seconds=best.get("original"),
        reference_seconds=best.get("reference"),
        adamw_seconds=best.get("adamw"),
    )


def _seconds_of(iterate: Callable[[int], object], n: int) -> float:
    iterate(n)  # cores that were idle while others were timed are awake again after this
    begun = time.perf_counter()
    iterate(n)
    return (time.perf_counter() - begun) / n


def _original(program: Path, task: Task, folder: Path, iterations: int) -> Callable[[], float]:
    executable = program.resolve()
    write_net(task.network, np.zeros(task.network.n_weights), folder / "bench.net")
    write_dat(task.dataset, folder / "bench.dat")

    def run(n: int) -> float:
        words = ["bench.net", "bench.dat", len(task.dataset), task.sigma, BETA, GAMMA, 1, n, 0, 1, "bench"]
        begun = time.perf_counter()
        try:
            subprocess.run([executable, *map(str, words)], cwd=folder, check=True, capture_output=True)  # noqa: S603
        except subprocess.CalledProcessError as error:
            ended = f"it ended with status {error.returncode}"
            raise FileError(program, None, f"does not run as the C toolkit's train does: {ended}.") from error
        except OSError as error:
            raise FileError(program, None, f"cannot be run: {error.strerror or error}.") from error
        seconds = time.perf_counter() - begun
        if not (folder / "bench.run").exists():
            raise FileError(program, None, "does not run as the C toolkit's train does: it writes no .run file.")
        return seconds

    return lambda: (run(1 + iterations) - run(1)) / iterations


def _adamw(task: Task, threads: int, steps: int) -> Callable[[], float]:
    baseline = GradientBaseline(task.network, threads)
    free = task.dataset.input_kind.free
    given = np.full((len(task.dataset), task.network.n_inputs), -1) if free else task.dataset.inputs
    inputs, targets = baseline.tensor(given), baseline.tensor(task.dataset.targets)

    def step(n: int) -> None:
        for _ in range(n):
            baseline.step(inputs, targets)

    return lambda: _seconds_of(step, steps)


class GradientBaseline:
    """The paper's gradient network: the same layers, ReLU, cross-entropy, AdamW, all items in every step."""

    def __init__(self, network: Network, threads: int, seed: int = 0) -> None:
        try:
            import torch
        except ImportError:
            raise MissingExtraError("training with AdamW", "gradient") from None
        torch.set_num_threads(threads)
        torch.manual_seed(seed)
        widths = [network.n_inputs, *(len(nodes) for nodes, _ in network.blocks)]
        layers: list[Any] = []
        for below, width in itertools.pairwise(widths):
            layers += [torch.nn.Linear(below, width), torch.nn.ReLU()]
        self.net = torch.nn.Sequential(*layers[:-1])
        self.loss = torch.nn.BCEWithLogitsLoss()
        self._optimizer = torch.optim.AdamW(self.net.parameters(), lr=1e-3, weight_decay=1e-4)

    def tensor(self, signs: npt.NDArray[Any]) -> Any:
        """Signs as zeros and ones."""
        import torch

        return torch.tensor((signs + 1) / 2, dtype=torch.float32)

    def step(self, inputs: Any, targets: Any) -> None:
        self._optimizer.zero_grad()
        self.loss(self.net(inputs), targets).backward()
        self._optimizer.step()


def seconds_of_pass(size: int, threads: int) -> float:
    """Reading, changing and writing back as many bytes as the variables take, and no more."""
    from boolearn._native import seconds_of_pass as measure

    passes = max(3, int(5e7 / size))
    return min(measure(size, threads, passes) for _ in range(7))


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or os.uname().machine
