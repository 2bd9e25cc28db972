"""BTFClassifier: class labels from a table, by a circuit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import compute_class_weight
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_consistent_length, column_or_1d

from boolearn.data.frames import series_name
from boolearn.data.signs import Signs
from boolearn.data.tables import TableBinariser
from boolearn.data.tables.reading import output_names
from boolearn.data.values import as_numbers, is_missing
from boolearn.errors import DataError
from boolearn.estimators.exports import Exports
from boolearn.estimators.fitting import TakesTables, fit_circuits, read_table
from boolearn.estimators.patterns import PatternTable

DEFAULT_WORK = 100_000_000
"""Units of work of learn: some ten seconds on one core for data that nothing fits."""


class BTFClassifier(TakesTables, Exports, ClassifierMixin, BaseEstimator):
    """A classifier whose model is a logic circuit over readable tests of the columns.

    Columns may hold numbers, text, bools and missing values; labels may be of any kind. Without arguments ``learn``
    chooses the circuit; with ``layers`` a network with these hidden layers is trained.

    Parameters
    ----------
    bits
        The most thresholds for a column of numbers.
    n_circuits
        With several circuits, each learned with other rows held out, they vote, and predict_proba becomes finer. Rules
        and exports are those of the first.
    max_work, max_seconds
        The budget of ``learn``: units of work, with which results can be repeated exactly, or seconds.
    max_ands
        The most And nodes of a circuit.
    noise
        The share of labels that may be wrong; by default held-out rows tell.
    class_weight
        A dict from classes to weights, or "balanced".
    layers, solver, sigma, restarts, max_iter
        For those who know the network: widths of the hidden layers, and what ``train`` takes.
    """

    def __init__(
        self,
        *,
        bits: int = 4,
        n_circuits: int = 1,
        max_work: int | None = DEFAULT_WORK,
        max_seconds: float | None = None,
        max_ands: int | None = None,
        noise: float | None = None,
        class_weight: dict[Any, float] | str | None = None,
        layers: Sequence[int] | None = None,
        solver: Any = "gates",
        sigma: float = 3,
        restarts: int = 1,
        max_iter: int | None = None,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.bits = bits
        self.n_circuits = n_circuits
        self.max_work = max_work
        self.max_seconds = max_seconds
        self.max_ands = max_ands
        self.noise = noise
        self.class_weight = class_weight
        self.layers = layers
        self.solver = solver
        self.sigma = sigma
        self.restarts = restarts
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> BTFClassifier:
        """Learn from a table and one label for each row."""
        table = read_table(self, X, reset=True)
        labels = _checked_labels(y)
        check_consistent_length(table.cells[0], labels)
        self.classes_, index = np.unique(labels, return_inverse=True)
        weights = self._weights(labels, sample_weight)
        if len(self.classes_) == 1:
            raise DataError(f"y must have at least two classes. Got 1 class instead: {self.classes_[0]!r}.")
        self.binariser_ = TableBinariser.fit(table, index, bits=self.bits)
        inputs = self.binariser_.transform(table)
        self.fitted_ = fit_circuits(self, inputs, self._targets(index), self._output_names(series_name(y)), weights)
        counted = np.ones(len(index)) if weights is None else weights
        self.tables_ = [
            PatternTable.count(fitted.circuit.predict(inputs), index, counted, len(self.classes_))
            for fitted in self.fitted_
        ]
        self._training = inputs, self._in_words(labels)
        return self

    def predict_proba(self, X: Any) -> npt.NDArray[np.float64]:
        """Shape (rows, classes): how often training rows with the same answers of the circuit had each class, the mean
        over all circuits."""
        bits = self.tests(X)
        shares = [
            table.shares(fitted.circuit.predict(bits)) for table, fitted in zip(self.tables_, self.fitted_, strict=True)
        ]
        return np.asarray(np.mean(shares, axis=0))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The likeliest class of every row."""
        likeliest = np.argmax(self.predict_proba(X), axis=1)
        return np.asarray(self.classes_[likeliest])

    def _said(self, answer: Signs) -> str:
        return str(self.classes_[int(np.argmax(self.tables_[0].shares(answer[None, :])[0]))])

    def _in_words(self, y: Any) -> npt.NDArray[np.str_]:
        return np.array([str(label) for label in np.asarray(y)])

    def _targets(self, index: npt.NDArray[np.intp]) -> Signs:
        """Two classes are one bit, several classes one bit each."""
        classes = np.arange(1, 2) if len(self.classes_) == 2 else np.arange(len(self.classes_))
        return np.where(index[:, None] == classes, np.int8(1), np.int8(-1))

    def _output_names(self, target: tuple[str] | None) -> Sequence[str]:
        """The classes; where the labels have a name, "species = setosa"."""
        names = [str(each) for each in self.classes_]
        if len(set(names)) < len(names):
            names = [repr(each) for each in self.classes_.tolist()]
        if target is not None:
            return output_names(*target, names)
        return names[1:] if len(names) == 2 else names

    def _weights(self, labels: npt.NDArray[Any], sample_weight: Any) -> npt.NDArray[np.float64] | None:
        if sample_weight is None and self.class_weight is None:
            return None
        weights = np.ones(len(labels)) if sample_weight is None else _check_sample_weight(sample_weight, labels)
        if (weights < 0).any() or not (weights > 0).any():
            raise DataError("sample_weight must be at least 0, and above 0 somewhere.")
        if self.class_weight is not None:
            found = compute_class_weight(self.class_weight, classes=self.classes_, y=labels)
            weights = weights * found[np.searchsorted(self.classes_, labels)]
        return np.asarray(weights, np.float64)


def _checked_labels(y: Any) -> npt.NDArray[Any]:
    if y is None:
        raise DataError("requires y to be passed, but the target y is None.")
    labels = column_or_1d(_plain(y), warn=True)
    check_classification_targets(labels)
    if labels.dtype.kind == "O":
        labels = labels.astype(str) if any(isinstance(label, str) for label in labels) else labels
    return np.asarray(labels)


def _plain(y: Any) -> Any:
    """Labels that pandas or a list keeps as objects, as numbers where they are; one that is missing is refused."""
    values = y.to_numpy() if hasattr(y, "to_numpy") else y
    if not isinstance(values, np.ndarray) or values.dtype != np.object_:
        return values
    for row, label in enumerate(values.ravel().tolist()):
        if is_missing(label):
            raise DataError(f"y must have a label for every row. Row {row} has none.")
    return as_numbers(values)
