"""Bits of signals: what they say on items, eight to the byte, and on how many items they differ."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boolearn.data.signs import Signs

Bits = npt.NDArray[np.uint8]
"""Shape (signals, bytes)."""

_ONES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1, dtype=np.uint8)
"""How many bits of a byte are 1; NumPy counts them itself only from version 2 on."""


def packed(values: Signs, first: Signs) -> Bits:
    """From shape (items, signals): 1 where a signal says what it says on the ``first`` item.

    So a signal and its negation, which are the same to a neuron that reads them, have the same bits.
    """
    return np.packbits((values == first).T, axis=1)


def unpacked(bits: Bits, first: Signs, items: int) -> Signs:
    """The values that were packed."""
    same = np.unpackbits(bits, axis=1, count=items).T
    return np.where(same == 1, first, -first).astype(np.int8)


def differing(one: npt.NDArray[np.uint8], others: Bits) -> npt.NDArray[np.int64]:
    """On how many items a signal differs from each of others."""
    return np.asarray(_ONES[others ^ one].sum(axis=1, dtype=np.int64))
