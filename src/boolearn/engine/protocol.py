"""Engine: whatever computes RRR iterations. The training loop knows nothing else about it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from boolearn.data.signs import Signs

Snapshot = Mapping[str, npt.NDArray[np.generic]]


class Progress(NamedTuple):
    """What some iterations came to. The gaps are those of the last one."""

    iterations: int
    """How many were done: fewer than asked for when the gap fell below the limit."""
    gap: float
    gap_w: float
    gap_x: float
    gap_y: float
    least_gap: float
    """The least gap among these iterations."""


class Engine(Protocol):
    """Owns the variables (w, x, y) and the metric g of one problem."""

    def begin(self, seed: int) -> None:
        """Take the random start of a seed; the metric is 1 everywhere."""

    def iterate(self, n: int, *, beta: float, gamma: float, stop_below: float = 0.0) -> Progress:
        """Do up to ``n`` iterations and stop after the first whose gap is below ``stop_below``."""

    def replace(self, first: int, inputs: npt.NDArray[np.generic], targets: Signs) -> None:
        """Items ``first``, first + 1, … hold new data from now on.

        They begin from a forward pass with the agreed weights, and their metric is 1. Where inputs are
        free, ``inputs`` are the codes to begin with.
        """

    def weights(self) -> npt.NDArray[np.float64]:
        """Shape (n_weights,): the agreed weights of the last iteration (the point on B)."""

    def input_values(self) -> npt.NDArray[np.float64]:
        """Shape (items, n_inputs): what the inputs hold on A; for free inputs the codes in use."""

    def snapshot(self) -> Snapshot:
        """The whole state."""

    def restore(self, snapshot: Snapshot) -> None:
        """Continue from a state as if nothing had happened in between."""
