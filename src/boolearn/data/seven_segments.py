"""Seven segments: the digits of a pocket calculator, the example of a table with open rows."""

from __future__ import annotations

import numpy as np

from boolearn.data.dataset import Dataset
from boolearn.data.multiplication import binary

_LIT = ("1111110", "0110000", "1101101", "1111001", "0110011", "1011011", "1011111", "1110000", "1111111", "1111011")
"""The segments a to g of the digits 0 to 9."""


def seven_segments() -> Dataset:
    """Four bits, most significant first, and the segments a to g that show the decimal digit they mean.

    The numbers 10 to 15 are no digits: whatever is shown for them is right, so their outputs are open.
    """
    lit = np.ones((16, 7), np.int8)
    lit[: len(_LIT)] = [[1 if cell == "1" else -1 for cell in row] for row in _LIT]
    mask = np.zeros(lit.shape, bool)
    mask[len(_LIT) :] = True
    names = tuple(f"b{bit}" for bit in (3, 2, 1, 0))
    return Dataset(binary(np.arange(16), 4), lit, input_names=names, output_names=tuple("abcdefg"), open=mask)
