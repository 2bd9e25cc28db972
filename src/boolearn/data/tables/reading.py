"""CSV files as people have them: a header, columns of numbers, text and missing values, and a column to be learned."""

from __future__ import annotations

import warnings
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import numpy.typing as npt

from boolearn.data.csv_table import read_table
from boolearn.data.dataset import Dataset
from boolearn.data.signs import Signs
from boolearn.data.tables.binariser import TableBinariser
from boolearn.data.tables.columns import Cells, Columns, RowError, as_word, columns_of_text
from boolearn.data.tables.questions import is_number, present
from boolearn.errors import BoolearnError, FileError
from boolearn.files import PathLike, checked_path

_DELIMITERS = {".csv": ",", ".tsv": "\t"}
_MANY_CLASSES = 20
_HANDFUL, _NEARLY_ALL = 5, 0.75
"""More numbers than a handful, and at least this share of a column, and the rest may be slips."""


def read_raw(path: PathLike, as_text: Collection[str] = ()) -> tuple[Columns, list[int]]:
    """The columns of a file with a header, and the line of every item.

    For a binariser of an earlier file, ``as_text`` are its ``text_columns``: what a column holds must not be guessed
    anew from each file, or 01 and 02 would be numbers in a file that happens to lack the category x.
    """
    path = checked_path(path)
    ending = path.suffix.lower()
    if ending not in _DELIMITERS:
        raise FileError(path, None, f"a table with a target must be a .csv or .tsv file. Got the ending {ending!r}.")
    table = read_table(path, True, _DELIMITERS[ending])
    with errors_of(path, table.lines):
        return columns_of_text(table.names or [], table.columns, as_text), table.lines


@contextmanager
def errors_of(path: PathLike, lines: Sequence[int]) -> Iterator[None]:
    """What is wrong with the columns of a file becomes an error of this file, with the line of the row where known."""
    try:
        yield
    except FileError:
        raise
    except BoolearnError as error:
        raise FileError(path, lines[error.row] if isinstance(error, RowError) else None, str(error)) from error


def read_with_target(
    path: PathLike,
    target: str,
    *,
    bits: int = 4,
    binariser: TableBinariser | None = None,
    values: Sequence[str] | None = None,
) -> tuple[Dataset, TableBinariser, list[str]]:
    """A table as Boolean data: tests of its columns, and one output for each value of the target.

    A target with two values is one output, true for the second in the order of the alphabet. ``binariser`` and
    ``values`` are those of an earlier file, such as the training data; both are returned with the data.
    """
    path = Path(path)
    table, lines = read_raw(path, _text_columns(binariser, target, values))
    if target not in table.names:
        raise FileError(path, 1, f"must have a column {target!r} to be learned. Its columns are {list(table.names)}.")
    if len(table.names) < 2:
        raise FileError(path, 1, f"expected a column besides {target!r}.")
    words = _target_words(path, table.column(target), target, lines)
    known = sorted(set(words)) if values is None else list(values)
    if binariser is None:
        _warn_of_strays(path, table, lines)
    if values is None:
        _check_classes(path, table.column(target), target, len(known))
    if len(known) < 2:
        raise FileError(path, None, f"the column {target!r} must have at least two different values. Got {known}.")
    for word, line in zip(words, lines, strict=True):
        if word not in known:
            raise FileError(path, line, f"the column {target!r} must be one of {known}. Got {word!r} instead.")
    rest = table.without(target)
    with errors_of(path, lines):
        if binariser is None:
            binariser = TableBinariser.fit(rest, np.array(words), bits=bits)
        inputs = binariser.transform(rest)
        data = Dataset(
            inputs, one_hot(words, known), input_names=binariser.names, output_names=output_names(target, known)
        )
    return data, binariser, known


def read_to_predict(
    path: PathLike, target: str, binariser: TableBinariser, values: Sequence[str]
) -> tuple[Signs, list[str | None] | None]:
    """The bits of every row, and its value of the target where that is one of ``values``, those of training.

    A target to be filled in is missing in some rows or in all; None in the place of the list says that there is no such
    column.
    """
    table, lines = read_raw(path, _text_columns(binariser, target, values))
    with errors_of(path, lines):
        inputs = binariser.transform(table)
    if target not in table.names:
        return inputs, None
    are_numbers = all(map(is_number, values))
    cells = table.column(target)
    words = [
        as_word(float(cell)) if are_numbers and isinstance(cell, str) and is_number(cell) else as_word(cell)
        for cell in cells.tolist()
    ]
    known = present(cells) & np.isin(words, list(values))
    return inputs, [word if there else None for word, there in zip(words, known.tolist(), strict=True)]


def _text_columns(binariser: TableBinariser | None, target: str, values: Sequence[str] | None) -> set[str]:
    """The columns that an earlier file says to be text."""
    columns = set() if binariser is None else set(binariser.text_columns)
    return columns if values is None or all(map(is_number, values)) else columns | {target}


def output_names(target: str, values: Sequence[str]) -> tuple[str, ...]:
    """What the outputs are called: "species = setosa"."""
    return tuple(f"{target} = {value}" for value in (values[1:] if len(values) == 2 else values))


def one_hot(words: Sequence[str], values: Sequence[str]) -> Signs:
    """One bit for each value, or one in all where there are two."""
    told: npt.NDArray[np.str_] = np.array(values[1:] if len(values) == 2 else values)
    return np.where(np.array(words)[:, None] == told, np.int8(1), np.int8(-1))


def _check_classes(path: Path, cells: Cells, target: str, count: int) -> None:
    """Numbers that hardly ever repeat are measured or counted, and no names of classes."""
    if cells.dtype == object or count <= _MANY_CLASSES or 2 * count <= len(cells):
        return
    found = f"{count} different numbers in {len(cells)} rows"
    advice = "make classes of them first, such as ranges"
    if (cells != np.floor(cells)).any():
        raise FileError(path, None, f"the column {target!r} must hold classes. Got {found} instead; {advice}.")
    warnings.warn(f"{path}: the column {target!r} holds {found}, each a class of its own; {advice}.", stacklevel=3)


def _warn_of_strays(path: Path, table: Columns, lines: Sequence[int]) -> None:
    """One cell that is no number makes a whole column text, which may well be a slip."""
    for name, cells in zip(table.names, table.cells, strict=True):
        if cells.dtype != object:
            continue
        known = np.flatnonzero(present(cells)).tolist()
        strays = [row for row in known if not is_number(cells[row])]
        numbers = len(known) - len(strays)
        if strays and numbers > _HANDFUL and numbers >= _NEARLY_ALL * len(known):
            warnings.warn(
                f"{path}:{lines[strays[0]]}: the column {name!r} holds {cells[strays[0]]!r} here and {numbers} numbers "
                f"among {len(known)} values, so all of it is text, each value a category.",
                stacklevel=3,
            )


def _target_words(path: Path, cells: Cells, target: str, lines: Sequence[int]) -> list[str]:
    there = present(cells)
    if not there.all():
        line = lines[int(np.argmin(there))]
        raise FileError(path, line, f"the column {target!r} must have a value in every row. Got an empty cell instead.")
    return [as_word(cell) for cell in cells.tolist()]
