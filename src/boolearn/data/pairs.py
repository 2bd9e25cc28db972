"""What may stand for a data set: a Dataset, or a pair (X, y) as scikit-learn takes it."""

from __future__ import annotations

import os

import numpy.typing as npt

from boolearn.data.dataset import Dataset
from boolearn.errors import ParameterError


def as_dataset(data: Dataset | tuple[npt.ArrayLike, npt.ArrayLike]) -> Dataset:
    """A data set as it is, or ``Dataset(X, y)`` for a pair."""
    if isinstance(data, Dataset):
        return data
    rule = "a Dataset or a pair (X, y)"
    if isinstance(data, str | os.PathLike):
        raise ParameterError("data", f"{rule}; boolearn.data.read reads a file", data)
    if not isinstance(data, tuple | list) or len(data) != 2:
        raise ParameterError("data", rule, data)
    return Dataset(data[0], data[1])  # type: ignore[arg-type]
