"""Open outputs: bits that the data leave unspecified (don't care). Any answer is right there, and none is counted.

Outputs hold ±1, and 0 where they are open. Users say what is open with a mask, or by leaving values out: NaN or
None in the outputs, or a NumPy masked array.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.data.signs import as_array, as_signs
from boolearn.data.values import is_missing
from boolearn.errors import DataError

Mask = npt.NDArray[np.bool_]

_FILLED = 1
"""Stands in open places while the rest is checked: Boolean in every way of writing it."""


def take_apart(outputs: npt.ArrayLike, mask: npt.ArrayLike | None = None) -> tuple[npt.NDArray[Any], Mask | None]:
    """Outputs with something Boolean where they are open, and where that is; None where all is specified."""
    hidden = np.ma.getmaskarray(outputs) if isinstance(outputs, np.ma.MaskedArray) else None
    array = as_array(np.ma.getdata(outputs) if isinstance(outputs, np.ma.MaskedArray) else outputs, "outputs")
    missing = _missing(array)
    given = None if mask is None else _checked_mask(mask, array.shape)
    masks = [part for part in (hidden, missing, given) if part is not None and part.any()]
    if not masks:
        return array, None
    where = np.logical_or.reduce(masks)
    if array.dtype == np.object_:
        array = np.array([_FILLED if gone else value for value, gone in zip(array.flat, where.flat, strict=True)])
        return array.reshape(where.shape), where
    return np.where(where, np.asarray(_FILLED).astype(array.dtype), array), where


def signs_with_open(outputs: npt.NDArray[Any], where: Mask | None, what: str) -> npt.NDArray[np.int8]:
    """Boolean outputs as ±1, and as 0 where they are open."""
    signs = as_signs(outputs, what)
    return signs if where is None else np.where(where, np.int8(0), signs)


def unspecified_outputs(targets: npt.NDArray[np.int8]) -> list[int]:
    """The outputs of which every bit is open: nothing says what they should be."""
    return [int(column) for column in np.flatnonzero(~(targets != 0).any(axis=0))]


def check_specified(targets: npt.NDArray[np.int8], names: tuple[str, ...] | None) -> None:
    """Refuse data that say nothing about an output."""
    for column in unspecified_outputs(targets):
        name = f" ({names[column]!r})" if names else ""
        raise DataError(
            f"every output must be specified for some item. Got output {column + 1}{name} open for all instead."
        )


def _missing(array: npt.NDArray[Any]) -> Mask | None:
    if array.dtype.kind == "f":
        return np.asarray(np.isnan(array))
    if array.dtype == np.object_:  # None among numbers
        flags = [is_missing(value) for value in array.flat]
        return np.array(flags, np.bool_).reshape(array.shape)
    return None


def _checked_mask(mask: npt.ArrayLike, shape: tuple[int, ...]) -> Mask:
    where = as_array(mask, "open")
    if where.dtype != np.bool_ or where.shape != shape:
        found = f"shape {where.shape} of {where.dtype}"
        raise DataError(f"open must be truth values of the outputs' shape {shape}. Got {found} instead.")
    return where
