"""Codes by Gaussian elimination: some of the bits are the code, and every other bit is an exclusive or of those.

This finds, without search, the fewest bits that affine functions over GF(2) need. It is exact on all members that it
was made from, and on others as far as the set is affine.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boolearn.circuit.building import CircuitBuilder, negation
from boolearn.circuit.circuit import Literal
from boolearn.data.signs import Signs
from boolearn.theory.bottleneck import Halves

Bits = npt.NDArray[np.bool_]


def affine_halves(members: Signs) -> Halves:
    """The encoder copies the bits of a basis, the decoder computes the others from them."""
    bits = members > 0
    origin = bits[0]
    basis, pivots = reduced(bits ^ origin)
    inputs = tuple(f"x{bit}" for bit in range(bits.shape[1]))
    codes = tuple(f"c{place}" for place in range(len(pivots)))
    encoder = CircuitBuilder(inputs).circuit((code, Literal(pivot)) for code, pivot in zip(codes, pivots, strict=True))
    builder = CircuitBuilder(codes)
    outputs = []
    for bit, column in enumerate(basis.T):
        terms = np.flatnonzero(column).tolist()
        literal = builder.exclusive(Literal(term) for term in terms)
        # The basis describes differences from the first member.
        if origin[bit] ^ np.logical_xor.reduce(origin[pivots][terms], initial=False):
            literal = negation(literal)
        outputs.append((f"y{bit}", literal))
    return Halves(encoder, builder.circuit(outputs))


def reduced(rows: Bits) -> tuple[Bits, list[int]]:
    """A basis of the rows over GF(2), each with a column in which it alone has a one: those columns are the pivots."""
    rows = np.unique(rows, axis=0)
    pivots: list[int] = []
    for column in range(rows.shape[1]):
        place = len(pivots)
        ones = np.flatnonzero(rows[place:, column])
        if not len(ones):
            continue
        rows[[place, place + ones[0]]] = rows[[place + ones[0], place]]
        others = rows[:, column].copy()
        others[place] = False
        rows[others] ^= rows[place]
        pivots.append(column)
    return rows[: len(pivots)], pivots
