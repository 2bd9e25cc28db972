"""Regulators for data with errors: the set with the shortest description of regulators, function and errors together.

A set of k of n candidates costs k·log2(n) bits to name and 2^k bits for its function. Each row in which the function
is wrong costs bits too: with an unknown error rate N·H(errors/N) for all N rows, with given weights their sum.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Bits = npt.NDArray[np.bool_]
Sets = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_BEAM = 48
_AT_A_TIME = 1 << 22


def shortest_description(states: Bits, values: Bits, most: int, weights: Floats | None = None) -> Sets:
    """The columns, at most ``most``, with the shortest description of the values.

    weights
        What it costs, in bits, to be wrong in each row. Without them the share of wrong rows is estimated.
    """
    useful = np.flatnonzero((states != states[0]).any(axis=0))
    sets = np.empty((1, 0), np.int64)
    best, least = sets[0], _length(_costs(states, values, sets, weights)[0], len(values), states.shape[1], weights)[0]
    for size in range(1, min(most, len(useful)) + 1):
        grown = np.column_stack([np.repeat(sets, len(useful), axis=0), np.tile(useful, len(sets))])
        grown = np.unique(np.sort(grown[~(grown[:, :-1] == grown[:, -1:]).any(axis=1)], axis=1), axis=0)
        wrong, spread = _costs(states, values, grown, weights)
        lengths = _length(wrong, len(values), states.shape[1], weights, size)
        if lengths.min() < least:
            best, least = grown[int(lengths.argmin())], lengths.min()
        if 2.0**size + size * np.log2(max(2, states.shape[1])) > least:  # no larger set can be shorter
            break
        sets = grown[np.argsort(spread, kind="stable")[: _BEAM if size > 1 else len(grown)]]
    return np.asarray(best, np.int64)


def _length(wrong: Floats, rows: int, candidates: int, weights: Floats | None, size: int = 0) -> Floats:
    """Bits for errors, function and regulators."""
    errors = wrong if weights is not None else rows * _entropy(wrong / rows)
    return np.asarray(errors + 2.0**size + size * np.log2(max(2, candidates)))


def _costs(states: Bits, values: Bits, sets: Sets, weights: Floats | None) -> tuple[Floats, Floats]:
    """For every set the weight of the rows in which its best function is wrong, and how uncertain the values stay."""
    size = sets.shape[1]
    counted = np.ones(len(values)) if weights is None else weights
    wrong, spread = np.empty(len(sets)), np.empty(len(sets))
    step = max(1, _AT_A_TIME // (len(values) * max(1, size)))
    powers = 2 << np.arange(size)
    for first in range(0, len(sets), step):
        part = sets[first : first + step]
        places = (states[:, part] * powers).sum(axis=2) + values[:, None]
        places = places + np.arange(len(part)) * (2 << size)
        total = np.bincount(places.ravel(), np.repeat(counted, len(part)), len(part) * (2 << size))
        cells = total.reshape(len(part), -1, 2)
        wrong[first : first + step] = cells.min(axis=2).sum(axis=1)
        full = cells.sum(axis=2)
        share = np.divide(cells[:, :, 1], full, out=np.zeros_like(full), where=full > 0)
        spread[first : first + step] = (full * _entropy(share)).sum(axis=1)
    return wrong, spread


def _entropy(share: Floats) -> Floats:
    inside = np.clip(share, 1e-12, 1 - 1e-12)
    return np.asarray(-inside * np.log2(inside) - (1 - inside) * np.log2(1 - inside))
