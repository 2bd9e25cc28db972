"""A first circuit for a table: for every output a sum of products that holds on all its rows.

A row where the output is true becomes a product of all inputs; then inputs are left out of it, one after the other, as
long as it stays false where the output is false. Open rows may come out either way, which makes products short.
"""

from __future__ import annotations

import numpy as np

from boolearn.baselines.specification import Specification
from boolearn.circuit import Circuit, Literal
from boolearn.circuit.building import CircuitBuilder, signed
from boolearn.minimising.vectors import vector, vectors


def sum_of_products(spec: Specification, rng: np.random.Generator) -> Circuit:
    """And and Or gates of two inputs; the order in which inputs are left out is drawn."""
    full = (1 << len(spec.inputs)) - 1
    columns = vectors(spec.inputs)
    literals = [(column, column ^ full) for column in columns]
    builder = CircuitBuilder(spec.input_names, fan_in=2)
    outputs = []
    for place, name in enumerate(spec.output_names):
        wanted = spec.outputs[:, place]
        on, off = vector(wanted), vector(-wanted)
        # Of the output and its negation the one that is true in fewer rows has fewer products.
        sign = 1 if on.bit_count() <= off.bit_count() else -1
        if sign < 0:
            on, off = off, on
        order = rng.permutation(spec.n_inputs).tolist()
        products = [
            builder.conjunction(Literal(k, s) for k, s in product) for product in _products(on, off, literals, order)
        ]
        outputs.append((name, signed(builder.disjunction(products), sign)))
    return builder.circuit(outputs)


def _products(on: int, off: int, literals: list[tuple[int, int]], order: list[int]) -> list[list[tuple[int, int]]]:
    """Products, as pairs of an input and a sign, that together are true on ``on`` and nowhere on ``off``."""
    found = []
    left = on
    while left:
        row = (left & -left).bit_length() - 1
        chosen = {k: 1 if literals[k][0] >> row & 1 else -1 for k in order}
        for k in order:
            without = _true(literals, {j: s for j, s in chosen.items() if j != k}, off)
            if not without:
                del chosen[k]
        found.append(sorted(chosen.items()))
        left &= ~_true(literals, chosen, left)
    return found


def _true(literals: list[tuple[int, int]], product: dict[int, int], among: int) -> int:
    """The rows among these where a product is true."""
    for k, sign in product.items():
        among &= literals[k][sign < 0]
        if not among:
            break
    return among
