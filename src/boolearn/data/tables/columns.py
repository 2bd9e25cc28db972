"""The columns of a table, whatever it comes as: a data frame, an array, or rows of a file."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.data.dataset import checked_names
from boolearn.data.frames import is_frame
from boolearn.data.values import is_missing
from boolearn.errors import DataError

Cells = npt.NDArray[Any]
"""A column: float64 with NaN where a value is missing, or words (dtype object) with None there."""

MISSING_WORDS = frozenset({"", "?", "na", "n/a", "nan", "null", "none"})
"""How files say that a value is missing, in small letters."""

_EXACT = 2**53
"""Up to here floating-point numbers hold all whole numbers."""
_WHOLE = re.compile(r"[+-]?[0-9]+")


class RowError(DataError):
    """A value is not what its column may hold; whoever read the table from a file can tell the line from ``row``."""

    def __init__(self, row: int, message: str) -> None:
        self.row = row
        super().__init__(message)


@dataclass(frozen=True)
class Columns:
    """Named columns of equal length, each of numbers or of words."""

    names: tuple[str, ...]
    cells: tuple[Cells, ...]
    named: bool = True
    """Whether the names came with the table."""

    def __len__(self) -> int:
        return len(self.cells[0])

    def column(self, name: str) -> Cells:
        return self.cells[self.names.index(name)]

    def without(self, name: str) -> Columns:
        """All columns but one."""
        kept = [place for place, other in enumerate(self.names) if other != name]
        return Columns(tuple(self.names[k] for k in kept), tuple(self.cells[k] for k in kept), self.named)


def as_columns(table: Any) -> Columns:
    """A pandas or polars data frame, a mapping from names to columns, an array or nested sequence of two axes."""
    if isinstance(table, Columns):
        return table
    if isinstance(table, Mapping) or is_frame(table):
        given = list(table) if isinstance(table, Mapping) else list(table.columns)
        names = checked_names("columns", given, len(given)) or ()
        columns = [_values(table[name]) for name in given]
    else:
        array = _as_array(table)
        if array.ndim != 2:
            raise DataError(
                f"a table must have two axes, items and columns. Got shape {array.shape} instead; for a single column "
                "use table.reshape(-1, 1)."
            )
        names = tuple(f"x{place}" for place in range(array.shape[1]))
        columns = list(array.T)
    if not columns or not len(columns[0]):
        none = "items" if columns else "columns"
        raise DataError(f"a table must have at least 1 item and 1 column. Got 0 {none} instead.")
    if len({len(column) for column in columns}) > 1:
        raise DataError("the columns of a table must be equally long.")
    named = isinstance(table, Mapping) or hasattr(table, "columns")
    return Columns(names, tuple(map(_cells, names, columns)), named)


def columns_of_text(names: Sequence[str], columns: Sequence[Sequence[str]], as_text: Collection[str] = ()) -> Columns:
    """Columns read from a file: numbers where all of a column are, else words; empty cells and ``?`` are missing.

    The columns ``as_text`` are words whatever they hold, as an earlier file had them: 01 is not the number 1 there.
    """
    read = (_read(name, column, name in as_text) for name, column in zip(names, columns, strict=True))
    return Columns(tuple(names), tuple(read))


def _as_array(table: Any) -> npt.NDArray[Any]:
    if hasattr(table, "toarray") or hasattr(table, "todense"):
        raise DataError("a table must be dense. Got a sparse matrix instead; use its toarray().")
    try:
        array = np.asarray(table)
    except ValueError as error:
        raise DataError(f"a table must have rows of equal length: {error}.") from error
    return array if array.dtype.kind != "U" else array.astype(object)


def _values(column: Any) -> npt.NDArray[Any]:
    values = column.to_numpy() if hasattr(column, "to_numpy") else np.asarray(column)
    if values.ndim != 1:
        raise DataError(f"a column must have one axis. Got shape {values.shape} instead.")
    return np.asarray(values)


def _cells(name: str, column: npt.NDArray[Any]) -> Cells:
    if column.dtype.kind in "mM":
        raise DataError(
            f"a column must hold numbers, bools or words. Got dates or times in {name!r} instead; make them numbers, "
            "such as days since the first."
        )
    if column.dtype.kind == "c":
        raise DataError(f"Complex data not supported: a column must hold numbers, bools or words. Got {column.dtype}.")
    if column.dtype.kind in "iu" and (column.max() > _EXACT or column.min() < -_EXACT):
        _check_exact(name, column.tolist())
    if column.dtype.kind in "biuf":
        return _finite(name, column.astype(np.float64))
    values = [None if is_missing(value) else value for value in column.tolist()]
    if all(value is None or isinstance(value, int | float | np.number | np.bool_) for value in values):
        _check_exact(name, values)
        return _finite(name, np.array([math.nan if value is None else float(value) for value in values]))
    return _words(value if value is None else as_word(value) for value in values)


def _check_exact(name: str, values: Iterable[Any]) -> None:
    """Tests compare floating-point numbers, and circuits in other languages the numbers themselves."""
    for row, value in enumerate(values):
        if isinstance(value, int | np.integer) and abs(int(value)) > _EXACT:
            raise RowError(
                row,
                f"the column {name!r} must hold whole numbers of at most 2^53, which floating-point numbers tell "
                f"apart. Got {value} instead; leave the column out, count from a later zero, or make it text.",
            )


def as_word(value: Any) -> str:
    """A value as the word of a category: 3 for 3.0."""
    return written(value) if isinstance(value, float) else str(value)


def written(number: float) -> str:
    """The shortest text that reads back as this number."""
    return str(int(number)) if abs(number) < 1e15 and number == int(number) else repr(float(number))


def _finite(name: str, column: npt.NDArray[np.float64], texts: Sequence[str] | None = None) -> npt.NDArray[np.float64]:
    infinite = np.isinf(column)
    if infinite.any():
        row = int(np.argmax(infinite))
        got = column[row] if texts is None else repr(texts[row])
        raise RowError(row, f"the column {name!r} must hold finite numbers. Got {got} instead.")
    return column


def _words(values: Iterable[str | None]) -> Cells:
    words = list(values)
    cells = np.empty(len(words), object)
    cells[:] = words
    return cells


def _read(name: str, column: Sequence[str], as_text: bool) -> Cells:
    cells = [None if cell.strip().casefold() in MISSING_WORDS else cell.strip() for cell in column]
    if as_text:
        return _words(cells)
    try:
        numbers = np.array([math.nan if cell is None else float(cell) for cell in cells])
    except ValueError:
        return _words(cells)
    if np.abs(numbers).max(initial=0.0, where=np.isfinite(numbers)) >= _EXACT:
        _check_exact(name, (int(cell) if cell is not None and _WHOLE.fullmatch(cell) else None for cell in cells))
    return _finite(name, numbers, column)
