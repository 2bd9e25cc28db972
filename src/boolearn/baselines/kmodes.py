"""Binary k-modes: groups of vectors under Hamming distance, each represented by the majority of its bits.

The paper's supplement, "Binary k-modes comparison for the MNIST-4 archetypes".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from boolearn.baselines.method import Method, Model
from boolearn.checks import checked_integer, generator
from boolearn.data import Dataset
from boolearn.data.signs import Signs, as_signs
from boolearn.errors import DataError, ParameterError

MOST_UPDATES = 200
_SIGN_PRODUCTS = np.float32
"""Sums of up to 2²⁴ signs are exact in it, and its matrix product is fast."""


@dataclass(frozen=True)
class Modes:
    """The best of several restarts."""

    modes: Signs
    """Shape (k, bits)."""
    assignment: npt.NDArray[np.intp]
    """The mode of every vector, the nearest; the first among equally near ones."""
    errors: int
    """Bits in which the vectors differ from their modes."""
    seed: int
    """Of the restart that is reported."""
    updates: int
    restart_errors: tuple[int, ...]
    """Of every restart, to see how much the start matters."""


def kmodes(vectors: npt.ArrayLike, k: int, *, restarts: int = 50, seed: int = 0) -> Modes:
    """The ``k`` modes with the fewest errors on the vectors, of ``restarts`` runs with the seeds ``seed``, …"""
    signs = as_signs(vectors, "vectors")
    if signs.ndim != 2:
        raise DataError(f"vectors must have two axes, vectors and bits. Got shape {signs.shape} instead.")
    different = np.unique(signs, axis=0)
    if checked_integer("k", k, 1) > len(different):
        raise ParameterError("k", f"an integer from 1 to {len(different)}, the different vectors there are", k)
    seed = checked_integer("seed", seed, 0)
    seeds = range(seed, seed + checked_integer("restarts", restarts, 1))
    with threadpool_limits(1):  # the products are small: more threads would only wait for each other
        runs = [_one_run(signs, spread_out(different, k, generator(one))) for one in seeds]
    errors = tuple(int(distances.min(axis=1).sum()) for _, distances, _ in runs)
    best = errors.index(min(errors))
    modes, distances, updates = runs[best]
    return Modes(modes, distances.argmin(axis=1), errors[best], seeds[best], updates, errors)


def hamming(vectors: Signs, modes: Signs) -> npt.NDArray[np.int64]:
    """In how many bits every vector differs from every mode."""
    products: npt.NDArray[np.float32] = vectors.astype(_SIGN_PRODUCTS) @ modes.astype(_SIGN_PRODUCTS).T
    different: npt.NDArray[np.int64] = (vectors.shape[1] - products.astype(np.int64)) // 2
    return different


def spread_out(different: Signs, k: int, rng: np.random.Generator) -> Signs:
    """The start, as in k-means++: a vector is drawn with the square of its distance from those drawn before.

    The distance of a vector drawn before is 0, so all are different.
    """
    chosen = [int(rng.integers(len(different)))]
    nearest = hamming(different, different[chosen])[:, 0]
    while len(chosen) < k:
        chosen.append(int(rng.choice(len(different), p=nearest**2 / (nearest**2).sum())))
        nearest = np.minimum(nearest, hamming(different, different[chosen[-1:]])[:, 0])
    return different[chosen]


def update(vectors: Signs, modes: Signs, distances: npt.NDArray[np.int64]) -> Signs:
    """Every mode becomes the majority of the vectors nearest to it; a bit with a tie stays as it was."""
    assignment = fill_empty(distances.argmin(axis=1), distances.min(axis=1), len(modes))
    member = (assignment == np.arange(len(modes))[:, None]).astype(_SIGN_PRODUCTS)
    sums = member @ vectors.astype(_SIGN_PRODUCTS)
    return np.where(sums == 0, modes, np.sign(sums)).astype(np.int8)


def fill_empty(assignment: npt.NDArray[np.intp], errors: npt.NDArray[np.int64], k: int) -> npt.NDArray[np.intp]:
    """An empty group receives the vector with the most errors among the groups of at least two."""
    assignment = assignment.copy()
    members = np.bincount(assignment, minlength=k)
    for empty in np.flatnonzero(members == 0):
        worst = int(np.where(members[assignment] >= 2, errors, -1).argmax())
        members[assignment[worst]] -= 1
        members[empty] = 1
        assignment[worst] = empty
    return assignment


def _one_run(vectors: Signs, modes: Signs) -> tuple[Signs, npt.NDArray[np.int64], int]:
    distances, updates, settled = hamming(vectors, modes), 0, False
    while updates < MOST_UPDATES and not settled:
        before, modes = modes, update(vectors, modes, distances)
        distances, updates, settled = hamming(vectors, modes), updates + 1, np.array_equal(modes, before)
    return modes, distances, updates


@dataclass(frozen=True)
class KModes(Method):
    """k-modes as a baseline: vectors are reproduced by the nearest mode."""

    k: int
    restarts: int = 50

    @property
    def name(self) -> str:
        return "k-modes"

    @property
    def budget(self) -> str:
        return f"best of {self.restarts} starts"

    def learn(self, data: Dataset, seed: int) -> Model:
        first = seed * self.restarts  # so that no two seeds share a start
        modes = kmodes(data.targets, self.k, restarts=self.restarts, seed=first).modes
        return Model(lambda vectors: modes[hamming(vectors, modes).argmin(axis=1)], modes.size, "bits")
