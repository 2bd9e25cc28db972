"""What may stand for a data set: a Dataset, or a pair (X, y) as scikit-learn takes it."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.data.dataset import MOST_CLASSES, Dataset, InputKind, checked_names
from boolearn.data.open_outputs import take_apart
from boolearn.data.signs import as_array
from boolearn.errors import DataError, ParameterError

Array = npt.NDArray[Any]


def as_dataset(data: Dataset | tuple[npt.ArrayLike, npt.ArrayLike]) -> Dataset:
    """A data set as it is, or the data set that a pair (X, y) means.

    Inputs that are all 0/1, all −1/+1 or truth values are Boolean, other numbers from −1 to 1 are analog.
    Outputs with two axes, or with one axis and Boolean values, are Boolean; other integers or texts with
    one axis are class labels. Boolean outputs may be NaN, None or masked where they are open. Columns of a pandas
    frame keep their names.
    """
    if isinstance(data, Dataset):
        return data
    rule = "a Dataset or a pair (X, y)"
    if isinstance(data, str | os.PathLike):
        raise ParameterError("data", f"{rule}; boolearn.data.read reads a file", data)
    if not isinstance(data, tuple | list) or len(data) != 2:
        raise ParameterError("data", rule, data)
    inputs, (bits, where) = as_array(data[0], "inputs"), take_apart(data[1])
    outputs, classes, names = meant_outputs(bits)
    return Dataset(
        inputs,
        outputs,
        input_kind=meant_kind(inputs),
        classes=classes,
        input_names=_column_names(data[0], inputs),
        output_names=names if classes else _column_names(data[1], outputs),
        open=where if where is None else where.reshape(outputs.shape),
    )


def is_boolean(values: Array) -> bool:
    """Are the values all 0/1, all −1/+1 or truth values?"""
    return values.dtype == np.bool_ or bool(np.isin(values, (0, 1)).all() or np.isin(values, (-1, 1)).all())


def meant_kind(inputs: Array) -> InputKind:
    """What inputs are that do not say it themselves."""
    return InputKind.ANALOG if inputs.dtype.kind == "f" and not is_boolean(inputs) else InputKind.BOOLEAN


def meant_outputs(outputs: Array) -> tuple[Array, int, tuple[str, ...] | None]:
    """The outputs, the number of classes (0 when Boolean) and the names that text labels give."""
    if outputs.ndim != 1:
        return outputs, 0, None
    if outputs.dtype == np.object_ and all(isinstance(label, str) for label in outputs):
        outputs = outputs.astype(np.str_)  # as pandas holds texts
    if outputs.dtype.kind == "U":
        names, labels = np.unique(outputs, return_inverse=True)
        return labels, len(names), tuple(names.tolist())
    if is_boolean(outputs):
        return outputs[:, None], 0, None
    if outputs.dtype.kind not in "iu" or outputs.min() < 0 or outputs.max() >= MOST_CLASSES:
        raise DataError(f"class labels must be integers from 0 to {MOST_CLASSES - 1}, or texts.")
    return outputs, int(outputs.max()) + 1, None


def _column_names(source: object, array: Array) -> tuple[str, ...] | None:
    """The names of a pandas frame's columns; columns that are only numbered have none."""
    columns = list(getattr(source, "columns", ()))
    named = array.ndim == 2 and any(isinstance(column, str) for column in columns)
    return checked_names("columns", columns, array.shape[1]) if named else None
