"""Constants and single literals: the functions of at most one input.

There are 2n + 2 of them, and a pass over the examples tells which agree with all.
"""

from __future__ import annotations

import math

import numpy as np

from boolearn.circuit.building import FALSE, TRUE
from boolearn.circuit.circuit import Literal
from boolearn.learning.classes.fitted import Bits, Drawing, Fitted, listed

NAME = "constant or literal"


def fit(inputs: Bits, output: Bits) -> Fitted | None:
    """A constant where the output is one, else the first input that equals it or its negation."""
    n = inputs.shape[1]
    if output.all() or not output.any():
        value = bool(len(output) and output[0])
        return _fitted(f"always {int(value)}", TRUE if value else FALSE, n)
    equal = (inputs == output[:, None]).sum(axis=0)
    for count, sign in ((len(output), 1), (0, -1)):
        for index in np.flatnonzero(equal == count)[:1].tolist():
            return _fitted(f"{'not ' * (sign < 0)}{listed([index])}", Literal(index, sign), n)
    return None


def _fitted(template: str, literal: Literal, n: int) -> Fitted:
    return Fitted(NAME, template, math.log2(2 * n + 2), n, (Drawing(lambda _: literal),))
