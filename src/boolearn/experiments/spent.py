"""The CPU time of a job, over all the processes that worked on it."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from boolearn.errors import BoolearnError
from boolearn.files import write_text

FILE = "cpu-seconds"
_EVERY = 60.0


class Spent:
    """Counts from when it is made, on top of what an earlier process has noted in the folder of the job.

    ``note`` writes it down now and then: of a process that is killed at most a minute is not counted.
    """

    def __init__(self, folder: Path | None) -> None:
        self._path = None if folder is None else folder / FILE
        self._before = float(self._path.read_text()) if self._path is not None and self._path.exists() else 0.0
        self._begun = time.process_time()
        self._noted = time.monotonic()

    @property
    def seconds(self) -> float:
        return self._before + time.process_time() - self._begun

    def note(self, every: float = _EVERY) -> None:
        now = time.monotonic()
        if self._path is not None and now - self._noted >= every:
            self._noted = now
            with contextlib.suppress(OSError, BoolearnError):  # a disk that is full must not end a training for this
                self._path.parent.mkdir(parents=True, exist_ok=True)
                write_text(self._path, f"{self.seconds}\n")
