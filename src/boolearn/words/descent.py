"""Codes for large vocabularies: descent on bits. This method is boolearn's own, not the paper's.

The table of words and contexts, 1 where a context belongs to a word or how strongly it does, is approximated by a
linear function of the codes: table ≈ codes · weights. Two exact steps alternate, and neither makes the squared error
larger:

- With the codes fixed, the weights are those of least squares.
- With the weights fixed, every word is independent of all others. One bit after another takes its better value, until
  no single bit of any word can be improved.

Where both steps change nothing, one bit of all words is discarded and learned again from what the others leave
unexplained; the result is kept if it is better. The costs grow with the number of pairs (word, context) that occur, not
with words × contexts, and no gradient or learning rate is involved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from threadpoolctl import threadpool_limits

from boolearn.checks import checked_integer, generator
from boolearn.data.signs import Signs

Floats = npt.NDArray[np.float64]

_RIDGE = 1e-3
"""Keeps the weights unique where two bits are equal."""
_LEAST_GAIN = 1e-7
_MOST_SWEEPS = 20
_POWER_STEPS = 8


@dataclass(frozen=True, eq=False)
class Descended:
    codes: Signs
    """Shape (words, k)."""
    unexplained: float
    """The share of the table's squares that the codes leave unexplained."""


def descend(
    table: sparse.csr_array,
    k: int,
    *,
    trials: int,
    starts: int,
    seed: int,
    watch: Callable[[int, int, float], bool] = lambda _done, _of, _unexplained: True,
) -> Descended:
    """The best codes of several random starts.

    trials
        How many times, in each start, a bit is learned again.
    watch
        Told after every trial how many are done, of how many, and the best share unexplained. False ends the search.
    """
    trials, starts = checked_integer("trials", trials, 0), checked_integer("starts", starts, 1)
    rng = generator(seed)
    best: Descended | None = None
    steps = starts * (trials + 1)
    with threadpool_limits(1):  # sums in another order would round otherwise, and a bit could differ
        problem = _Problem(table)
        for start in range(starts):
            codes, error = problem.descent(_random_signs(rng, (table.shape[0], k)))
            for trial in range(trials + 1):
                if trial:
                    codes, error = problem.renewed(codes, error, (trial - 1) % k, rng)
                if best is None or error < best.unexplained:
                    best = Descended(codes.astype(np.int8), error)
                if not watch(start * (trials + 1) + trial + 1, steps, best.unexplained):
                    return best
    assert best is not None
    return best


class _Problem:
    def __init__(self, table: sparse.csr_array) -> None:
        self.table, self.across = table, sparse.csr_array(table.T)
        self.total = float(table.power(2).sum()) or 1.0

    def weights(self, codes: Floats) -> tuple[Floats, float]:
        """Shape (k + 1, contexts), the constant last, and the share of the squares left unexplained."""
        with_constant = _with_constant(codes)
        products = (self.across @ with_constant).T
        inner = with_constant.T @ with_constant + _RIDGE * np.eye(len(products))
        weights = np.linalg.solve(inner, products).astype(np.float64, copy=False)
        return weights, 1 - float(np.sum(products * weights)) / self.total

    def descent(self, codes: Floats) -> tuple[Floats, float]:
        """Both steps in turn until nothing improves."""
        codes, error = codes.copy(), np.inf
        while True:
            weights, now = self.weights(codes)
            if now > error - _LEAST_GAIN:
                return codes, min(now, error)
            error = now
            self._improve_bits(codes, weights)

    def _improve_bits(self, codes: Floats, weights: Floats) -> None:
        """Every bit takes the value with the smaller error, the other bits being as they are."""
        k = codes.shape[1]
        wanted, inner = self.table @ weights.T, weights @ weights.T
        for _ in range(_MOST_SWEEPS):
            changed = False
            for bit in range(k):
                others = codes @ inner[:k, bit] - codes[:, bit] * inner[bit, bit] + inner[k, bit]
                better = _signs(wanted[:, bit] - others)
                changed |= bool((better != codes[:, bit]).any())
                codes[:, bit] = better
            if not changed:
                return

    def renewed(self, codes: Floats, error: float, bit: int, rng: np.random.Generator) -> tuple[Floats, float]:
        """Learn one bit again, from a random start, of what the others leave unexplained; keep it if it is better."""
        others = np.delete(codes, bit, axis=1)
        weights, _ = self.weights(others)
        with_constant = _with_constant(others)
        values = _random_signs(rng, (len(codes),))
        for _ in range(_POWER_STEPS):
            along = self.across @ values - weights.T @ (with_constant.T @ values)
            better = _signs(self.table @ along - with_constant @ (weights @ along))
            if (better == values).all():
                break
            values = better
        tried = codes.copy()
        tried[:, bit] = values
        found, now = self.descent(tried)
        return (found, now) if now < error else (codes, error)


def least_squares(table: sparse.csr_array, codes: Signs) -> Floats:
    """Shape (k + 1, contexts): the weights with which codes explain the table best, the constant last."""
    with threadpool_limits(1):
        return _Problem(table).weights(codes.astype(np.float64))[0]


def _with_constant(codes: Floats) -> Floats:
    return np.hstack([codes, np.ones((len(codes), 1))])


def _random_signs(rng: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    return rng.integers(0, 2, shape).astype(np.float64) * 2 - 1


def _signs(values: Floats) -> Floats:
    return np.where(values > 0, 1.0, -1.0)
