"""Which items an AdamW step sees, as the paper's supplement compares them. Endless; the seed decides the order."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_integer, generator

Batch = npt.NDArray[np.intp]


def cyclic(items: int, size: int, seed: int) -> Iterator[Batch]:
    """One order of the items, repeated for ever."""
    size = checked_integer("size", size, 1, items)
    order = generator(seed).permutation(items)
    while True:
        yield from _pieces(order, size)


def reshuffled(items: int, size: int, seed: int) -> Iterator[Batch]:
    """A new order for every pass through the items."""
    size = checked_integer("size", size, 1, items)
    rng = generator(seed)
    while True:
        yield from _pieces(rng.permutation(items), size)


def fixed_subset(items: int, size: int, seed: int) -> Iterator[Batch]:
    """The same items in every step; the others are never seen."""
    size = checked_integer("size", size, 1, items)
    subset = generator(seed).permutation(items)[:size]
    while True:
        yield subset


def _pieces(order: Batch, size: int) -> Iterator[Batch]:
    """The last one is smaller where the size does not divide the number of items."""
    return (order[first : first + size] for first in range(0, len(order), size))
