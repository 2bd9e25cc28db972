"""Engine: whatever computes RRR iterations. The training loop knows nothing else about it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

Snapshot = Mapping[str, npt.NDArray[np.generic]]
Flags = npt.NDArray[np.bool_]
EngineName = Literal["auto", "native", "reference", "torch"]
Precision = Literal["half", "single", "double"]


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


def iterate_until(iterate_once: Callable[[], Progress], n: int, stop_below: float) -> Progress:
    """At most n iterations, for engines that do them one by one."""
    done, least = 0, math.inf
    while True:
        progress = iterate_once()
        done, least = done + 1, min(least, progress.gap)
        if done >= n or progress.gap < stop_below:
            return progress._replace(iterations=done, least_gap=least)


class Engine(Protocol):
    """Owns the variables (w, x, y) and the metric g of one problem."""

    def begin(self, seed: int) -> None:
        """Take the random start of a seed, on the problem's own data; the metric is 1 everywhere."""

    def begin_from(self, seed: int, weights: npt.NDArray[np.float64]) -> None:
        """Begin where all items hold these weights, as if every one had just been replaced by itself.

        Codes of free inputs are those of the seed's start.
        """

    def iterate(self, n: int, *, beta: float, gamma: float, stop_below: float = 0.0) -> Progress:
        """Do up to ``n`` iterations and stop after the first whose gap is below ``stop_below``."""

    def weights(self) -> npt.NDArray[np.float64]:
        """Shape (n_weights,): the agreed weights of the last iteration (the point on B).

        Before the first one those of the start: the means over items, every neuron's scaled to norm² m.
        """

    def replace(self, first: int, inputs: npt.ArrayLike, targets: npt.ArrayLike) -> None:
        """Items ``first``, ``first + 1``, … give way to new ones, which start from a forward pass.

        Every replaced item has the weights ``weights()``, at its nodes what these make of its inputs (±1, zero
        counts as −1), on its edges what their senders hold, and a metric of 1. Its outputs are now to be
        ``targets``, shape (items, n_outputs), ±1 or 0 where open. ``inputs`` are data, or, where inputs are free, the
        code to start from. Nothing else changes; the next iteration is an ordinary one.
        """

    def set_margins(self, margins: npt.NDArray[np.float64], *, project: bool = True) -> None:
        """Other margins, shape (n_neurons,), from the next iteration on, in place of the problem's.

        Without ``project`` the state was restored, and was left with these margins. ``begin`` does not change them.
        """

    def flipped(self) -> tuple[Flags, Flags]:
        """Output bits (items, n_outputs) and input bits (items, n_inputs) held flipped in the last iteration."""

    def input_values(self) -> npt.NDArray[np.float64]:
        """Shape (items, n_inputs): what the inputs hold on A; for free inputs the codes in use."""

    def snapshot(self) -> Snapshot:
        """The whole state."""

    def restore(self, snapshot: Snapshot) -> None:
        """Continue from a state as if nothing had happened in between."""
