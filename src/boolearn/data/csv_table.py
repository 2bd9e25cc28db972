"""The cells of a CSV file: by column, with the line every row came from, and what they can mean."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from boolearn.data.dataset import InputKind
from boolearn.data.signs import Signs
from boolearn.errors import FileError, ParameterError
from boolearn.files import opened

_TRUTH = {"true": "1", "false": "0"}
_INTEGER = re.compile(r"[+-]?[0-9]{1,15}")
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")
_WHOLE = {0.0: "0", 1.0: "1", -1.0: "-1"}


class CellError(FileError):
    """A cell holds something else than its column may hold."""


@dataclass(frozen=True)
class Table:
    """The cells of a file by column, the names of the columns, and the line every row came from."""

    path: Path
    names: list[str] | None
    columns: list[list[str]]
    lines: list[int]
    after_blank: set[int] = field(default_factory=set)
    """The rows with a blank line before them, which where rows follow in time may stand for one that is missing."""

    def name(self, column: int) -> str:
        return repr(self.names[column]) if self.names else f"column {column + 1}"

    def take(self, rows: Sequence[int]) -> Table:
        """Some of the rows."""
        columns = [[column[row] for row in rows] for column in self.columns]
        return Table(self.path, self.names, columns, [self.lines[row] for row in rows])

    def error(self, row: int, message: str) -> CellError:
        return CellError(self.path, self.lines[row], message)

    def names_of(self, columns: Sequence[int]) -> tuple[str, ...] | None:
        return tuple(self.names[column] for column in columns) if self.names else None

    def inputs(
        self, columns: Sequence[int], kind: InputKind | None = None
    ) -> tuple[Signs | npt.NDArray[np.float64], InputKind]:
        """Some columns as inputs of a kind; without one the cells decide."""
        if kind is None:
            cells = set[str]().union(*(self.columns[column] for column in columns))
            decimal = any(map(is_decimal, cells)) and not is_boolean(set(map(plain, cells)))
            kind = InputKind.ANALOG if decimal else InputKind.BOOLEAN
        return (self._analog(columns) if kind is InputKind.ANALOG else self.signs(columns)), kind

    def open_cells(self, columns: Sequence[int]) -> npt.NDArray[np.bool_]:
        """Shape (rows, columns): the cells that are empty."""
        return np.array([[not cell for cell in self.columns[column]] for column in columns], np.bool_).T

    def signs(self, columns: Sequence[int], *, may_be_open: bool = False) -> Signs:
        """Some columns as Boolean values, each written in its own way; an empty cell, where it may be, is 0."""
        signs = np.empty((len(self.lines), len(columns)), np.int8)
        for place, column in enumerate(columns):
            ways = {cell: plain(cell) for cell in set(self.columns[column])}  # few, however many items
            cells = [ways[cell] for cell in self.columns[column]]
            meaning = {"-1": -1, "1": 1} if "-1" in cells else {"0": -1, "1": 1}
            if may_be_open:
                meaning[""] = 0
            for row, cell in enumerate(cells):
                if cell not in meaning:
                    mixed = " in a column with −1" if cell == "0" else ""
                    raise self.error(
                        row,
                        f"expected 0/1, −1/1 or true/false in {self.name(column)}, "
                        f"found {shown(self.columns[column][row])}{mixed}.",
                    )
            signs[:, place] = [meaning[cell] for cell in cells]
        return signs

    def labels(self, column: int, classes: Sequence[str]) -> npt.NDArray[np.int64]:
        """A column of class labels by their numbers."""
        number = {label: index for index, label in enumerate(classes)}
        for row, cell in enumerate(self.columns[column]):
            if not cell or cell not in number:
                known = ", ".join(map(shown, classes[:8])) + (", …" if len(classes) > 8 else "")
                raise self.error(row, f"expected a class label ({known}) in {self.name(column)}, found {shown(cell)}.")
        return np.array([number[cell] for cell in self.columns[column]], np.int64)

    def _analog(self, columns: Sequence[int]) -> npt.NDArray[np.float64]:
        values = np.empty((len(self.lines), len(columns)))
        for place, column in enumerate(columns):
            for row, cell in enumerate(self.columns[column]):
                if not (_DECIMAL.fullmatch(cell) and -1 <= float(cell) <= 1):
                    raise self.error(
                        row, f"expected a number from −1 to 1 in {self.name(column)}, found {shown(cell)}."
                    )
            values[:, place] = [float(cell) for cell in self.columns[column]]
        return values


def read_table(path: Path, header: bool | None, delimiter: str) -> Table:
    """The cells; without ``header`` the first line holds names when none of its cells is a value."""
    names: list[str] | None = None
    rows: list[list[str]] = []
    lines: list[int] = []
    after_blank: set[int] = set()
    width = 0
    for line, cells in _rows(path, checked_delimiter(delimiter)):
        if not cells:
            after_blank.add(len(rows))
            continue
        if not width:
            width = len(cells)
            if width == 1 and ";" in cells[0]:
                raise FileError(path, line, f"expected {delimiter!r} between columns, found ';'.")
            if header or (header is None and not any(is_value(cell) for cell in cells)):
                names = _checked_header(path, line, cells)
                continue
        if len(cells) != width:
            raise FileError(path, line, f"expected {width} cells, found {len(cells)}.")
        rows.append(cells)
        lines.append(line)
    if not rows:
        raise FileError(path, 1, "expected at least 1 item, found none.")
    return Table(path, names, [list(column) for column in zip(*rows, strict=True)], lines, after_blank)


def checked_delimiter(delimiter: str) -> str:
    if not isinstance(delimiter, str) or len(delimiter) != 1 or delimiter in '"\r\n':
        raise ParameterError("delimiter", "one character, not a quote or the end of a line", delimiter)
    return delimiter


def plain(cell: str) -> str:
    """The cell, or the one way among several in which 0, 1 or −1 may be written: 1 for true, +1, 1.0."""
    word = _TRUTH.get(cell.lower(), cell)
    return _WHOLE.get(float(word), cell) if _DECIMAL.fullmatch(word) else cell


def is_boolean(cells: set[str]) -> bool:
    """Whether plain cells are all 0/1 or all −1/1."""
    return cells <= {"0", "1"} or cells <= {"-1", "1"}


def is_value(cell: str) -> bool:
    return cell.lower() in _TRUTH or bool(_DECIMAL.fullmatch(cell))


def is_whole(cell: str) -> bool:
    return bool(_INTEGER.fullmatch(cell))


def is_decimal(cell: str) -> bool:
    return bool(_DECIMAL.fullmatch(cell)) and not _INTEGER.fullmatch(cell)


def shown(cell: str) -> str:
    return repr(cell if len(cell) <= 40 else cell[:37] + "...")


def _rows(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Lines with their numbers; a blank one has no cells, but one of delimiters alone is a row of empty cells."""
    with opened(path) as stream:
        content = stream.read()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileError(
            path, line, f"is not a CSV file: expected UTF-8, found byte 0x{content[error.start]:02x}."
        ) from error
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for cells in reader:
            blank = len(cells) == 1 and cells[0].isspace()  # but a quoted cell with nothing in it is a row
            yield reader.line_num, [] if blank else [cell.strip() for cell in cells]
    except csv.Error as error:
        raise FileError(path, max(reader.line_num, 1), f"is not a CSV file: {error}.") from error


def _checked_header(path: Path, line: int, names: list[str]) -> list[str]:
    seen = set()
    for number, name in enumerate(names, 1):
        if not name:
            raise FileError(path, line, f"expected a name for every column, found none for column {number}.")
        if name in seen:
            raise FileError(path, line, f"expected a different name for every column, found {shown(name)}.")
        seen.add(name)
    return names
