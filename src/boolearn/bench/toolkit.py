"""The C toolkit's train program, timed from outside.

An iteration's time is the difference between a long and a short run: start-up and files cancel.
"""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import numpy as np

from boolearn.bench.clock import BETA, GAMMA
from boolearn.bench.problems import TimedProblem
from boolearn.data import write_dat
from boolearn.errors import FileError
from boolearn.network import write_net


def check_program(path: Path) -> None:
    """Refuse what cannot be executed, before anything is timed."""
    if not (path.is_file() and os.access(path, os.X_OK)):
        raise FileError(path, None, "is not a program.")


class ToolkitTimer:
    """Times one problem; its files lie in ``folder``."""

    def __init__(self, program: Path, task: TimedProblem, folder: Path) -> None:
        self._program, self._task, self._folder = program, task, folder
        write_net(task.network, np.zeros(task.network.n_weights), folder / "bench.net")
        write_dat(task.dataset, folder / "bench.dat")

    def seconds_of_iteration(self, n: int) -> float:
        return (self._run(1 + n) - self._run(1)) / n

    def _run(self, iterations: int) -> float:
        items, sigma = len(self._task.dataset), self._task.sigma
        words = ["bench.net", "bench.dat", items, sigma, BETA, GAMMA, 1, iterations, 0, 1, "bench"]
        command = [str(self._program.resolve()), *map(str, words)]
        begun = time.perf_counter()
        try:
            subprocess.run(command, cwd=self._folder, check=True, capture_output=True)  # noqa: S603
        except subprocess.CalledProcessError as error:
            raise self._unlike_the_toolkit(f"it ended with status {error.returncode}") from error
        except OSError as error:
            raise FileError(self._program, None, f"cannot be run: {error.strerror or error}.") from error
        seconds = time.perf_counter() - begun
        if not (self._folder / "bench.run").exists():
            raise self._unlike_the_toolkit("it writes no .run file")
        return seconds

    def _unlike_the_toolkit(self, what: str) -> FileError:
        return FileError(self._program, None, f"does not run as the C toolkit's train does: {what}.")
