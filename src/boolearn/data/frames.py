"""Data frames of pandas and polars as arrays, with the names of their columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.data.values import as_numbers, is_boolean, is_missing
from boolearn.errors import DataError

Array = npt.NDArray[Any]

_TABLES = "boolearn.data.tables.TableBinariser makes tests of such columns, and BTFClassifier takes them as they are"


def is_frame(values: object) -> bool:
    """Whether the values are columns with names, as pandas and polars keep them."""
    check_collected(values)  # first: a query computes its columns when asked for them
    return hasattr(values, "columns") and hasattr(values, "__getitem__") and not isinstance(values, np.ndarray)


def check_collected(values: object) -> None:
    """Refuse a query of polars that has not been carried out."""
    if type(values).__name__ == "LazyFrame":
        raise DataError("a frame must hold its values. Got a LazyFrame instead; collect() it first.")


def column_names(values: Any) -> tuple[str, ...] | None:
    """The names of a frame's columns; columns that are only numbered have none."""
    names = list(values.columns) if is_frame(values) else []
    return tuple(map(str, names)) if any(isinstance(name, str) for name in names) else None


def series_name(values: Any) -> tuple[str] | None:
    """The name of a single column."""
    name = None if is_frame(values) else getattr(values, "name", None)
    return (name,) if isinstance(name, str) and name else None


def in_order(values: Any, names: Sequence[str] | None) -> Any:
    """A frame with the columns that a model knows by name, in its order; anything else as it is.

    A frame of which no column has a name that the model knows is taken by place.
    """
    found = column_names(values)
    if found is None or names is None or found == tuple(names) or not set(found) & set(names):
        return values
    missing = [name for name in names if name not in found]
    if missing:
        raise DataError(f"a frame must have the columns {list(names)}. Missing are {missing}.")
    return values[list(names)]


def frame_array(frame: Any, what: str, as_they_are: bool = False) -> Array:
    """The cells of a frame, which must be numbers or truth values.

    Columns may write Boolean values each in its own way; they are then made ±1, unless ``as_they_are``.
    """
    columns = [_cells(frame[name], name, what) for name in frame.columns]
    if not columns:
        raise DataError(f"{what} must have at least 1 column. Got 0 instead.")
    array = np.column_stack(columns)
    if as_they_are or is_boolean(array) or not all(map(is_boolean, columns)):
        return array
    return np.where(array > 0, np.int8(1), np.int8(-1))


def _cells(column: Any, name: object, what: str) -> Array:
    array = np.asarray(column.to_numpy() if hasattr(column, "to_numpy") else column)
    if array.ndim != 1:
        raise DataError(f"{what} must have a different name for every column. Got {name!r} more than once instead.")
    if array.dtype.kind in "biu":
        return array
    if array.dtype.kind == "f":
        gaps = np.isnan(array)
    else:
        array = array.astype(np.object_)
        gaps = np.array([is_missing(value) for value in array.tolist()], np.bool_)
    if gaps.any():
        item = int(np.argmax(gaps))
        raise DataError(f"{what} must be given everywhere. Got none in column {name!r}, item {item}; {_TABLES}.")
    array = as_numbers(array)
    if array.dtype.kind not in "biuf":
        raise DataError(f"{what} must be numbers or truth values. Got {array[0]!r} in column {name!r}; {_TABLES}.")
    return array
