"""A callback that writes curves for TensorBoard."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from boolearn.errors import FileError, MissingExtraError
from boolearn.files import PathLike
from boolearn.solver.run import Outcome
from boolearn.solver.watching.callbacks import Callback, Tick

if TYPE_CHECKING:
    from tensorboardX import SummaryWriter


class TensorBoard(Callback):
    """Gaps and accuracies of the trace, one subdirectory per start: ``tensorboard --logdir DIRECTORY``.

    With ``resume``, what an earlier process wrote for later iterations than the one its start resumes
    from is marked as outdated.
    """

    def __init__(self, directory: PathLike, resume: bool = False) -> None:
        try:
            import tensorboardX  # noqa: F401
        except ImportError as error:
            raise MissingExtraError("TensorBoard", "tensorboard") from error
        self.directory = Path(directory)
        if self.directory.exists() and not self.directory.is_dir():
            raise FileError(self.directory, None, "is not a directory.")
        if not resume and self.directory.is_dir() and any(self.directory.iterdir()):
            raise FileError(self.directory, None, "is not empty; choose another, or append to it: resume=True.")
        self._writers: dict[int, SummaryWriter] = {}

    def on_trace(self, tick: Tick) -> None:
        assert tick.last is not None
        writer = self._writer(tick.seed, tick.last.iteration)
        for name, value in asdict(tick.last).items():
            if name != "iteration" and value is not None and math.isfinite(value):
                writer.add_scalar(name, value, tick.last.iteration)
        writer.flush()

    def on_start_end(self, outcome: Outcome) -> None:
        writer = self._writers.pop(outcome.seed, None)
        if writer is not None:
            writer.close()

    def close(self) -> None:
        while self._writers:
            self._writers.popitem()[1].close()

    def _writer(self, seed: int, iteration: int) -> SummaryWriter:
        if seed not in self._writers:
            from tensorboardX import SummaryWriter

            path = self.directory / f"seed-{seed}"
            outdated = iteration if path.is_dir() else None
            try:
                path.mkdir(parents=True, exist_ok=True)
                # Files are named by the second: without a number, one begun within the same second would be lost.
                number = sum(1 for _ in path.iterdir())
                self._writers[seed] = SummaryWriter(str(path), purge_step=outdated, filename_suffix=f".{number}")
            except OSError as error:
                raise FileError(path, None, f"cannot be made or written to: {error.strerror or error}.") from error
        return self._writers[seed]
