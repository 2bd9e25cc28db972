"""Callbacks: what may look on while a run goes on."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boolearn.solver.trace import Checkpoint

if TYPE_CHECKING:
    from boolearn.solver.run import Run


@dataclass(frozen=True)
class Tick:
    """Where a run stands; comes several times a second."""

    restart: int
    restarts: int
    seed: int
    iteration: int
    max_iter: int | None
    max_seconds: float | None
    seconds: float
    gap: float
    least_gap: float
    last: Checkpoint | None
    """The latest checkpoint, with its accuracies."""


class Callback:
    """Override what you need; everything else does nothing."""

    def on_tick(self, tick: Tick) -> None:
        """Some iterations are done."""

    def on_checkpoint(self, tick: Tick) -> None:
        """A line of the trace, ``tick.last``, was taken. Starts that run side by side take theirs in turns."""

    def on_run_end(self, run: Run) -> None:
        """One start has ended; with restarts this comes once for each."""

    def close(self) -> None:
        """Nothing more will come, even after an error."""


class Several(Callback):
    """Passes everything on to several callbacks, one call at a time even when starts run side by side."""

    def __init__(self, callbacks: Sequence[Callback]) -> None:
        self._callbacks = tuple(callbacks)
        self._lock = threading.Lock()

    def on_tick(self, tick: Tick) -> None:
        with self._lock:
            for callback in self._callbacks:
                callback.on_tick(tick)

    def on_checkpoint(self, tick: Tick) -> None:
        with self._lock:
            for callback in self._callbacks:
                callback.on_checkpoint(tick)

    def on_run_end(self, run: Run) -> None:
        with self._lock:
            for callback in self._callbacks:
                callback.on_run_end(run)

    def close(self) -> None:
        """Close all, even when closing one of them fails."""
        with ExitStack() as stack:
            for callback in reversed(self._callbacks):
                stack.callback(callback.close)
