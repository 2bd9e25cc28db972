"""Time series and transitions from CSV files: one state a row, in the order of time."""

from __future__ import annotations

import itertools
import re
import warnings
from pathlib import Path

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
TIME = "time"
"""The column by which the order of the rows is checked."""
_ROUNDING = 0.1
"""By this share steps of time may differ and count as equal: a third of an hour is written as 0.33 or 0.34."""
_METHODS = ("clusters", "otsu", "median")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")


def read_series(path: PathLike, *, binarise: str = "clusters", asynchronous: bool = False) -> Transitions:
    """Read the transitions of one or several time series from a ``.csv`` or ``.tsv`` file with a heading.

    Rows are states in the order of time. A column ``series`` says to which series a row belongs. Numbers in a column
    ``time`` must rise within a series; steps of different lengths are a warning, unless ``asynchronous``. Without such
    numbers the rows of a series stand together. Both headings may have capital letters. Real values become Boolean
    at a threshold for each variable, chosen by ``binarise``: ``"clusters"``, ``"otsu"`` or ``"median"``; see
    :class:`boolearn.data.Threshold`.
    """
    checked_choice("binarise", binarise, _METHODS)
    name = checked_path(path)
    table = read_table(name, True, COLUMNS.get(name.suffix.lower(), ","))
    headings = table.names or []
    series, time = _column(name, headings, SERIES), _column(name, headings, TIME)
    columns = [place for place in range(len(headings)) if place not in (series, time)]
    if not columns:
        raise FileError(name, 1, "expected at least 1 variable, found none.")
    try:
        check_names(headings[column] for column in columns)
    except DataError as error:
        raise FileError(name, 1, str(error)) from error
    states = np.stack([_states(table, column, binarise) for column in columns], axis=1)
    times = None if time is None else _times(table, time)
    parts = _parts(table, [""] * len(states) if series is None else table.columns[series], times is not None)
    if times is not None:
        _check_times(table, parts, times, equal_steps=not asynchronous)
    try:
        return Transitions.from_series(
            [states[rows] for rows in parts], [headings[column] for column in columns], asynchronous=asynchronous
        )
    except FileError:
        raise
    except BoolearnError as error:
        raise FileError(name, None, str(error)) from error


def _column(path: Path, headings: list[str], wanted: str) -> int | None:
    """Where the column of this name stands, in small or capital letters."""
    found = [place for place, heading in enumerate(headings) if heading.lower() == wanted]
    if len(found) > 1:
        names = " and ".join(shown(headings[place]) for place in found)
        raise FileError(path, 1, f"expected one column {wanted!r}, found {names}.")
    return found[0] if found else None


def _parts(table: Table, labels: list[str], have_times: bool) -> list[list[int]]:
    """The rows of every series. Only times can tell that series whose rows take turns are in order."""
    parts: dict[str, list[int]] = {}
    for row, label in enumerate(labels):
        follows = row > 0 and labels[row - 1] == label
        if label in parts and not follows and not have_times:
            raise table.error(row, f"expected the rows of a series together, found {_called(label)} again.")
        if follows and row in table.after_blank:
            raise table.error(
                row, f"expected no blank line within a series, found one. A column {SERIES!r} tells series apart."
            )
        parts.setdefault(label, []).append(row)
    for label, rows in parts.items():
        if len(rows) < 2:
            raise table.error(rows[0], f"expected at least 2 states in {_called(label)}, found {len(rows)}.")
    return list(parts.values())


def _called(label: str) -> str:
    return f"series {shown(label)}" if label else "the series"


def _times(table: Table, column: int) -> npt.NDArray[np.float64] | None:
    """The times; None where none is a number, as in "day 1": such names say nothing about order."""
    cells = table.columns[column]
    numbers = [bool(_NUMBER.fullmatch(cell)) for cell in cells]
    if not any(numbers):
        return None
    if not all(numbers):
        row = numbers.index(False)
        raise table.error(row, f"expected a number in {table.name(column)}, found {shown(cells[row])}.")
    return np.array([float(cell) for cell in cells])


def _check_times(table: Table, parts: list[list[int]], times: npt.NDArray[np.float64], *, equal_steps: bool) -> None:
    """Refuse times that do not rise, and warn of steps of different lengths: all are taken as one update."""
    pairs = [pair for rows in parts for pair in itertools.pairwise(rows)]
    for before, row in pairs:
        if times[row] <= times[before]:
            raise table.error(
                row, f"expected times that rise within a series, found {times[row]:g} after {times[before]:g}."
            )
    usual = float(np.median([times[row] - times[before] for before, row in pairs]))
    for before, row in pairs:
        step = times[row] - times[before]
        if equal_steps and abs(step - usual) > _ROUNDING * usual:
            warnings.warn(
                f"{table.path}:{table.lines[row]}: a step of time of {step:g} where most are of {usual:g}; "
                "each counts as one update.",
                stacklevel=3,
            )
            return


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
