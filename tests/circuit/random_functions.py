"""Strategies and obvious reference versions for the tests of circuits."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from hypothesis import strategies as st

from boolearn.circuit import Circuit, Gate, Literal
from boolearn.circuit.gate import exclusive
from boolearn.data.signs import Signs
from boolearn.model import BoolNet
from boolearn.network import from_edges, layered


def patterns(n_inputs: int) -> Signs:
    """All inputs, first input slowest, by the standard library."""
    return np.array(list(itertools.product((-1, 1), repeat=n_inputs)), np.int8).reshape(1 << n_inputs, n_inputs)


def naive_sign(weights: Sequence[float], bias: float, pattern: Sequence[int]) -> int:
    total = Fraction(bias) + sum(Fraction(w) * int(x) for w, x in zip(weights, pattern, strict=True))
    return 1 if total > 0 else -1


def naive_relevant(weights: Sequence[float], bias: float) -> set[int]:
    """The paper's definition, word for word."""
    found = set()
    for pattern in itertools.product((-1, 1), repeat=len(weights)):
        value = naive_sign(weights, bias, pattern)
        for p in range(len(weights)):
            other = [*pattern]
            other[p] = -other[p]
            if naive_sign(weights, bias, other) != value:
                found.add(p)
    return found


# Small integers make ties and equal weights, decimals make near ties, floats everything else.
real_weight = st.one_of(
    st.integers(-4, 4).map(float),
    st.integers(-30, 30).map(lambda k: k / 10),
    st.floats(-8, 8, allow_subnormal=False),
)


@st.composite
def boolnets(draw: st.DrawFn, most_inputs: int = 6) -> BoolNet:
    """Layered networks and other graphs, with any weights."""
    n_inputs = draw(st.integers(1, most_inputs))
    if draw(st.booleans()):
        widths = draw(st.lists(st.integers(1, 4), min_size=1, max_size=3))
        network = layered(n_inputs, *widths)
    else:
        n_nodes = n_inputs + draw(st.integers(1, 6))
        edges = {(draw(st.integers(1, node - 1)), node) for node in range(n_inputs + 1, n_nodes + 1) for _ in range(3)}
        n_outputs = 1
        senders = {sender for sender, _ in edges}
        while n_nodes - n_outputs > n_inputs and not all(
            k in senders for k in range(n_inputs + 1, n_nodes - n_outputs + 1)
        ):
            n_outputs += 1
        edges = {(s, r) for s, r in edges if s <= n_nodes - n_outputs}
        fed = {r for _, r in edges}
        edges |= {(1, node) for node in range(n_inputs + 1, n_nodes + 1) if node not in fed}
        senders = {s for s, _ in edges}
        edges |= {(node, n_nodes) for node in range(n_inputs + 1, n_nodes - n_outputs + 1) if node not in senders}
        network = from_edges(n_inputs, n_outputs, sorted(edges))
    weights = draw(st.lists(real_weight, min_size=network.n_weights, max_size=network.n_weights))
    return BoolNet(network, np.array(weights))


@st.composite
def circuits(draw: st.DrawFn, most_inputs: int = 5, most_gates: int = 8, xor: bool = True) -> Circuit:
    """Any circuit of threshold gates and Xors, with constants, copies, irrelevant inputs, duplicates and dead ends."""
    n_inputs = draw(st.integers(1, most_inputs))
    gates: list[Gate] = []
    for index in range(draw(st.integers(0, most_gates))):
        inputs = draw(st.lists(st.integers(0, n_inputs + index - 1), max_size=5, unique=True))
        if xor and len(inputs) > 1 and draw(st.integers(0, 3)) == 0:
            gates.append(exclusive([(signal, draw(st.sampled_from((-1, 1)))) for signal in inputs]))
            continue
        weights = [draw(st.integers(-3, 3).filter(bool)) for _ in inputs]
        bias = draw(st.integers(-4, 4))
        if (sum(weights) + bias) % 2 == 0:
            bias += 1
        gates.append(Gate(tuple(inputs), tuple(weights), bias))
    signals = st.integers(0, n_inputs + len(gates) - 1)
    outputs = draw(st.lists(st.tuples(signals, st.sampled_from((-1, 1))), min_size=1, max_size=4))
    return Circuit(
        tuple(f"a{k}" for k in range(n_inputs)),
        tuple(gates),
        tuple((f"y{k}", Literal(signal, sign)) for k, (signal, sign) in enumerate(outputs)),
    )
