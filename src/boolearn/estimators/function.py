"""BTFFunction: many Boolean outputs from a table, by one circuit that shares gates between them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_consistent_length

from boolearn.data.signs import Signs
from boolearn.data.tables import TableBinariser
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
        check_consistent_length(table.cells[0], answers)
        self.single_ = np.asarray(y).ndim == 1
        values = [np.unique(column) for column in answers.T]
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
                for column, found in zip(answers.T, values, strict=True)
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
        bits = self.tests(X)
        answers = self.circuit_.predict(bits) > 0
        columns = [values[answers[:, k].astype(int)] for k, values in enumerate(self.values_)]
        return np.asarray(columns[0] if self.single_ else np.stack(columns, axis=1))

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """The share of right bits."""
        right = np.asarray(self.predict(X) == _answers(y)[1].reshape(np.asarray(y).shape))
        return float(np.average(right.reshape(len(right), -1).mean(axis=1), weights=sample_weight))

    def _said(self, answer: Signs) -> str:
        return ", ".join(
            f"{name} = {values[int(sign > 0)]}"
            for (name, _), values, sign in zip(self.circuit_.outputs, self.values_, answer, strict=True)
        )

    def _in_words(self, y: Any) -> npt.NDArray[np.str_]:
        high = np.array([values[-1] for values in self.values_])
        return np.array([self._said(row) for row in np.where(_answers(y)[1] == high, np.int8(1), np.int8(-1))])


def _answers(y: Any) -> tuple[list[str], npt.NDArray[Any]]:
    """Names and values of the outputs, one column each."""
    if y is None:
        raise DataError("requires y to be passed, but the target y is None.")
    array = np.asarray(y)
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        raise DataError("y must be known everywhere. Input y contains NaN or infinity.")
    if array.dtype.kind == "f" and (array != array.astype(np.int64)).any():
        raise DataError(f"Unknown label type: y must be bits, not numbers such as {array.reshape(-1)[0]}.")
    if array.dtype.kind == "O":
        array = array.astype(str)
    rows = array.reshape(len(array), -1)
    columns = getattr(y, "columns", None)
    given = list(map(str, columns)) if columns is not None else [f"y{k}" for k in range(rows.shape[1])]
    return given, rows
