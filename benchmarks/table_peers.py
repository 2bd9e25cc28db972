"""The methods that the benchmark ``tables`` compares, each with its own defaults.

Each is a function of training columns, labels and a seed; it returns how to predict, and the size of what it found.
Methods that take numbers only are given one column of 0 and 1 for each word; STreeD makes tests of numbers by itself,
and the Tsetlin machine is given the tests that boolearn makes.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
from sklearn.compose import make_column_selector, make_column_transformer
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier

from boolearn import BTFClassifier, Dataset
from boolearn.baselines.tsetlin import Tsetlin
from boolearn.data.tables import TableBinariser

Labels = npt.NDArray[np.str_]
_EPOCHS = 20
"""Of the Tsetlin machine, which has no default: afterwards it hardly changes."""


@dataclass(frozen=True)
class Fit:
    """A method after training."""

    predict: Callable[[pd.DataFrame], Labels]
    size: int
    unit: str
    extra: dict[str, Any]
    """What else there is to say about the model."""


Learner = Callable[[pd.DataFrame, Labels, int], Fit]


def ours(columns: pd.DataFrame, labels: Labels, seed: int) -> Fit:
    found = BTFClassifier(random_state=seed, n_jobs=1).fit(columns, labels)
    circuit, learned = found.circuit_, found.fitted_[0].learned
    assert learned is not None  # it has no layers, so learn made it
    return Fit(found.predict, circuit.ands(), "And nodes", {"gates": len(circuit.gates), "method": learned.method})


def tree(columns: pd.DataFrame, labels: Labels, seed: int) -> Fit:
    model = make_pipeline(_numbers(), DecisionTreeClassifier(random_state=seed)).fit(columns, labels)
    return Fit(model.predict, int(model[-1].get_n_leaves()), "leaves", {})


def boosting(columns: pd.DataFrame, labels: Labels, seed: int) -> Fit:
    model = make_pipeline(_numbers(), GradientBoostingClassifier(random_state=seed)).fit(columns, labels)
    leaves = sum(int(each.get_n_leaves()) for each in model[-1].estimators_.ravel())
    return Fit(model.predict, leaves, "leaves", {})


def logistic(columns: pd.DataFrame, labels: Labels, seed: int) -> Fit:
    """On scaled numbers, as its documentation advises, and with enough steps to converge."""
    regression = LogisticRegression(random_state=seed, max_iter=1000)
    model = make_pipeline(_numbers(), StandardScaler(), regression).fit(columns, labels)
    return Fit(model.predict, int(np.count_nonzero(model[-1].coef_)), "coefficients", {})


def streed(columns: pd.DataFrame, labels: Labels, seed: int) -> Fit:
    """The optimal tree of depth 3."""
    from pystreed import STreeDClassifier

    classes, index = np.unique(labels, return_inverse=True)
    model = make_pipeline(_numbers(), STreeDClassifier(random_seed=seed))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(columns, index)
    return Fit(lambda rows: classes[model.predict(rows)], int(model[-1].get_n_leaves()), "leaves", {})


def ripper(columns: pd.DataFrame, labels: Labels, seed: int) -> Fit:
    """For more than two classes one set of rules each; the likeliest of them answers."""
    import wittgenstein

    classes = np.unique(labels)
    found = []
    for name in classes[1:] if len(classes) == 2 else classes:
        model = wittgenstein.RIPPER(random_state=seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(columns.reset_index(drop=True), y=np.where(labels == name, "yes", "no"), pos_class="yes")
        found.append(model)

    def predict(rows: pd.DataFrame) -> Labels:
        if len(classes) == 2:
            return np.asarray(np.where(found[0].predict(rows), classes[1], classes[0]), str)
        return np.asarray(classes[np.argmax([_likelihood(model, rows) for model in found], axis=0)], str)

    return Fit(predict, sum(len(model.ruleset_) for model in found), "rules", {})


def _likelihood(model: Any, rows: pd.DataFrame) -> npt.NDArray[np.float64]:
    given = np.asarray(model.predict_proba(rows))
    return given[:, 1] if given.shape[1] > 1 else np.zeros(len(rows))


def tsetlin(columns: pd.DataFrame, labels: Labels, seed: int) -> Fit:
    classes, index = np.unique(labels, return_inverse=True)
    tests = TableBinariser.fit(columns, index)
    wanted = np.where(index[:, None] == np.arange(len(classes))[1 if len(classes) == 2 else 0 :], 1, -1)
    fitted = Tsetlin(_EPOCHS).fit(Dataset(tests.transform(columns), wanted), seed=seed)

    def predict(rows: pd.DataFrame) -> Labels:
        votes = fitted.model.scores(tests.transform(rows))
        return np.asarray(classes[(votes[:, 0] > 0).astype(int) if len(classes) == 2 else votes.argmax(axis=1)], str)

    return Fit(predict, fitted.model.size, fitted.model.unit, {})


def _numbers() -> Any:
    """Words as columns of 0 and 1; numbers stay as they are."""
    words = make_column_selector(dtype_include=object)
    return make_column_transformer(
        (OneHotEncoder(handle_unknown="ignore", sparse_output=False), words), remainder="passthrough"
    )


METHODS: dict[str, Learner] = {
    "boolearn": ours,
    "decision tree": tree,
    "STreeD": streed,
    "RIPPER": ripper,
    "Tsetlin machine": tsetlin,
    "logistic regression": logistic,
    "gradient boosting": boosting,
}
