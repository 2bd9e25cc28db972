"""Every input pattern, in the order of truth tables: pattern k holds the bits of k, the first input the highest."""

from __future__ import annotations

import numpy as np

from boolearn.circuit.bits.instructions import Words
from boolearn.circuit.bits.packing import WORD
from boolearn.data.signs import Signs, signs_of

_IN_A_WORD = tuple(sum(1 << item for item in range(WORD) if item >> place & 1) for place in range(6))


def all_inputs(n_inputs: int, first: int = 0, items: int | None = None) -> Signs:
    """Shape (items, n_inputs): the patterns as ±1, from pattern ``first`` on."""
    count = (1 << n_inputs) - first if items is None else items
    numbers = np.arange(first, first + count, dtype=np.int64)
    places = np.arange(n_inputs - 1, -1, -1)
    return signs_of(numbers[:, None] >> places & 1)


def patterns(n_inputs: int, first: int = 0, count: int | None = None) -> Words:
    """Planes of shape (n_inputs, count): the patterns packed, from word ``first`` on.

    With fewer than six inputs the patterns repeat until the word is full.
    """
    if count is None:
        count = max(1, 2**n_inputs // WORD) - first
    planes = np.empty((n_inputs, count), np.uint64)
    number = np.arange(first, first + count, dtype=np.uint64)
    for k in range(n_inputs):
        place = n_inputs - 1 - k
        if place < len(_IN_A_WORD):  # the period of the bits fits in a word
            planes[k] = _IN_A_WORD[place]
        else:
            planes[k] = -(number >> np.uint64(place - 6) & np.uint64(1))
    return planes
