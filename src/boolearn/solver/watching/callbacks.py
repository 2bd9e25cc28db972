"""Callbacks: told of what happens while a run is under way."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boolearn.solver.trace import TraceLine

if TYPE_CHECKING:
    from boolearn.solver.run import Outcome


@dataclass(frozen=True)
class Tick:
    """Where a start stands; comes several times a second."""

    restart: int
    restarts: int
    seed: int
    iteration: int
    max_iter: int | None
    max_seconds: float | None
    seconds: float
    gap: float
    least_gap: float
    last: TraceLine | None
    """The latest trace line, with its accuracies."""
    fits: bool = False
    """Is what was found good enough, though the search may still improve it?"""
    stage: str = ""
    """What the search is doing, where it says so."""


class Callback:
    """Override what you need; everything else does nothing."""

    def on_tick(self, tick: Tick) -> None:
        """Some iterations are done."""

    def on_trace(self, tick: Tick) -> None:
        """A trace line, ``tick.last``, was taken. Calls of starts that run side by side come one at a time."""

    def on_start_end(self, outcome: Outcome) -> None:
        """One start has ended."""

    def close(self) -> None:
        """The run is over, also after an error."""


class Several(Callback):
    """Passes everything on to several callbacks, one call at a time even when starts run side by side."""

    def __init__(self, callbacks: Sequence[Callback]) -> None:
        self._callbacks = tuple(callbacks)
        self._lock = threading.Lock()

    def __bool__(self) -> bool:
        """Is there anyone to tell? Between trace lines of a small problem a tick takes as long as many iterations."""
        return bool(self._callbacks)

    def on_tick(self, tick: Tick) -> None:
        with self._lock:
            for callback in self._callbacks:
                callback.on_tick(tick)

    def on_trace(self, tick: Tick) -> None:
        with self._lock:
            for callback in self._callbacks:
                callback.on_trace(tick)

    def on_start_end(self, outcome: Outcome) -> None:
        with self._lock:
            for callback in self._callbacks:
                callback.on_start_end(outcome)

    def close(self) -> None:
        """Close all, even when closing one of them fails."""
        with ExitStack() as stack:
            for callback in reversed(self._callbacks):
                stack.callback(callback.close)
