"""What may stand for a data set: a Dataset, or a pair (X, y) as scikit-learn takes it."""

from __future__ import annotations

import os

import numpy.typing as npt

from boolearn.data.dataset import Dataset
from boolearn.data.meaning import are_texts
from boolearn.data.signs import as_array
from boolearn.errors import ParameterError


def as_dataset(data: Dataset | tuple[npt.ArrayLike, npt.ArrayLike], name: str = "data", classes: int = 0) -> Dataset:
    """A data set as it is, or for a pair ``Dataset(X, y)``; where ``classes`` are known, with labels of these.

    ``name`` is the parameter that messages name.
    """
    if isinstance(data, Dataset):
        return data
    rule = "a Dataset or a pair (X, y)"
    if isinstance(data, str | os.PathLike):
        raise ParameterError(name, f"{rule}; boolearn.data.read reads a file", data)
    if not isinstance(data, tuple | list) or len(data) != 2:
        raise ParameterError(name, rule, data)
    if classes and not are_texts(labels := as_array(data[1], "class labels")):
        return Dataset.labelled(data[0], labels, classes)
    return Dataset(data[0], data[1])  # type: ignore[arg-type]
