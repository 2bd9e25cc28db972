"""Every input pattern, in the order of truth tables: pattern k holds the bits of k, the first input the highest."""

from __future__ import annotations

import numpy as np

from boolearn.data.signs import Signs, signs_of


def all_inputs(n_inputs: int, first: int = 0, items: int | None = None) -> Signs:
    """Shape (items, n_inputs): the patterns as ±1, from pattern ``first`` on."""
    count = (1 << n_inputs) - first if items is None else items
    numbers = np.arange(first, first + count, dtype=np.int64)
    places = np.arange(n_inputs - 1, -1, -1)
    return signs_of(numbers[:, None] >> places & 1)
