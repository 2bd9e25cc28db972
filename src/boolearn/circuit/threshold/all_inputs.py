"""Every input pattern, in the order of truth tables: pattern k holds the bits of k, the first input the highest."""

from __future__ import annotations

import numpy as np

from boolearn.checks import checked_integer
from boolearn.data.signs import Signs, signs_of

_MOST_INPUTS = 62
"""Patterns are numbered in 64 bits."""


def all_inputs(n_inputs: int, first: int = 0, items: int | None = None) -> Signs:
    """Shape (items, n_inputs): the patterns as ±1, from pattern ``first`` on."""
    checked_integer("n_inputs", n_inputs, 0, _MOST_INPUTS)
    count = (1 << n_inputs) - first if items is None else items
    numbers = np.arange(first, first + count, dtype=np.int64)
    places = np.arange(n_inputs - 1, -1, -1)
    return signs_of(numbers[:, None] >> places & 1)
