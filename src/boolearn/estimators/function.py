"""BTFFunction: many Boolean outputs from a table, by one circuit that shares gates between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_consistent_length

from boolearn.data.frames import is_frame
from boolearn.data.signs import Signs
from boolearn.data.tables import TableBinariser
from boolearn.data.values import as_numbers
from boolearn.errors import DataError
from boolearn.estimators.classifier import DEFAULT_WORK
from boolearn.estimators.exports import Exports
from boolearn.estimators.fitting import TakesTables, fit_circuits, read_table


class BTFFunction(TakesTables, Exports, ClassifierMixin, BaseEstimator):
    """A Boolean function with one or many outputs, learned as one circuit.

    ``y`` holds two different values in every column, such as 0 and 1, −1 and 1, or two words; predictions are the same
    values. ``score`` is the share of right bits. Parameters are those of BTFClassifier.
    """

    def __init__(
        self,
        *,
        bits: int = 4,
        max_work: int | None = DEFAULT_WORK,
        max_seconds: float | None = None,
        max_ands: int | None = None,
        noise: float | None = None,
        layers: Sequence[int] | None = None,
        solver: Any = "gates",
        sigma: float = 3,
        restarts: int = 1,
        max_iter: int | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.bits = bits
        self.max_work = max_work
        self.max_seconds = max_seconds
        self.max_ands = max_ands
        self.noise = noise
        self.layers = layers
        self.solver = solver
        self.sigma = sigma
        self.restarts = restarts
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        return tags

    def fit(self, X: Any, y: Any) -> BTFFunction:
        """Learn from a table and, for each row, one value or several."""
        table = read_table(self, X, reset=True)
        names, answers = _answers(y)
        check_consistent_length(table.cells[0], answers[0])
        self.single_ = np.asarray(y).ndim == 1
        values = [np.unique(column) for column in answers]
        for name, found in zip(names, values, strict=True):
            if len(found) > 2:
                raise DataError(
                    f"Only binary classification is supported. The output {name!r} must have two different values. Got "
                    f"{len(found)} instead: {found[:5].tolist()} …; BTFClassifier takes several classes."
                )
            if len(found) < 2 and self.single_:
                raise DataError(f"y must have at least two classes. Got 1 class instead: {found[0]!r}.")
        self.values_ = [np.repeat(found, 2)[:2] if len(found) == 1 else found for found in values]
        self.classes_ = self.values_[0] if self.single_ else self.values_
        targets = np.stack(
            [
                np.where(column == found[-1], np.int8(1), np.int8(-1))
                for column, found in zip(answers, values, strict=True)
            ],
            axis=1,
        )
        self.binariser_ = TableBinariser.fit(table, targets, bits=self.bits)
        inputs = self.binariser_.transform(table)
        self.fitted_ = fit_circuits(self, inputs, targets, names, None)
        self._training = inputs, np.array([self._said(row) for row in targets])
        return self

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Shape (rows, outputs), or (rows,) where ``y`` had one axis: the values that ``y`` had in training."""
        columns = self._columns(X)
        if self.single_:
            return columns[0]
        if len({column.dtype.kind for column in columns}) > 1:  # which numpy would make all text
            columns = [column.astype(object) for column in columns]
        return np.stack(columns, axis=1)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of right bits."""
        said, answers = self._columns(X), _answers(y)[1]
        if len(said) != len(answers):
            raise DataError(f"y must have {len(said)} columns. Got {len(answers)} instead.")
        right = np.stack([mine == theirs for mine, theirs in zip(said, answers, strict=True)], axis=1)
        return float(np.average(right.mean(axis=1), weights=sample_weight))

    def _columns(self, X: Any) -> list[npt.NDArray[Any]]:
        """For every output its values."""
        answers = self.circuit_.predict(self.tests(X)) > 0
        return [values[answers[:, k].astype(int)] for k, values in enumerate(self.values_)]

    def _said(self, answer: Signs) -> str:
        return ", ".join(
            f"{name} = {values[int(sign > 0)]}"
            for (name, _), values, sign in zip(self.circuit_.outputs, self.values_, answer, strict=True)
        )

    def _in_words(self, y: Any) -> npt.NDArray[np.str_]:
        pairs = zip(_answers(y)[1], self.values_, strict=True)
        high = np.stack([column == values[-1] for column, values in pairs], axis=1)
        return np.array([self._said(row) for row in np.where(high, np.int8(1), np.int8(-1))])


def _answers(y: Any) -> tuple[list[str], list[npt.NDArray[Any]]]:
    """Names and values of the outputs, one column each; the columns of a data frame may be of different types."""
    if y is None:
        raise DataError("requires y to be passed, but the target y is None.")
    if is_frame(y):
        names, columns = list(map(str, y.columns)), [np.asarray(y[name]) for name in y.columns]
    else:
        array = np.asarray(y)
        columns = list(array.reshape(len(array), -1).T)
        names = [f"y{k}" for k in range(len(columns))]
    if not columns:
        raise DataError("y must have at least 1 column. Got 0 instead.")
    return names, list(map(_values, columns))


def _values(column: npt.NDArray[Any]) -> npt.NDArray[Any]:
    column = as_numbers(column)
    if column.dtype.kind == "f" and not np.isfinite(column).all():
        raise DataError("y must be known everywhere. Input y contains NaN or infinity.")
    if column.dtype.kind == "f" and (column != column.astype(np.int64)).any():
        raise DataError(f"Unknown label type: y must be bits, not numbers such as {column[0]}.")
    return column.astype(str) if column.dtype.kind == "O" else column
