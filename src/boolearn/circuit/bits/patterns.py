"""Every input pattern in packed form, in the order of truth tables; see ``all_inputs``."""

from __future__ import annotations

import numpy as np

from boolearn.checks import checked_integer
from boolearn.circuit.bits.instructions import Words
from boolearn.circuit.bits.packing import WORD

_IN_A_WORD = tuple(sum(1 << item for item in range(WORD) if item >> place & 1) for place in range(6))


def patterns(n_inputs: int, first: int = 0, count: int | None = None) -> Words:
    """Planes of shape (n_inputs, count): the patterns packed, from word ``first`` on.

    With fewer than six inputs the patterns repeat until the word is full.
    """
    checked_integer("n_inputs", n_inputs, 0)
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
