"""Multiplication tables."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_integer
from boolearn.data.dataset import Dataset
from boolearn.data.signs import Signs

_MOST_BITS = 10  # 4^10 items; complete tables of wider numbers are too large


def multiplier(bits: int) -> Dataset:
    """The complete table of products of two ``bits``-bit numbers: 4^bits items, 2·bits → 2·bits bits.

    Numbers are written most significant bit first: inputs a1 a0 b1 b0, outputs p3 p2 p1 p0 for
    two bits. Items are ordered by a, then by b.
    """
    bits = checked_integer("bits", bits, 1, _MOST_BITS)
    numbers = np.arange(1 << bits)
    a, b = (factor.ravel() for factor in np.meshgrid(numbers, numbers, indexing="ij"))
    return Dataset(
        np.hstack([binary(a, bits), binary(b, bits)]),
        binary(a * b, 2 * bits),
        input_names=tuple(f"{factor}{bit}" for factor in "ab" for bit in reversed(range(bits))),
        output_names=tuple(f"p{bit}" for bit in reversed(range(2 * bits))),
    )


def binary(numbers: npt.NDArray[np.integer], bits: int) -> Signs:
    """Shape (items, bits): the numbers in binary as ±1, most significant bit first."""
    return ((numbers[:, None] >> np.arange(bits)[::-1] & 1) * 2 - 1).astype(np.int8)
