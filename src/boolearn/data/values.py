"""What single values of an array are: Boolean in one of the ways to write it, numbers, or missing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

_VALUES_AT_A_TIME = 1 << 24

Array = npt.NDArray[Any]


def is_boolean(array: Array) -> bool:
    """Are the values all 0/1, all −1/+1 or truth values?"""
    return array.dtype == np.bool_ or all_among(array, (0, 1)) or all_among(array, (-1, 1))


def all_among(array: Array, both: tuple[int, int]) -> bool:
    """Is every value one of two?"""
    # In pieces, for arrays that live on a disk and are larger than the memory.
    step = max(1, _VALUES_AT_A_TIME // max(1, math.prod(array.shape[1:])))
    pieces = (array[first : first + step] for first in range(0, len(array), step)) if array.ndim else (array,)
    return all(((piece == both[0]) | (piece == both[1])).all() for piece in pieces)


def is_missing(value: object) -> bool:
    """None, NaN, and what pandas has for them."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(value, float) and math.isnan(value)


def as_numbers(array: Array) -> Array:
    """Objects that are all numbers or truth values as an array of them; any other array as it is."""
    if array.dtype != np.object_:
        return array
    kinds = {type(value) for value in array.flat}
    if not kinds or not all(issubclass(kind, bool | int | float | np.number | np.bool_) for kind in kinds):
        return array
    numbers = np.array(array.tolist())
    return array if numbers.dtype == np.object_ else numbers  # integers may be too long
