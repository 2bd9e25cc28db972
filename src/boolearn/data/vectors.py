"""Vectors to be encoded and decoded again: data for autoencoders and for decoders."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from boolearn.checks import MOST_VALUES, checked_integer, checked_room, generator
from boolearn.data.dataset import Dataset, InputKind
from boolearn.data.signs import Signs
from boolearn.errors import ParameterError


def random_vectors(n: int, bits: int, seed: int, generative: InputKind | None = None) -> Dataset:
    """``n`` different random vectors, uniform among all 2^bits, each to be reproduced from itself.

    With ``generative``, ANY_CODE or ONE_HOT_CODE, the vectors are outputs only and training also
    finds a code for each.
    """
    bits = checked_integer("bits", bits, 1)
    n = checked_integer("n", n, 1)
    if bits < 63 and n > 1 << bits:
        raise ParameterError("n", f"an integer from 1 to {1 << bits}, the different vectors of {bits} bits", n)
    checked_room("n", n, bits)
    return _reproduced(_different_vectors(n, bits, generator(seed)), generative)


def one_hot_vectors(n: int, generative: InputKind | None = None) -> Dataset:
    """The ``n`` vectors with a single +1; ``generative`` as for random vectors."""
    n = checked_integer("n", n, 2, math.isqrt(MOST_VALUES))
    return _reproduced(2 * np.eye(n, dtype=np.int8) - np.int8(1), generative)


def _reproduced(vectors: Signs, generative: InputKind | None) -> Dataset:
    if generative is not None:
        return Dataset.generative(vectors, generative)
    return Dataset(vectors, vectors)


def _different_vectors(n: int, bits: int, rng: np.random.Generator) -> Signs:
    if bits < 63 and 4 * n > 1 << bits:
        numbers = rng.permutation(1 << bits)[:n]
        return (2 * (numbers[:, None] >> np.arange(bits) & 1) - 1).astype(np.int8)
    # Repetitions are the exception: draw, drop what was seen before, draw what is missing.
    found: npt.NDArray[np.int8] = np.empty((0, bits), np.int8)
    while len(found) < n:
        drawn = rng.integers(0, 2, (n - len(found), bits), np.int8)
        found = np.concatenate([found, drawn])
        packed = np.packbits(found, axis=1)
        _, first = np.unique(packed, axis=0, return_index=True)
        found = found[np.sort(first)]
    return found * np.int8(2) - np.int8(1)
