"""What learn is doing, the best so far and the time left."""

from __future__ import annotations

import math
from types import TracebackType
from typing import TextIO

from boolearn.display import Display, Shown
from boolearn.learning.task import Task


class StageLine:
    """A live display on a terminal; elsewhere one line for every stage."""

    def __init__(self, task: Task, stream: TextIO | None = None) -> None:
        self.task, self.display = task, Display(stream)
        self._stage = ""

    def __enter__(self) -> StageLine:
        self.display.follow(self._shown)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.display.close()

    def tell(self, stage: str) -> None:
        self._stage = stage
        if not self.display.live:
            best = self._best()
            self.display.say(f"{f'best {best:.2%}, ' if best is not None else ''}{self._time()} · {stage}")

    def _shown(self) -> Shown:
        clock, best = self.task.clock, self._best()
        done = clock.seconds / clock.max_seconds if math.isfinite(clock.max_seconds) else None
        facts = [] if best is None else [f"best on held-out rows {best:.2%}"]
        return Shown(self._stage or "reading the rows", done, self._time(), facts)

    def _best(self) -> float | None:
        """The share of right held-out bits, of the outputs for which there is a candidate."""
        task = self.task
        known = [output for output in range(len(task.outputs)) if task.found[output]]
        if not known:
            return None
        # Not those of task.best, whose score also counts size and training rows: the share would go up and down.
        wrong = sum(min(found.valid_wrong for found in task.found[output]) for output in known)
        bits = sum(len(task.found[output][0].on_valid) for output in known)
        return 1 - wrong / max(1, bits)

    def _time(self) -> str:
        left = self.task.clock.left
        return f"{max(0.0, left):.0f} s left" if math.isfinite(left) else f"{self.task.clock.seconds:.0f} s"
