"""Affine functions over GF(2): the parity of some inputs, or its negation.

y = c + Σ s_i·x_i is a linear equation in the n + 1 unknowns c, s for every example, so Gaussian elimination finds a
solution or shows that there is none, in O(n²·m/64) steps on packed bits. n + 1 independent examples leave only one; m
random examples are dependent with a chance of about 2^(n−m).
"""

from __future__ import annotations

import numpy as np

from boolearn.circuit.building import CircuitBuilder, signed
from boolearn.circuit.circuit import Literal
from boolearn.learning.classes.fitted import Bits, Drawing, Fitted, listed, subset_bits
from boolearn.learning.classes.words import parity

NAME = "affine"


def fit(inputs: Bits, output: Bits) -> Fitted | None:
    """The parity that agrees; where examples leave several, unknowns that they do not determine are 0."""
    n = inputs.shape[1]
    solution = _solved(inputs, output)
    if solution is None:
        return None
    chosen = [index for index in range(n) if solution >> index & 1]
    odd = bool(solution >> n & 1)
    if not np.array_equal((inputs[:, chosen].sum(axis=1) + odd) % 2 == 1, output):
        return None
    words = f"the {'negated ' * odd}parity of {len(chosen)} inputs: {listed(chosen)}"

    def make(builder: CircuitBuilder) -> Literal:
        return signed(parity(builder, [Literal(index) for index in chosen]), -1 if odd else 1)

    return Fitted(NAME, words, 1 + subset_bits(n, len(chosen)), n, (Drawing(make),))


def _solved(inputs: Bits, output: Bits) -> int | None:
    """Bits 0 … n − 1: which inputs; bit n: the constant.

    Equations are integers: bits 0 … n the coefficients of the unknowns, bit n + 1 the answer.
    """
    n = inputs.shape[1]
    equations = np.concatenate((inputs, np.ones((len(inputs), 1), bool), output[:, None]), axis=1)
    octets = np.packbits(equations, axis=1, bitorder="little")
    unknowns = (1 << n + 1) - 1
    pivots: dict[int, int] = {}
    for row in octets:
        if len(pivots) > n:
            break  # the unknowns are all determined; whether the other examples agree is seen at once
        equation = int.from_bytes(row.tobytes(), "little")
        while equation & unknowns:
            pivot = (equation & unknowns).bit_length() - 1
            if pivot not in pivots:
                pivots[pivot] = equation
                break
            equation ^= pivots[pivot]
        else:
            if equation:
                return None
    solution = 0
    for pivot in sorted(pivots):  # an equation's highest unknown is its pivot, so lower ones are known by now
        equation = pivots[pivot]
        answer = equation >> n + 1 ^ (equation & solution).bit_count()
        solution |= (answer & 1) << pivot
    return solution
