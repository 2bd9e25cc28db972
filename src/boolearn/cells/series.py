"""Time series and transitions from CSV files: one state a row, in the order of time."""

from __future__ import annotations

import itertools
import re

import numpy as np
import numpy.typing as npt

from boolearn.cells.expressions import check_names
from boolearn.cells.transitions import Transitions
from boolearn.checks import checked_choice
from boolearn.data.binarise import Threshold
from boolearn.data.csv_table import Table, is_boolean, plain, read_table, shown
from boolearn.data.reading import COLUMNS
from boolearn.errors import BoolearnError, DataError, FileError
from boolearn.files import PathLike, checked_path, opened

SERIES = "series"
"""The column that tells several series apart."""
TIMES = ("time", "Time")
"""Columns that are left out: the rows are in the order of time anyway."""
_METHODS = ("clusters", "otsu", "median")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")


def read_series(path: PathLike, *, binarise: str = "clusters", asynchronous: bool = False) -> Transitions:
    """Read the transitions of one or several time series from a ``.csv`` or ``.tsv`` file with a heading.

    Rows are states in the order of time. A column ``series`` says to which series a row belongs; rows of a series stand
    together. A column ``time`` is not used. Real values become Boolean at a threshold for each variable, chosen by
    ``binarise``: ``"clusters"``, ``"otsu"`` or ``"median"``; see :class:`boolearn.data.Threshold`.
    """
    checked_choice("binarise", binarise, _METHODS)
    name = checked_path(path)
    table = read_table(name, True, COLUMNS.get(name.suffix.lower(), ","))
    headings = table.names or []
    columns = [place for place, heading in enumerate(headings) if heading not in (SERIES, *TIMES)]
    if not columns:
        raise FileError(name, 1, "expected at least 1 variable, found none.")
    try:
        check_names(headings[column] for column in columns)
    except DataError as error:
        raise FileError(name, 1, str(error)) from error
    states = np.stack([_states(table, column, binarise) for column in columns], axis=1)
    labels = table.columns[headings.index(SERIES)] if SERIES in headings else [""] * len(states)
    try:
        return Transitions.from_series(
            _parts(table, labels, states), [headings[column] for column in columns], asynchronous=asynchronous
        )
    except FileError:
        raise
    except BoolearnError as error:
        raise FileError(name, None, str(error)) from error


def _parts(table: Table, labels: list[str], states: npt.NDArray[np.bool_]) -> list[npt.NDArray[np.bool_]]:
    """The rows of every series."""
    parts, seen, first = [], set(), 0
    for label, rows in itertools.groupby(labels):
        count = len(list(rows))
        what = f"series {shown(label)}" if label else "the series"
        if label in seen:
            raise table.error(first, f"expected the rows of a series together, found {what} again.")
        if count < 2:
            raise table.error(first, f"expected at least 2 states in {what}, found {count}.")
        seen.add(label)
        parts.append(states[first : first + count])
        first += count
    return parts


def _states(table: Table, column: int, binarise: str) -> npt.NDArray[np.bool_]:
    """A column as truth values; real values above their threshold are true, and a constant column is false."""
    cells = table.columns[column]
    if is_boolean({plain(cell) for cell in cells}):
        return np.asarray(table.signs([column])[:, 0] > 0)
    for row, cell in enumerate(cells):
        if not _NUMBER.fullmatch(cell):
            raise table.error(row, f"expected a number or a truth value in {table.name(column)}, found {shown(cell)}.")
    values = np.array([float(cell) for cell in cells])
    if len(np.unique(values)) < 2:
        return np.zeros(len(values), bool)
    return np.asarray(Threshold.fit(values[:, None], binarise).transform(values[:, None])[:, 0] > 0)


def read_possible(path: PathLike) -> dict[str, list[str]]:
    """Prior knowledge from a text file: lines ``variable: regulator, regulator``; ``#`` begins a comment."""
    name = checked_path(path)
    with opened(name) as stream:
        text = stream.read().decode("utf-8-sig", "backslashreplace")
    found: dict[str, list[str]] = {}
    for number, line in enumerate(text.splitlines(), 1):
        stated = line.partition("#")[0].strip()
        target, colon, regulators = (part.strip() for part in stated.partition(":"))
        if not stated:
            continue
        if not colon or not target or target in found:
            raise FileError(
                name, number, f"expected 'variable: regulator, …', each variable once, found {shown(stated)}."
            )
        found[target] = [part.strip() for part in regulators.split(",") if part.strip()]
    return found
