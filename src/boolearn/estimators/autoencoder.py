"""BTFAutoencoder: a table through few bits and back."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from boolearn.checks import checked_integer
from boolearn.data import Dataset
from boolearn.data.signs import Signs, as_signs
from boolearn.data.tables import TableBinariser
from boolearn.errors import DataError
from boolearn.estimators.fitting import TakesTables, read_table, seed_of
from boolearn.network import CONSTANT
from boolearn.training import train


class BTFAutoencoder(TakesTables, ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Codes of ``n_bits`` bits for the rows of a table, by a network that is trained to give every row back.

    ``transform`` encodes, ``inverse_transform`` decodes to the answers to the tests that ``binariser_`` names.

    Parameters
    ----------
    n_bits
        The width of the code layer.
    decoder
        Widths of the layers between code and output; by default one as wide as the output.
    """

    def __init__(
        self,
        n_bits: int = 8,
        *,
        decoder: Sequence[int] | None = None,
        bits: int = 4,
        sigma: float = 7,
        beta: float = 0.2,
        gamma: float = 1e-4,
        restarts: int = 1,
        max_iter: int = 20_000,
        random_state: Any = 0,
        n_jobs: int | None = None,
    ) -> None:
        self.n_bits = n_bits
        self.decoder = decoder
        self.bits = bits
        self.sigma = sigma
        self.beta = beta
        self.gamma = gamma
        self.restarts = restarts
        self.max_iter = max_iter
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> BTFAutoencoder:  # noqa: ARG002
        """Train on the different rows of a table."""
        table = read_table(self, X, reset=True)
        self.binariser_ = TableBinariser.fit(table, bits=self.bits)
        rows = np.unique(self.binariser_.transform(table), axis=0)
        width = rows.shape[1]
        hidden = [width] if self.decoder is None else list(self.decoder)
        run = train(
            [width, checked_integer("n_bits", self.n_bits, 1), *hidden, width],
            Dataset(rows, rows, input_names=self.binariser_.names),
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
                f"not solved after {run.iterations} iterations: {run.train_accuracy:.1%} of the bits come back; raise "
                "max_iter, restarts or n_bits",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.run_ = run
        self.gap_, self.n_iter_, self.trace_ = run.gap, run.iterations, run.trace
        level = run.model.network.level
        self._code_nodes = np.flatnonzero((level == 1) & (np.arange(len(level)) >= run.model.network.first_neuron))
        self._n_features_out = self.n_bits
        return self

    def transform(self, X: Any) -> Signs:
        """Shape (rows, n_bits) of ±1: the codes."""
        table = read_table(self, X, reset=False)
        bits = self.binariser_.transform(table)
        values = self.run_.model.node_values(Dataset(bits, bits))
        return as_signs(values[:, self._code_nodes], "codes")

    def inverse_transform(self, codes: Any) -> Signs:
        """Shape (rows, tests) of ±1: what the decoder makes of codes."""
        check_is_fitted(self)
        given = as_signs(codes, "codes")
        if given.ndim != 2 or given.shape[1] != self.n_bits:
            raise DataError(f"codes must have shape (rows, {self.n_bits}). Got {given.shape} instead.")
        return decoded(self.run_.model, self._code_nodes, given)

    def score(self, X: Any, y: Any = None) -> float:  # noqa: ARG002
        """The share of bits that come back."""
        table = read_table(self, X, reset=False)
        bits = self.binariser_.transform(table)
        return float((self.inverse_transform(self.transform(X)) == bits).mean())


def decoded(model: Any, code_nodes: Any, codes: Signs) -> Signs:
    """The outputs of a network whose nodes ``code_nodes`` are set to these values."""
    network = model.network
    values = np.zeros((len(codes), network.n_nodes))
    values[:, CONSTANT] = -1  # as networks have it
    values[:, code_nodes] = codes
    fixed = set(np.asarray(code_nodes).tolist())
    for node in range(network.first_neuron, network.n_nodes):
        if node not in fixed:
            total = values[:, network.senders(node)] @ model.weights_into(node)
            values[:, node] = np.where(total > 0, 1, -1)
    return as_signs(values[:, network.first_output :], "outputs")
