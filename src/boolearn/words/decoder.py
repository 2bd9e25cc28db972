"""Decoders: one threshold function of the code for every context."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boolearn.data.signs import Signs
from boolearn.model import BoolNet
from boolearn.network import layered
from boolearn.words.contexts import Contexts
from boolearn.words.descent import least_squares

_VALUES_AT_A_TIME = 1 << 22


def bit_names(k: int) -> tuple[str, ...]:
    return tuple(f"b{bit}" for bit in range(k))


def threshold_decoder(codes: Signs, contexts: Contexts) -> BoolNet:
    """For every context the direction of least squares, with the threshold that makes the fewest wrong bits."""
    k, n = codes.shape[1], len(contexts.names)
    weights = least_squares(contexts.pairs, codes)[:k].T  # (contexts, k)
    offsets = np.empty(n)
    at_a_time = max(1, _VALUES_AT_A_TIME // len(codes))
    for first in range(0, n, at_a_time):
        part = slice(first, first + at_a_time)
        on = contexts.pairs[:, part].toarray() > 0
        offsets[part] = best_thresholds(codes.astype(np.float64) @ weights[part].T, on)
    # Node 0 is the constant −1, so that its weight is the threshold.
    values = np.column_stack([offsets, weights]).ravel()
    return BoolNet(layered(k, n), values, input_names=bit_names(k), output_names=contexts.names)


def best_thresholds(sums: npt.NDArray[np.float64], on: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
    """For every column the t for which ``sums > t`` differs least often from ``on``; the largest such t."""
    items = len(sums)
    order = np.argsort(sums, axis=0, kind="stable")
    ordered = np.take_along_axis(sums, order, axis=0)
    right = np.take_along_axis(on, order, axis=0)
    # Threshold after the first i items: these are off, the others on.
    missed = np.vstack([np.zeros(sums.shape[1]), np.cumsum(right, axis=0)])
    falsely_on = np.vstack([np.cumsum(~right[::-1], axis=0)[::-1], np.zeros(sums.shape[1])])
    wrong = missed + falsely_on
    # No threshold tells equal sums apart. Sums that differ by rounding alone count as equal.
    close = np.diff(ordered, axis=0) <= 1e-9 * (1 + np.abs(ordered[1:]))
    wrong[1:-1][close] = np.inf
    cut = items - np.argmin(wrong[::-1], axis=0)
    columns = np.arange(sums.shape[1])
    below, above = ordered[np.maximum(cut - 1, 0), columns], ordered[np.minimum(cut, items - 1), columns]
    between = (below + above) / 2
    thresholds: npt.NDArray[np.float64] = np.where(
        cut == 0, ordered[0] - 1, np.where(cut == items, ordered[-1] + 1, between)
    )
    return thresholds
