"""Items to predict: data read as what the model takes, with or without outputs to compare with."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.data.csv import dataset_of, output_columns
from boolearn.data.csv_table import Table, read_table
from boolearn.data.dataset import Dataset, InputKind
from boolearn.data.matching import difference, order_of, with_classes, with_outputs
from boolearn.data.reading import COLUMNS, read
from boolearn.data.signs import as_bits
from boolearn.errors import DataError, FileError
from boolearn.files import PathLike, checked_path


@dataclass(frozen=True)
class Expected:
    """What a model takes and gives. Kind and classes are None when it does not know them; the data decide."""

    n_inputs: int
    n_outputs: int
    input_kind: InputKind | None = None
    classes: int | None = None
    input_names: tuple[str, ...] | None = None
    output_names: tuple[str, ...] | None = None

    @classmethod
    def like(cls, dataset: Dataset) -> Expected:
        """What other data must be to be compared with these."""
        inputs, outputs = dataset.n_inputs, dataset.n_output_nodes
        return cls(inputs, outputs, dataset.input_kind, dataset.classes, dataset.input_names, dataset.output_names)

    @property
    def class_names(self) -> tuple[str, ...] | None:
        """The names of the labels; the numbers from 0 when they have no names."""
        return (self.output_names or tuple(map(str, range(self.classes)))) if self.classes else None


@dataclass(frozen=True)
class Questions:
    """Inputs as the model takes them, and with their outputs, where there are any, as data."""

    inputs: npt.NDArray[Any]
    input_kind: InputKind
    dataset: Dataset | None
    label_name: str | None = None
    """What the file calls its column of class labels."""
    has_outputs: bool = True
    """Whether there are columns of outputs, be they empty."""


def read_questions(
    path: PathLike, expected: Expected, outputs: int | None = None, *, some_labels: bool = False
) -> Questions:
    """Read a data file for a model.

    Columns are matched by name when both sides have names, else by position. ``outputs`` is, for .csv and
    .tsv, the number of output columns, the last ones; without it the model's widths decide, and a file
    may hold inputs only. Every row must have the label of a class that the model knows; with ``some_labels`` the inputs
    are those of all rows of such a file, and the data are the rows that have one.
    """
    ending = checked_path(path).suffix.lower()
    if ending in COLUMNS:
        return _from_table(read_table(checked_path(path), None, COLUMNS[ending]), expected, outputs, some_labels)
    dataset = read(path, outputs, input_kind=expected.input_kind if ending == ".npz" else None)
    try:
        dataset = _fitted(dataset, expected, bits_are_labels=ending == ".npz")
    except DataError as error:
        raise FileError(path, None, str(error)) from error
    return Questions(dataset.inputs, dataset.input_kind, dataset)


def _from_table(table: Table, expected: Expected, outputs: int | None, some_labels: bool) -> Questions:
    answers = None if outputs is None else output_columns(table, outputs)
    choose = _by_name if expected.input_names and table.names else _by_place
    inputs, answers = choose(table, expected, answers)
    if not answers:
        values, kind = table.inputs(inputs, expected.input_kind)
        return Questions(values, kind, None, has_outputs=False)
    if some_labels and expected.class_names and len(answers) == 1:
        return _with_some_labels(table, expected, inputs, answers)
    if expected.classes == 0:
        table.signs(answers, may_be_open=True)  # refuses labels, with their line
    dataset = dataset_of(table, inputs, answers, classes=expected.class_names, input_kind=expected.input_kind)
    label = table.names[answers[0]] if table.names and dataset.classes else None
    return Questions(dataset.inputs, dataset.input_kind, dataset, label)


def _with_some_labels(table: Table, expected: Expected, inputs: list[int], answers: list[int]) -> Questions:
    """All rows as inputs, and as data those whose label the model knows."""
    known = set(expected.class_names or ())
    rows = [row for row, cell in enumerate(table.columns[answers[0]]) if cell in known]
    values, kind = table.inputs(inputs, expected.input_kind)
    dataset = None
    if rows:
        dataset = dataset_of(table.take(rows), inputs, answers, classes=expected.class_names, input_kind=kind)
    return Questions(values, kind, dataset, table.names[answers[0]] if table.names else None)


def _by_name(table: Table, expected: Expected, answers: list[int] | None) -> tuple[list[int], list[int]]:
    assert table.names is not None
    assert expected.input_names is not None
    place = {name: column for column, name in enumerate(table.names) if column not in (answers or ())}
    wanted = set(expected.input_names)
    others = [column for name, column in place.items() if name not in wanted]
    named = None if expected.classes else expected.output_names
    if answers is None:
        fits = set(named) == {table.names[column] for column in others} if named else len(others) == _width(expected)
        answers, others = (others, []) if fits else ([], others)
    missing = [name for name in expected.input_names if name not in place]
    if named and answers:
        found = {table.names[column]: column for column in answers}
        missing += [name for name in named if name not in found]
        others += [column for name, column in found.items() if name not in named]
        answers = [found[name] for name in named if name in found]
    if missing or others:
        raise FileError(table.path, 1, difference(missing, [table.names[column] for column in others]))
    return [place[name] for name in expected.input_names], answers


def _by_place(table: Table, expected: Expected, answers: list[int] | None) -> tuple[list[int], list[int]]:
    width = len(table.columns)
    if answers is None:
        widths = {0, _width(expected)} | ({1} if expected.classes is None else set())
        if width - expected.n_inputs not in widths:
            rule = " or ".join(str(expected.n_inputs + more) for more in sorted(widths))
            raise FileError(
                table.path, 1, f"expected {rule} columns, the model's inputs without or with outputs, found {width}."
            )
        answers = list(range(expected.n_inputs, width))
    if width - len(answers) != expected.n_inputs:
        raise FileError(table.path, 1, f"expected {expected.n_inputs} columns of inputs, found {width - len(answers)}.")
    return list(range(expected.n_inputs)), answers


def _width(expected: Expected) -> int:
    """How many columns the outputs take."""
    return 1 if expected.classes else expected.n_outputs


def _fitted(dataset: Dataset, expected: Expected, bits_are_labels: bool) -> Dataset:
    """Data of a file that says itself what it holds, as the model takes it."""
    if dataset.input_kind.free:
        raise DataError(
            "holds outputs only, so there is nothing to predict. The codes that a run found for its free inputs are "
            "in its codes.gen; give codes as Boolean inputs to decode them."
        )
    if expected.input_kind is InputKind.BOOLEAN and dataset.input_kind is InputKind.ANALOG:
        raise DataError("the model's inputs are Boolean; the data's must be too. Got analog inputs instead.")
    if expected.input_kind is InputKind.ANALOG:
        dataset = replace(dataset, input_kind=InputKind.ANALOG)
    if expected.input_names and dataset.input_names:
        order = order_of(expected.input_names, dataset.input_names)
        dataset = replace(dataset, inputs=dataset.inputs[:, order], input_names=expected.input_names)
    if expected.classes:
        return _with_classes(dataset, expected, bits_are_labels)
    if expected.classes == 0 and dataset.classes:
        raise DataError("the model's outputs are Boolean; the data's must be too. Got class labels instead.")
    if expected.output_names and dataset.output_names:
        dataset = with_outputs(dataset, order_of(expected.output_names, dataset.output_names))
    return dataset


def _with_classes(dataset: Dataset, expected: Expected, bits_are_labels: bool) -> Dataset:
    """The same data with the model's classes, of which they may hold fewer."""
    assert expected.classes
    labels = dataset.outputs
    if not dataset.classes:
        if not bits_are_labels or labels.shape[1] != 1:
            raise DataError("the model answers with classes; the data must hold labels. Got Boolean outputs instead.")
        if dataset.open is not None:
            raise DataError("class labels cannot be left open; leave out the items that have none.")
        labels = as_bits(labels)[:, 0].astype(np.int64)  # a file whose labels are all 0 or 1 looks Boolean
    elif dataset.output_names and expected.output_names:
        return with_classes(dataset, expected.output_names)
    return replace(dataset, outputs=labels, classes=expected.classes, output_names=expected.output_names)
