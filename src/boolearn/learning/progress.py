"""A line that says what learn is doing, the best so far and the time left."""

from __future__ import annotations

import math
import sys
import threading
from types import TracebackType
from typing import TextIO

from boolearn.learning.task import Task

_SECONDS = 1.0


class StageLine:
    """Rewritten every second on a terminal; elsewhere one line for every stage."""

    def __init__(self, task: Task, stream: TextIO | None = None) -> None:
        self.task, self.stream = task, stream or sys.stderr
        self.live = self.stream.isatty()
        self._stage = ""
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._repeat, daemon=True)

    def __enter__(self) -> StageLine:
        if self.live:
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ended.set()
        if self.live:
            self._thread.join()
            self.stream.write("\r\x1b[K")
            self.stream.flush()

    def tell(self, stage: str) -> None:
        self._stage = stage
        if not self.live:
            print(self._text(), file=self.stream, flush=True)

    def _repeat(self) -> None:
        while not self._ended.wait(_SECONDS):
            self.stream.write("\r\x1b[K" + self._text())
            self.stream.flush()

    def _text(self) -> str:
        task = self.task
        known = [output for output in range(len(task.outputs)) if task.found[output]]
        best = ""
        if known:
            wrong = sum(task.best(output).valid_wrong for output in known)
            bits = sum(len(task.found[output][0].on_valid) for output in known)
            best = f"best {1 - wrong / max(1, bits):.2%}, "
        left = task.clock.left
        time_left = f"{max(0.0, left):.0f} s left" if math.isfinite(left) else f"{task.clock.seconds:.0f} s"
        return f"{best}{time_left} · {self._stage}"
