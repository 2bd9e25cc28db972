"""The Game of Life on a torus, and its relatives."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_integer, checked_integers, checked_room, generator
from boolearn.data.dataset import Dataset
from boolearn.data.signs import Signs, as_signs
from boolearn.errors import DataError, ParameterError

CONWAY = "B3/S23"

_LEAST_SIDE = 3  # on a smaller torus a cell would meet the same neighbour twice
_RULE = re.compile(r"B([0-8]*)/S([0-8]*)")


def life(
    height: int, width: int, steps: int, items: int, seed: int, rule: str = CONWAY, density: float = 0.5
) -> Dataset:
    """Random states of a torus of cells, read row by row, and the states ``steps`` later.

    ``density`` is the probability that a cell is alive in the first state. ``rule`` lists the numbers of live
    neighbours, of eight, with which a cell is born (B) and survives (S).
    """
    height = checked_integer("height", height, _LEAST_SIDE)
    width = checked_integer("width", width, _LEAST_SIDE)
    items = checked_integer("items", items, 1)
    checked_room("items", items, height * width)
    if isinstance(density, bool) or not isinstance(density, int | float | np.number) or not 0 <= density <= 1:
        raise ParameterError("density", "a number from 0 to 1", density)
    alive = generator(seed).random((items, height * width)) < density
    cells = np.where(alive, np.int8(1), np.int8(-1))
    names = tuple(f"x{row}_{column}" for row in range(height) for column in range(width))
    return Dataset(
        cells,
        evolve_life(cells, (height, width), steps, rule),
        input_names=names,
        output_names=tuple(name.replace("x", "y") for name in names),
    )


def evolve_life(cells: npt.ArrayLike, shape: tuple[int, int], steps: int, rule: str = CONWAY) -> Signs:
    """Shape (items, height · width) as ``cells``: the states ``steps`` later."""
    sides = checked_integers("shape", shape, _LEAST_SIDE, "two integers, height and width")
    if len(sides) != 2:
        raise ParameterError("shape", "two integers, height and width", shape)
    height, width = sides
    steps = checked_integer("steps", steps, 0)
    born, survives = _counts(rule)
    signs = as_signs(cells, "cells")
    if signs.ndim != 2 or signs.shape[1] != height * width:
        raise DataError(f"cells must have shape (items, {height * width}). Got {signs.shape} instead.")
    alive = (signs > 0).reshape(-1, height, width)
    for _ in range(steps):
        around = np.zeros(alive.shape, np.int64)
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                if down or right:
                    around += np.roll(alive, (down, right), axis=(1, 2))
        alive = np.where(alive, survives[around], born[around])
    return np.where(alive, np.int8(1), np.int8(-1)).reshape(signs.shape)


def _counts(rule: str) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
    """By the number of live neighbours: is a cell born, does it survive?"""
    found = _RULE.fullmatch(rule) if isinstance(rule, str) else None
    if not found:
        raise ParameterError("rule", "written as 'B3/S23', with digits from 0 to 8", rule)
    born, survives = ([str(count) in digits for count in range(9)] for digits in found.groups())
    return np.array(born), np.array(survives)
