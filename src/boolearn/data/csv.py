"""CSV files: one item a line, the outputs in the last columns or in columns called by name."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.data.dataset import Dataset, InputKind
from boolearn.data.signs import Signs, as_bits
from boolearn.errors import BoolearnError, FileError, ParameterError
from boolearn.files import PathLike, opened, write_text

_TRUTH = {"true": "1", "false": "0"}
_INTEGER = re.compile(r"[+-]?[0-9]{1,15}")
_DECIMAL = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,3})?")


@dataclass(frozen=True)
class _Table:
    """The cells of a file by column, and the line every row came from."""

    path: Path
    names: list[str] | None
    columns: list[list[str]]
    lines: list[int]

    def name(self, column: int) -> str:
        return repr(self.names[column]) if self.names else f"column {column + 1}"

    def error(self, row: int, message: str) -> FileError:
        return FileError(self.path, self.lines[row], message)


def read_csv(
    path: PathLike,
    outputs: int | Sequence[str] = 1,
    *,
    header: bool | None = None,
    classes: Sequence[str] | None = None,
    generative: InputKind | None = None,
    delimiter: str = ",",
) -> Dataset:
    """Read a CSV file.

    outputs
        How many of the last columns are outputs, or the names of the columns that are.
    header
        Whether the first line holds names. By default it does when none of its cells is a number
        or a truth value.
    classes
        The labels in their order, when the numbering of classes must not depend on which of them
        the file happens to hold.
    generative
        The kind of code to be found; all columns are then outputs.

    Boolean cells are 0/1, −1/1 or true/false, one way per column. Inputs with a decimal point
    somewhere are analog and must lie from −1 to 1. A single output column whose cells are not
    Boolean holds class labels: they are numbered in rising order, and their texts become the
    names of the outputs.
    """
    path = Path(path)
    table = _read_table(path, header, delimiter)
    chosen = list(range(len(table.columns))) if generative else _output_columns(table, outputs)
    rest = sorted(set(range(len(table.columns))) - set(chosen))
    if not rest and not generative:
        raise FileError(path, 1, f"expected at least 1 input column beside {len(chosen)} outputs, found none.")
    try:
        labels = _labels(table, chosen, classes)
        targets: npt.NDArray[Any] = labels[0] if labels else _signs(table, chosen)
        output_names = labels[1] if labels else _names(table, chosen)
        inputs: npt.NDArray[Any]
        if generative:
            inputs, kind = np.empty((len(table.lines), 0), np.int8), generative
        elif any(_is_decimal(cell) for column in rest for cell in table.columns[column]):
            inputs, kind = _analog(table, rest), InputKind.ANALOG
        else:
            inputs, kind = _signs(table, rest), InputKind.BOOLEAN
        return Dataset(
            inputs,
            targets,
            input_kind=kind,
            classes=len(labels[1]) if labels else 0,
            input_names=_names(table, rest),
            output_names=output_names,
        )
    except FileError:
        raise
    except BoolearnError as error:
        raise FileError(path, 1, str(error)) from error


def write_csv(dataset: Dataset, path: PathLike, *, delimiter: str = ",") -> None:
    """Write a CSV file with a header; Boolean cells are 0 and 1, labels the names of their outputs."""
    inputs = list(dataset.input_names or (f"x{number}" for number in range(dataset.n_inputs)))
    cells: list[list[Any]] = (
        dataset.inputs.tolist() if dataset.input_kind is InputKind.ANALOG else as_bits(dataset.inputs).tolist()
    )
    names = dataset.output_names or tuple(
        str(number) if dataset.classes else f"y{number}" for number in range(dataset.n_output_nodes)
    )
    if dataset.classes:
        answers: list[list[Any]] = [[names[label]] for label in dataset.outputs.tolist()]
        heading = [*inputs, "class"]
    else:
        answers = as_bits(dataset.outputs).tolist()
        heading = [*inputs, *names]
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows([*row, *answer] for row, answer in zip(cells, answers, strict=True))
    write_text(path, text.getvalue())


def _read_table(path: Path, header: bool | None, delimiter: str) -> _Table:
    names: list[str] | None = None
    rows: list[list[str]] = []
    lines: list[int] = []
    width = 0
    for line, cells in _rows(path, delimiter):
        if not width:
            width = len(cells)
            if header or (header is None and not any(_is_value(cell) for cell in cells)):
                names = _checked_header(path, line, cells)
                continue
        if len(cells) != width:
            raise FileError(path, line, f"expected {width} cells, found {len(cells)}.")
        rows.append(cells)
        lines.append(line)
    if not rows:
        raise FileError(path, 1, "expected at least 1 item, found none.")
    return _Table(path, names, [list(column) for column in zip(*rows, strict=True)], lines)


def _rows(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Lines that are not blank, with their numbers."""
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
            stripped = [cell.strip() for cell in cells]
            if any(stripped):
                yield reader.line_num, stripped
    except csv.Error as error:
        raise FileError(path, max(reader.line_num, 1), f"is not a CSV file: {error}.") from error


def _checked_header(path: Path, line: int, names: list[str]) -> list[str]:
    seen = set()
    for name in names:
        if not name or name in seen:
            raise FileError(path, line, f"expected a different name for every column, found {_shown(name)}.")
        seen.add(name)
    return names


def _output_columns(table: _Table, outputs: int | Sequence[str]) -> list[int]:
    width = len(table.columns)
    if isinstance(outputs, int):
        if outputs < 1:
            raise ParameterError("outputs", "a positive number of columns or their names", outputs)
        if outputs >= width:
            raise FileError(table.path, 1, f"expected more than {outputs} columns, inputs and outputs, found {width}.")
        return list(range(width - outputs, width))
    wanted = [outputs] if isinstance(outputs, str) else list(outputs)
    if not wanted or len(set(wanted)) != len(wanted):
        raise ParameterError("outputs", "different names of columns, at least 1", outputs)
    if table.names is None:
        raise FileError(table.path, 1, "expected a header with the names of the output columns, found none.")
    for name in wanted:
        if name not in table.names:
            raise FileError(table.path, 1, f"expected a column called {_shown(name)}, found none.")
    return [table.names.index(name) for name in wanted]


def _labels(
    table: _Table, columns: list[int], classes: Sequence[str] | None
) -> tuple[npt.NDArray[np.int64], tuple[str, ...]] | None:
    """The class labels and their names; None when the outputs are Boolean."""
    if len(columns) > 1:
        if classes is not None:
            raise ParameterError("outputs", "a single column when classes are given", len(columns))
        return None
    cells = table.columns[columns[0]]
    if classes is None:
        different = set(cells)
        plain = {_TRUTH.get(cell.lower(), cell) for cell in different}
        if plain <= {"0", "1", "+1"} or plain <= {"-1", "1", "+1"}:
            return None
        integers = all(_INTEGER.fullmatch(cell) for cell in different)
        classes = sorted(different, key=(lambda cell: (int(cell), cell)) if integers else None)
    number = {label: index for index, label in enumerate(classes)}
    for row, cell in enumerate(cells):
        if not cell or cell not in number:
            raise table.error(row, f"expected a class label in {table.name(columns[0])}, found {_shown(cell)}.")
    if len(number) < 2 or len(number) != len(classes):
        raise FileError(table.path, 1, f"expected labels of 2 or more different classes, found {len(number)}.")
    return np.array([number[cell] for cell in cells], np.int64), tuple(classes)


def _signs(table: _Table, columns: list[int]) -> Signs:
    signs = np.empty((len(table.lines), len(columns)), np.int8)
    for place, column in enumerate(columns):
        cells = [_TRUTH.get(cell.lower(), cell) for cell in table.columns[column]]
        meaning = {"-1": -1, "1": 1, "+1": 1} if "-1" in cells else {"0": -1, "1": 1, "+1": 1}
        for row, cell in enumerate(cells):
            if cell not in meaning:
                mixed = " in a column with −1" if cell == "0" else ""
                raise table.error(
                    row,
                    f"expected 0/1, −1/1 or true/false in {table.name(column)}, "
                    f"found {_shown(table.columns[column][row])}{mixed}.",
                )
        signs[:, place] = [meaning[cell] for cell in cells]
    return signs


def _analog(table: _Table, columns: list[int]) -> npt.NDArray[np.float64]:
    values = np.empty((len(table.lines), len(columns)))
    for place, column in enumerate(columns):
        for row, cell in enumerate(table.columns[column]):
            if not (_DECIMAL.fullmatch(cell) and -1 <= float(cell) <= 1):
                raise table.error(row, f"expected a number from −1 to 1 in {table.name(column)}, found {_shown(cell)}.")
        values[:, place] = [float(cell) for cell in table.columns[column]]
    return values


def _names(table: _Table, columns: list[int]) -> tuple[str, ...] | None:
    return tuple(table.names[column] for column in columns) if table.names else None


def _is_value(cell: str) -> bool:
    return cell.lower() in _TRUTH or bool(_DECIMAL.fullmatch(cell))


def _is_decimal(cell: str) -> bool:
    return bool(_DECIMAL.fullmatch(cell)) and not _INTEGER.fullmatch(cell)


def _shown(cell: str) -> str:
    return repr(cell if len(cell) <= 40 else cell[:37] + "...")
