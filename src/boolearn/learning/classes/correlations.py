"""Correlations of the output with single inputs and with pairs of them, on as many rows as are quick."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boolearn.learning.classes.fitted import Bits

Floats = npt.NDArray[np.float32]
_QUICK = 1 << 32
"""Multiplications for all pairs: about a second."""


def first_order(inputs: Bits, output: Bits) -> Floats:
    """Shape (n,): Σ y·x_i over ±1, the mean of y taken off."""
    x, y = _signs(inputs, output)
    return y @ x


def second_order(inputs: Bits, output: Bits) -> Floats:
    """Shape (n, n): Σ y·x_i·x_j over ±1, the mean of y taken off; 0 on the diagonal."""
    rows = max(64, _QUICK // inputs.shape[1] ** 2)
    x, y = _signs(inputs[:rows], output[:rows])
    products = (x * y[:, None]).T @ x
    np.fill_diagonal(products, 0)
    return np.asarray(products)


def _signs(inputs: Bits, output: Bits) -> tuple[Floats, Floats]:
    x, y = (np.where(bits, np.float32(1), np.float32(-1)) for bits in (inputs, output))
    return x, y - y.mean()
