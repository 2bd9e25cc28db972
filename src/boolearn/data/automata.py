"""Cellular automata: rows of cells that all change by one local rule."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_integer, checked_room, generator
from boolearn.data.dataset import Dataset
from boolearn.data.signs import Signs, as_signs
from boolearn.errors import DataError, ParameterError

_MOST_NEIGHBOURS = 21  # a rule is then a number of 2^21 bits


def automaton(rule: int, size: int, steps: int, items: int, seed: int, neighbours: int = 3) -> Dataset:
    """Random states of a periodic world of ``size`` cells, and the states ``steps`` later.

    Rules are numbered as Wolfram does: with ``neighbours`` cells in view, read as a binary number
    v from left to right, a cell becomes bit v of the rule's number. Rule 30 on three cells is
    new = left XOR (centre OR right).
    """
    if checked_integer("neighbours", neighbours, 1, _MOST_NEIGHBOURS) % 2 == 0:
        raise ParameterError("neighbours", f"an odd integer from 1 to {_MOST_NEIGHBOURS}", neighbours)
    size = checked_integer("size", size, 1)
    items = checked_integer("items", items, 1)
    checked_room("items", items, size)
    cells = generator(seed).integers(0, 2, (items, size), np.int8) * np.int8(2) - np.int8(1)
    return Dataset(cells, evolve(cells, rule, steps, neighbours))


def evolve(cells: npt.ArrayLike, rule: int, steps: int, neighbours: int = 3) -> Signs:
    """Shape (items, size) as ``cells``: the states ``steps`` later.

    A cell sees neighbours // 2 cells to its left and as many to its right; when ``neighbours``
    is even, one less to its right.
    """
    neighbours = checked_integer("neighbours", neighbours, 1, _MOST_NEIGHBOURS)
    table = _rule_table(rule, neighbours)
    steps = checked_integer("steps", steps, 0)
    signs = as_signs(cells, "cells")
    if signs.ndim != 2:
        raise DataError(f"cells must have two axes, items and cells. Got shape {signs.shape} instead.")
    state = (signs > 0).astype(np.int64)
    left = neighbours // 2
    for _ in range(steps):
        view = np.zeros_like(state)
        for offset in range(-left, neighbours - left):
            view = 2 * view + np.roll(state, -offset, axis=1)
        state = table[view]
    return (2 * state - 1).astype(np.int8)


def _rule_table(rule: int, neighbours: int) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Shape (2^neighbours,): what a cell becomes, by what it sees."""
    views = 1 << neighbours
    if isinstance(rule, bool) or not isinstance(rule, int | np.integer) or rule < 0 or int(rule) >> views:
        raise ParameterError("rule", f"an integer from 0 to 2^{views} − 1 for {neighbours} neighbours", _brief(rule))
    digits = int(rule).to_bytes(max(1, views // 8), "little")
    return np.unpackbits(np.frombuffer(digits, np.uint8), bitorder="little")[:views].astype(np.int64)


def _brief(rule: object) -> object:
    """Rules may be numbers of a million digits, which no message should hold (nor Python print)."""
    if isinstance(rule, int) and abs(rule) >> 128:
        return f"an integer of {rule.bit_length()} bits"
    return rule
