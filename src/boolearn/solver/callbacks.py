"""Callbacks: what may look on while a run goes on."""

from __future__ import annotations

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

    def on_checkpoint(self, checkpoint: Checkpoint) -> None:
        """A line of the trace was taken."""

    def on_run_end(self, run: Run) -> None:
        """One start has ended; with restarts this comes once for each."""

    def close(self) -> None:
        """Nothing more will come, even after an error."""
