"""What the estimators share: tables in, bits to a circuit, by learn or, where layers are given, by train."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from boolearn.checks import checked_integer, is_integer
from boolearn.circuit import Circuit
from boolearn.data import Dataset
from boolearn.data.signs import Signs
from boolearn.data.tables import Columns, TableBinariser, as_columns
from boolearn.errors import DataError, ParameterError
from boolearn.learning import Learned, learn
from boolearn.solver import Run
from boolearn.training import train

_HELD_OUT = 0.25
_MOST_REPEATS = 100


class TakesTables:
    """Tells scikit-learn that columns may hold text and missing values, and that answers are signs."""

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        tags.input_tags.categorical = True
        if tags.transformer_tags is not None:
            tags.transformer_tags.preserves_dtype = []
        return tags


@dataclass(frozen=True)
class Fitted:
    """One circuit, and how it was found."""

    circuit: Circuit
    learned: Learned | None = None
    run: Run | None = None


def read_table(estimator: Any, X: Any, *, reset: bool) -> Columns:
    """The columns; scikit-learn keeps their names and number, and compares them when it predicts."""
    if not reset:
        check_is_fitted(estimator)
    if hasattr(X, "toarray"):
        raise TypeError("Sparse data was passed, but dense data is required. Use X.toarray() to make it dense.")
    if not hasattr(X, "columns"):
        X = np.asarray(X)
        if X.ndim == 1:
            raise DataError("Expected 2D array, got 1D array instead. Reshape your data using array.reshape(-1, 1).")
        if X.ndim == 2 and len(X) and not X.shape[1]:
            raise DataError(f"0 feature(s) (shape=({len(X)}, 0)) while a minimum of 1 is required.")
    else:
        _check_different(list(X.columns))  # scikit-learn would raise an error of a library below it
    validate_data(estimator, X, reset=reset, skip_check_array=True)
    table = as_columns(X)
    if reset and len(table) < 2:
        raise DataError("a table must have at least 2 rows to learn from. Got 1 sample instead.")
    return table


def _check_different(names: Sequence[Any]) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise DataError(f"X must have a different name for every column. Got {name!r} more than once instead.")


def seed_of(random_state: Any) -> int:
    """A seed from what scikit-learn calls a random state; an integer is itself."""
    if is_integer(random_state):
        return checked_integer("random_state", random_state, 0)
    return int(check_random_state(random_state).randint(2**31 - 1))


def hidden_widths(layers: Any) -> list[int]:
    """The parameter ``layers``, checked."""
    if isinstance(layers, str) or not hasattr(layers, "__iter__"):
        raise ParameterError("layers", "None or the widths of hidden layers", layers)
    return [checked_integer("layers", width, 1) for width in layers]


def fit_circuits(estimator: Any, inputs: Signs, targets: Signs, names: Sequence[str], weights: Any) -> list[Fitted]:
    """As many circuits as the estimator asks for, each from another seed and so other held-out rows."""
    binariser: TableBinariser = estimator.binariser_
    seed = seed_of(estimator.random_state)
    found = []
    for number in range(checked_integer("n_circuits", getattr(estimator, "n_circuits", 1), 1)):
        parts = _split(inputs, targets, weights, seed + number)
        train_rows, valid_rows = (
            Dataset(part[0], part[1], input_names=binariser.names, output_names=tuple(names)) for part in parts
        )
        found.append(_fit(estimator, train_rows, valid_rows, seed + number))
    if not all(_converged(each) for each in found):
        warnings.warn(
            "the budget was used up before every training row was right; raise max_work (or max_iter and restarts), "
            "or allow for noise",
            ConvergenceWarning,
            stacklevel=3,
        )
    return found


def _fit(estimator: Any, rows: Dataset, valid: Dataset, seed: int) -> Fitted:
    if estimator.layers is None:
        learned = learn(
            rows,
            valid=valid,
            max_work=None if estimator.max_seconds is not None else estimator.max_work,
            max_seconds=estimator.max_seconds,
            max_ands=estimator.max_ands,
            noise=estimator.noise,
            seed=seed,
            threads=estimator.n_jobs,
        )
        return Fitted(learned.circuit, learned=learned)
    both = Dataset(
        np.concatenate((rows.inputs, valid.inputs)),
        np.concatenate((rows.outputs, valid.outputs)),
        input_names=rows.input_names,
        output_names=rows.output_names,
    )
    run = train(
        [both.n_inputs, *hidden_widths(estimator.layers), both.n_output_nodes],
        both,
        solver=estimator.solver,
        sigma=estimator.sigma,
        noise=estimator.noise or 0.0,
        restarts=estimator.restarts,
        max_iter=estimator.max_iter,
        max_seconds=estimator.max_seconds,
        seed=seed,
        threads=estimator.n_jobs,
    )
    return Fitted(run.circuit(), run=run)


def _converged(fitted: Fitted) -> bool:
    if fitted.run is not None:
        return fitted.run.solved
    assert fitted.learned is not None
    return not fitted.learned.cut


def _split(inputs: Signs, targets: Signs, weights: Any, seed: int) -> list[tuple[Signs, Signs]]:
    """Rows to train on and rows to choose by, from each kind of answer its share; heavy rows are repeated after that,
    so that no row is on both sides."""
    rng = np.random.default_rng(seed)
    _, kinds = np.unique(targets, axis=0, return_inverse=True)
    held = np.zeros(len(inputs), bool)
    for kind in range(int(kinds.max()) + 1):
        rows = rng.permutation(np.flatnonzero(kinds.reshape(-1) == kind))
        held[rows[: round(_HELD_OUT * len(rows))]] = True
    if not held.any() and len(inputs) > 1:
        held[rng.integers(len(inputs))] = True
    parts = []
    for chosen in (~held, held if held.any() else ~held):
        repeats = None if weights is None else _repeats(weights)[chosen]
        rows = np.flatnonzero(chosen) if repeats is None else np.repeat(np.flatnonzero(chosen), repeats)
        if not len(rows):
            rows = np.flatnonzero(chosen)
        parts.append((inputs[rows], targets[rows]))
    return parts


def _repeats(weights: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """How often a row is counted: its weight in units of the least weight above 0."""
    least = weights[weights > 0].min()
    return np.asarray(np.clip(np.rint(weights / least), 0, _MOST_REPEATS), np.int64)
