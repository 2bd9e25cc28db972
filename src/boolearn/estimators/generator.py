"""BTFGenerator: codes and archetypes for the rows of a table, found in training."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from boolearn.checks import checked_choice, checked_integer
from boolearn.data import Dataset, InputKind
from boolearn.data.signs import Signs
from boolearn.data.tables import TableBinariser
from boolearn.estimators.fitting import TakesTables, hidden_widths, read_table, seed_of
from boolearn.model import Generator
from boolearn.training import train


class BTFGenerator(TakesTables, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """A network that makes rows from codes; training finds a code for every row.

    ``transform`` gives the codes of rows, ``sample`` makes new rows, ``archetypes_`` are the rows that the codes in
    use make, ``nearest`` says which of them is nearest to a row. All rows are answers to the tests in ``binariser_``.

    Parameters
    ----------
    n_bits
        The length of the codes.
    code
        "any": all codes of this length. "one-hot": as many archetypes as there are bits.
    layers
        Widths of the hidden layers; by default one as wide as the output.
    """

    def __init__(
        self,
        n_bits: int = 8,
        *,
        code: str = "any",
        layers: Sequence[int] | None = None,
        bits: int = 4,
        sigma: float = 5,
        beta: float = 0.2,
        gamma: float = 1e-4,
        restarts: int = 1,
        max_iter: int = 20_000,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_bits = n_bits
        self.code = code
        self.layers = layers
        self.bits = bits
        self.sigma = sigma
        self.beta = beta
        self.gamma = gamma
        self.restarts = restarts
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> BTFGenerator:  # noqa: ARG002
        """Train on the rows of a table."""
        checked_choice("code", self.code, ("any", "one-hot"))
        kind = InputKind.ANY_CODE if self.code == "any" else InputKind.ONE_HOT_CODE
        table = read_table(self, X, reset=True)
        self.binariser_ = TableBinariser.fit(table, bits=self.bits)
        rows = self.binariser_.transform(table)
        hidden = [rows.shape[1]] if self.layers is None else hidden_widths(self.layers)
        run = train(
            [checked_integer("n_bits", self.n_bits, 1), *hidden, rows.shape[1]],
            Dataset.generative(rows, kind),
            sigma=self.sigma,
            beta=self.beta,
            gamma=self.gamma,
            restarts=self.restarts,
            max_iter=self.max_iter,
            seed=seed_of(self.random_state),
            threads=self.n_jobs,
        )
        if not run.solved:
            warnings.warn(
                f"not solved after {run.iterations} iterations: {run.train_accuracy:.1%} of the bits are made right; "
                "archetypes stand for rows near to them",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.run_ = run
        self.gap_, self.n_iter_, self.trace_ = run.gap, run.iterations, run.trace
        self.generator_ = Generator.of_items(run.model, run.codes, kind)
        used = self.generator_.codes.counts > 0
        self.codes_ = self.generator_.codes.codes[used]
        self.counts_ = self.generator_.codes.counts[used]
        self.archetypes_ = self.generator_.decode(self.codes_)
        self._n_features_out = self.n_bits
        return self

    def transform(self, X: Any) -> Signs:
        """Shape (rows, n_bits) of ±1: for every row the code in use that makes the fewest wrong bits."""
        rows = self._rows(X)
        return self.generator_.encode(rows)

    def inverse_transform(self, codes: Any) -> Signs:
        """Shape (rows, tests) of ±1: the rows that the codes make."""
        check_is_fitted(self)
        return self.generator_.decode(codes)

    def nearest(self, X: Any) -> npt.NDArray[np.intp]:
        """For every row the number of the nearest archetype."""
        rows = self._rows(X).astype(np.int64)
        return np.asarray(np.argmax(rows @ self.archetypes_.astype(np.int64).T, axis=1))

    def sample(self, n_samples: int = 1, random_state: Any = None) -> Signs:
        """Shape (n_samples, tests): new rows, codes as often as training used them."""
        check_is_fitted(self)
        state = self.random_state if random_state is None else random_state
        made = self.generator_.sample(n_samples, seed_of(state)).outputs
        return np.asarray(made, np.int8)

    def score(self, X: Any, y: Any = None) -> float:  # noqa: ARG002
        """The share of bits that the nearest codes reproduce."""
        rows = self._rows(X)
        return self.generator_.accuracy(rows)

    def _rows(self, X: Any) -> Signs:
        table = read_table(self, X, reset=False)
        return self.binariser_.transform(table)
