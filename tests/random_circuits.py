"""Circuits of all kinds for tests: every gate, odd names, outputs that are inputs, constants or each other."""

from __future__ import annotations

import itertools

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from boolearn.circuit import Circuit, Gate, Literal
from boolearn.circuit.gate import conjunction, constant, disjunction, exclusive, majority

ODD_NAMES = [
    "a b",
    " a",
    "a ",
    "Ω≠",
    "2x",
    "module",
    "begin",
    "int",
    "a%20b",
    "%",
    "x[3]",
    ".end",
    "#q",
    "q\\",
    '"z"',
    "a,b",
    "(=)",
    "y",
    "y_1",
    "Y",
    "-",
    "_",
    "__",
    "'",
    "a\nb",
    "a\tb",
    "a*/b",
    "$true",
    "??/",
    "𝟙",
    "\u2028",
    "g0",
    "in",
    "word",
    "1",
    "0",
]


def all_inputs(n: int) -> npt.NDArray[np.int8]:
    """Shape (2**n, n): every pattern of ±1."""
    return np.array(list(itertools.product((-1, 1), repeat=n)), np.int8).reshape(1 << n, n)


@st.composite
def circuits(draw: st.DrawFn, max_inputs: int = 5, max_gates: int = 8, odd_names: bool = False) -> Circuit:
    n = draw(st.integers(1, max_inputs))
    gates = [draw(_gates(n + index, odd_names)) for index in range(draw(st.integers(0, max_gates)))]
    outputs = draw(st.integers(1, 5))
    names = st.sampled_from(ODD_NAMES)

    def chosen(count: int, letter: str) -> list[str]:
        if odd_names:
            return draw(st.lists(names, min_size=count, max_size=count, unique=True))
        return [f"{letter}{index}" for index in range(count)]

    literals = [
        Literal(draw(st.integers(0, n + len(gates) - 1)), draw(st.sampled_from((1, -1)))) for _ in range(outputs)
    ]
    return Circuit(tuple(chosen(n, "x")), tuple(gates), tuple(zip(chosen(outputs, "y"), literals, strict=True)))


@st.composite
def _gates(draw: st.DrawFn, signals: int, odd_names: bool) -> Gate:
    kind = draw(st.sampled_from(["constant", "copy", "and", "or", "xor", "maj", "threshold", "(2,1,1,1)"]))
    name = draw(st.none() | st.sampled_from(ODD_NAMES)) if odd_names else None
    most = {"constant": 0, "copy": 1, "maj": 3, "(2,1,1,1)": 4}.get(kind, 5)
    read = draw(st.lists(st.integers(0, signals - 1), min_size=min(most, 1), max_size=most, unique=True))
    signs = [draw(st.sampled_from((1, -1))) for _ in read]
    literals = list(zip(read, signs, strict=True))
    if kind == "constant":
        return constant(draw(st.sampled_from((1, -1))), name)
    if kind == "copy" or len(read) == 1:
        return Gate(tuple(read[:1]), tuple(signs[:1]), name=name)
    if kind == "and":
        return conjunction(literals, name)
    if kind == "or":
        return disjunction(literals, name)
    if kind == "xor":
        return exclusive(literals, name)
    if kind == "maj" and len(read) == 3:
        return majority(literals, name)
    if kind == "(2,1,1,1)" and len(read) == 4:
        return Gate(tuple(read), (2 * signs[0], *signs[1:]), name=name)
    weights = tuple(sign * draw(st.integers(1, 4)) for sign in signs)
    return Gate(tuple(read), weights, draw(st.integers(-6, 6)), name)
