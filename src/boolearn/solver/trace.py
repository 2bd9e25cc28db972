"""What a run looks like while it goes on."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Checkpoint:
    """The state of a run after some iterations."""

    iteration: int
    gap_w: float
    gap_x: float
    gap_y: float
    gap: float
    least_gap: float
    train_accuracy: float | None
    test_accuracy: float | None
    seconds: float
