"""CSV files: one item a line, the outputs in the last columns or in columns called by name."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.checks import is_integer
from boolearn.data.csv_table import (
    Table,
    checked_delimiter,
    is_boolean,
    is_value,
    is_whole,
    plain,
    read_table,
    shown,
)
from boolearn.data.dataset import Dataset, InputKind
from boolearn.data.open_outputs import unspecified_outputs
from boolearn.data.signs import as_bits
from boolearn.errors import BoolearnError, DataError, FileError, ParameterError
from boolearn.files import PathLike, checked_path, write_text

_OPEN_MARKS = {"-", "x", "*", "dc"}
"""What other formats write for a bit that may be anything."""


def read_csv(
    path: PathLike,
    outputs: int | Sequence[str] = 1,
    *,
    header: bool | None = None,
    classes: Sequence[str] | None = None,
    generative: InputKind | None = None,
    input_kind: InputKind | None = None,
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
    input_kind
        BOOLEAN or ANALOG, when the cells must not decide it.

    Boolean cells are 0/1, −1/1 or true/false, one way per column; 1.0 counts as 1. Inputs with a
    decimal point somewhere are analog and must lie from −1 to 1, unless all of them together are
    0/1 or all −1/1. An empty cell leaves a Boolean output open. A single output column whose cells are
    not Boolean holds class labels: they are numbered in rising order, and their texts become the names of
    the outputs.
    """
    path = checked_path(path)
    _check_kinds(generative, input_kind)
    table = read_table(path, header, delimiter)
    chosen = list(range(len(table.columns))) if generative else output_columns(table, outputs)
    rest = sorted(set(range(len(table.columns))) - set(chosen))
    if not rest and not generative:
        raise FileError(path, 1, f"expected at least 1 input column beside {len(chosen)} outputs, found none.")
    dataset = dataset_of(table, rest, chosen, classes=classes, generative=generative, input_kind=input_kind)
    for place in unspecified_outputs(dataset.targets) if dataset.open is not None else ():
        raise FileError(
            path, table.lines[0], f"expected a value in {table.name(chosen[place])}, found every cell empty."
        )
    return dataset


def dataset_of(
    table: Table,
    inputs: Sequence[int],
    outputs: Sequence[int],
    *,
    classes: Sequence[str] | None = None,
    generative: InputKind | None = None,
    input_kind: InputKind | None = None,
) -> Dataset:
    """The data in chosen columns of a table."""
    try:
        names = _class_names(table, outputs, classes)
        values: npt.NDArray[Any]
        if generative:
            values, kind = np.empty((len(table.lines), 0), np.int8), generative
        else:
            values, kind = table.inputs(inputs, input_kind)
        return Dataset(
            values,
            table.labels(outputs[0], names) if names else table.signs(outputs, may_be_open=True),
            input_kind=kind,
            classes=len(names) if names else 0,
            input_names=table.names_of(inputs),
            output_names=tuple(names) if names else table.names_of(outputs),
            open=None if names else table.open_cells(outputs),
        )
    except FileError:
        raise
    except BoolearnError as error:
        raise FileError(table.path, 1, str(error)) from error


def write_csv(dataset: Dataset, path: PathLike, *, delimiter: str = ",") -> None:
    """Write a CSV file with a header; Boolean cells are 0 and 1, empty where open, labels their names.

    Data that :func:`read_csv`, told how many outputs there are, would read as something else are
    refused: the file has no place to say how many classes there are or what the inputs mean.
    """
    inputs = list(dataset.input_names or (f"x{number}" for number in range(dataset.n_inputs)))
    names = dataset.output_names or tuple(
        str(number) if dataset.classes else f"y{number}" for number in range(dataset.n_output_nodes)
    )
    heading = [*inputs, "class"] if dataset.classes else [*inputs, *names]
    problem = (
        _unreadable_inputs(dataset)
        or _unreadable_heading(heading)
        or _unreadable_classes(dataset, names)
        or _unreadable_outputs(dataset, names)
    )
    if problem:
        raise DataError(f"{Path(path)}: a CSV file cannot hold these data: {problem}; .npz files can.")
    cells: list[list[Any]] = (
        dataset.inputs.tolist() if dataset.input_kind is InputKind.ANALOG else as_bits(dataset.inputs).tolist()
    )
    answers: list[list[Any]] = (
        [[names[label]] for label in dataset.outputs.tolist()] if dataset.classes else _answers(dataset)
    )
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=checked_delimiter(delimiter), lineterminator="\n")
    writer.writerow(heading)
    writer.writerows([*row, *answer] for row, answer in zip(cells, answers, strict=True))
    write_text(path, text.getvalue())


def _unreadable_inputs(dataset: Dataset) -> str | None:
    if dataset.input_kind.free:
        return "it would not say that its inputs are free"
    values = dataset.inputs
    if dataset.input_kind is InputKind.ANALOG and (np.isin(values, (0, 1)).all() or np.isin(values, (-1, 1)).all()):
        return "its analog inputs are all 0/1 or all −1/1 and would be read as Boolean"
    return None


def _unreadable_heading(heading: Sequence[str]) -> str | None:
    seen = set()
    for name in heading:
        if is_value(name):
            return f"the column {shown(name)} has a number or a truth value for a name"
        if name in seen:
            return f"two columns would be called {shown(name)}"
        seen.add(name)
        if not _is_kept(name):
            return f"the name {shown(name)} would be read as another"
    return None


def _unreadable_classes(dataset: Dataset, names: Sequence[str]) -> str | None:
    if not dataset.classes:
        return None
    if is_boolean({plain(name) for name in names}):
        return f"its classes are called {' and '.join(map(shown, names))} and would be read as Boolean"
    if list(names) != _in_order(set(names)):
        return "the names of its classes are not in rising order"
    for number, name in enumerate(names):
        if not _is_kept(name):
            return f"the name {shown(name)} would be read as another"
        if not (dataset.outputs == number).any():
            return f"no item is of class {shown(name)}"
    return None


def _unreadable_outputs(dataset: Dataset, names: Sequence[str]) -> str | None:
    unspecified = unspecified_outputs(dataset.targets) if dataset.open is not None else []
    return f"every bit of the output {shown(names[unspecified[0]])} is open" if unspecified else None


def _answers(dataset: Dataset) -> list[list[Any]]:
    bits: list[list[Any]] = as_bits(dataset.outputs).tolist()
    if dataset.open is not None:
        for item, output in np.argwhere(dataset.open).tolist():
            bits[item][output] = ""
    return bits


def _is_kept(name: str) -> bool:
    """Whether a text comes back from a file as it was: no white space around it, no bare return, only Unicode."""
    return (
        "\r" not in name
        and name == name.strip().lstrip("\ufeff")
        and not any("\ud800" <= letter <= "\udfff" for letter in name)
    )


def _in_order(labels: set[str]) -> list[str]:
    integers = all(is_whole(label) for label in labels)
    return sorted(labels, key=(lambda label: (int(label), label)) if integers else None)


def _check_kinds(generative: InputKind | None, input_kind: InputKind | None) -> None:
    if generative is not None and not (isinstance(generative, InputKind) and generative.free):
        raise ParameterError("generative", "InputKind.ANY_CODE or InputKind.ONE_HOT_CODE", generative)
    if input_kind is not None and (not isinstance(input_kind, InputKind) or input_kind.free or generative):
        rule = "left out with generative" if generative else "InputKind.BOOLEAN or InputKind.ANALOG"
        raise ParameterError("input_kind", rule, input_kind)


def output_columns(table: Table, outputs: int | Sequence[str]) -> list[int]:
    """The columns meant by how many of the last ones, or by their names."""
    width = len(table.columns)
    if is_integer(outputs):
        if outputs < 1:
            raise ParameterError("outputs", "a positive number of columns or their names", outputs)
        if outputs >= width:
            raise FileError(table.path, 1, f"expected more than {outputs} columns, inputs and outputs, found {width}.")
        return list(range(width - outputs, width))
    wanted = [outputs] if isinstance(outputs, str) else outputs
    if not isinstance(wanted, list | tuple) or not all(isinstance(name, str) for name in wanted):
        raise ParameterError("outputs", "a positive number of columns or their names", outputs)
    if not wanted or len(set(wanted)) != len(wanted):
        raise ParameterError("outputs", "different names of columns, at least 1", outputs)
    if table.names is None:
        raise FileError(table.path, 1, "expected a header with the names of the output columns, found none.")
    for name in wanted:
        if name not in table.names:
            raise FileError(table.path, 1, f"expected a column called {shown(name)}, found none.")
    return [table.names.index(name) for name in wanted]


def _check_no_marks(table: Table, column: int, labels: set[str]) -> None:
    """Where all other labels are bits, what marks an open bit elsewhere is no class."""
    marks = {label for label in labels if label.casefold() in _OPEN_MARKS}
    if marks and is_boolean({plain(cell) for cell in labels - marks if cell}):
        row = next(row for row, cell in enumerate(table.columns[column]) if cell in marks)
        found = shown(table.columns[column][row])
        raise table.error(row, f"expected 0, 1 or, where the output is open, an empty cell, found {found}.")


def _class_names(table: Table, columns: Sequence[int], classes: Sequence[str] | None) -> list[str] | None:
    """The classes that the labels name, in their order; None when the outputs are Boolean."""
    if len(columns) > 1:
        if classes is not None:
            raise ParameterError("outputs", "a single column when classes are given", len(columns))
        return None
    if classes is None:
        different = set(table.columns[columns[0]])
        if is_boolean({plain(cell) for cell in different if cell}):  # what is empty is open
            return None
        _check_no_marks(table, columns[0], different)
        names = _in_order(different)
        if "" in different:
            table.labels(columns[0], names)  # says where
    else:
        names = list(classes)
    if len(names) < 2 or len(set(names)) != len(names):
        raise FileError(table.path, 1, f"expected labels of 2 or more different classes, found {len(set(names))}.")
    return names
