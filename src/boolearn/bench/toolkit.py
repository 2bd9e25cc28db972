"""The C toolkit's train program, run and timed from outside."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from boolearn.bench.clock import BETA, GAMMA
from boolearn.bench.problems import TimedProblem
from boolearn.data import Dataset, write_dat
from boolearn.errors import FileError
from boolearn.network import Network, write_net
from boolearn.solver.trace import DEFAULT_RATIO


def check_program(path: Path) -> None:
    """Refuse what cannot be executed, before anything is timed."""
    if not (path.is_file() and os.access(path, os.X_OK)):
        raise FileError(path, None, "is not a program.")


@dataclass(frozen=True)
class Orders:
    """What the program is told, by the letters and words of its own manual."""

    items: int
    sigma: float
    beta: float
    gamma: float
    max_iter: int
    gap_tol: float
    lines: int = 1
    starts: int = 1


class Spent(NamedTuple):
    """What a run of the program took, and whether it came to its end."""

    cpu_seconds: float
    wall_seconds: float
    ended: bool


class Toolkit:
    """The program on one problem; its files lie in ``folder``."""

    def __init__(self, program: Path, network: Network, dataset: Dataset, folder: Path) -> None:
        self._program, self._folder = program, folder
        self._second = 0
        write_net(network, np.zeros(network.n_weights), folder / "bench.net")
        write_dat(dataset, folder / "bench.dat")

    def run(self, orders: Orders, max_cpu_seconds: int | None = None) -> Spent:
        """Run it, and end it when it has used that many seconds."""
        self._wait_for_another_seed()
        o = orders
        words = ["bench.net", "bench.dat", o.items, o.sigma, o.beta, o.gamma, o.lines, o.max_iter, o.gap_tol, o.starts]
        command = [str(self._program.resolve()), *map(str, words), "bench"]
        for ending in ("run", "gap"):
            (self._folder / f"bench.{ending}").unlink(missing_ok=True)
        begun, used = time.perf_counter(), _cpu_seconds_of_children()
        try:
            status = _status_of(command, self._folder, max_cpu_seconds)
        except OSError as error:
            raise FileError(self._program, None, f"cannot be run: {error.strerror or error}.") from error
        wall_seconds, cpu_seconds = time.perf_counter() - begun, _cpu_seconds_of_children() - used
        stopped = max_cpu_seconds is not None and -status in (signal.SIGXCPU, signal.SIGKILL)
        if status and not stopped:
            raise self._unlike_the_toolkit(f"it ended with status {status}")
        if not (self._folder / "bench.run").exists():
            raise self._unlike_the_toolkit("it writes no .run file")
        return Spent(cpu_seconds, wall_seconds, not stopped)

    def ended_starts(self) -> list[int]:
        """Of the last run: the iterations of every start that came to its end, 0 where it was not solved."""
        lines = self._words("run")
        return [int(line[1]) for line in lines if len(line) == 7 and line[0].isdigit()]

    def trace(self, tested: bool) -> list[tuple[int, float]]:
        """Of the last start: iterations, and the accuracy on the items that are not learned; 0 where there are none."""
        lines = [line for line in self._words("gap") if len(line) >= 9]
        return [(int(line[0]), float(line[8]) / 100 if tested else 0.0) for line in lines]

    def _words(self, ending: str) -> list[list[str]]:
        path = self._folder / f"bench.{ending}"
        return [line.split() for line in path.read_text("utf-8").splitlines()] if path.exists() else []

    def _wait_for_another_seed(self) -> None:
        """The program's seed is the second it begins in: two runs within one would be the same."""
        while int(time.time()) == self._second:
            time.sleep(0.05)
        self._second = int(time.time())

    def _unlike_the_toolkit(self, what: str) -> FileError:
        return FileError(self._program, None, f"does not run as the C toolkit's train does: {what}.")


class ToolkitTimer:
    """An iteration's time is the difference between a long and a short run: start-up and files cancel."""

    def __init__(self, program: Path, task: TimedProblem, folder: Path) -> None:
        self._toolkit = Toolkit(program, task.network, task.dataset, folder)
        self._task = task

    def seconds_of_iteration(self, n: int) -> float:
        return (self._seconds(1 + n) - self._seconds(1)) / n

    def _seconds(self, iterations: int) -> float:
        items, sigma = len(self._task.dataset), self._task.sigma
        return self._toolkit.run(Orders(items, sigma, BETA, GAMMA, iterations, gap_tol=0)).wall_seconds


def lines_of_trace(max_iter: int) -> int:
    """The number of lines with which the program's trace is as fine as ours."""
    return max(1, round(math.log(max_iter) / math.log(DEFAULT_RATIO)))


def _status_of(command: list[str], folder: Path, max_cpu_seconds: int | None) -> int:
    with subprocess.Popen(  # noqa: S603
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            if max_cpu_seconds is not None:
                _limit(process.pid, max_cpu_seconds)
            return process.wait()
        except BaseException:
            process.kill()
            raise


def _limit(process: int, cpu_seconds: int) -> None:
    import resource

    resource.prlimit(process, resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 5))


def _cpu_seconds_of_children() -> float:
    times = os.times()
    return times.children_user + times.children_system
