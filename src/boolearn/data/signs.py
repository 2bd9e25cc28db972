"""The two Boolean values are −1 and +1; users also write them as False/True or 0/1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.data.frames import check_collected, frame_array, in_order, is_frame
from boolearn.data.values import all_among, as_numbers
from boolearn.errors import DataError

Signs = npt.NDArray[np.int8]


def as_array(values: npt.ArrayLike, what: str) -> npt.NDArray[Any]:
    """The values as an array; what has no shape, such as rows of unequal length, is refused."""
    check_collected(values)
    if hasattr(values, "toarray"):  # SciPy's sparse arrays
        raise DataError(f"{what} must be a dense array. Got {type(values).__name__} instead; use its toarray().")
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise DataError(f"{what} must be given everywhere; only outputs may be masked. Got masked values instead.")
    try:
        array = np.asanyarray(values)
    except ValueError as error:
        raise DataError(f"{what} must be an array, all rows equally long. Got {error} instead.") from error
    if not array.ndim:
        raise DataError(f"{what} must be an array. Got {type(values).__name__} instead.")
    return array if isinstance(array, np.memmap) else as_numbers(np.asarray(array))


def as_inputs(values: Any, names: Sequence[str] | None = None, analog: bool = False) -> npt.NDArray[Any]:
    """Inputs as an array; columns of a frame are found by ``names`` where it has them."""
    if is_frame(values):
        return frame_array(in_order(values, names), "inputs", as_they_are=analog)
    return as_array(values, "inputs")


def as_signs(values: npt.ArrayLike, what: str) -> Signs:
    """Read a Boolean array written as ±1, as 0/1 or as truth values; give it back as ±1."""
    array = as_array(values, what)
    if array.dtype == np.int8 and all_among(array, (-1, 1)):
        return array
    if array.dtype == np.bool_:
        return np.where(array, np.int8(1), np.int8(-1))
    if array.dtype.kind not in "iuf":
        raise DataError(f"{what} must be Boolean (−1/+1, 0/1 or truth values). Got {array.dtype} instead.")
    if all_among(array, (-1, 1)):
        return array.astype(np.int8)
    bits = (array == 0) | (array == 1)
    if bits.all():
        return (2 * array - 1).astype(np.int8) if array.dtype.kind == "i" else signs_of(array)
    stranger = array[~bits & (array != -1)]
    if stranger.size:
        raise DataError(f"{what} must be Boolean (all −1/+1 or all 0/1). Got {stranger.flat[0]} instead.")
    raise DataError(f"{what} must be all −1/+1 or all 0/1. Got a mixture of −1 and 0 instead.")


def as_bits(signs: npt.NDArray[np.generic]) -> npt.NDArray[np.uint8]:
    """±1 as 1/0, the way files write it."""
    return (np.asarray(signs) > 0).astype(np.uint8)


def signs_of(values: npt.NDArray[np.generic]) -> Signs:
    """The sign of every value as ±1; zero counts as −1."""
    return np.where(np.asarray(values) > 0, np.int8(1), np.int8(-1))
