"""The trace of a start: measurements at exponentially spaced iterations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class TraceLine:
    """What was measured after some iteration."""

    iteration: int
    gap_w: float
    gap_x: float
    gap_y: float
    gap: float
    least_gap: float
    train_accuracy: float
    test_accuracy: float | None
    """None where there is no test part."""
    seconds: float


DEFAULT_RATIO = 10 ** (1 / 20)
"""Twenty trace lines for every factor of ten in iterations."""


def trace_iterations(ratio: float = DEFAULT_RATIO) -> Iterator[int]:
    """Iterations at which to measure: the first past ratio, ratio², …, each at most once."""
    mark = ratio
    iteration = 1
    while True:
        iteration = max(iteration + 1, int(mark) + 1)
        yield iteration
        mark *= ratio
