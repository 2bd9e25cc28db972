"""Rewriting keeps the function; and does what it is for."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_functions import circuits, naive_relevant, patterns

from boolearn.circuit import Circuit, Gate, Kind, Literal, simplify, summarize
from boolearn.circuit.gate import conjunction, constant, disjunction, majority
from boolearn.circuit.rewriting.sign_flips import flipped, with_fewest_nots
from boolearn.circuit.summary import count_nots


def same(a: Circuit, b: Circuit) -> bool:
    every = patterns(len(a.inputs))
    return (
        a.inputs == b.inputs
        and [n for n, _ in a.outputs] == [n for n, _ in b.outputs]
        and bool((a.predict(every) == b.predict(every)).all())
    )


def _up_to_sign(gate: Gate) -> tuple[tuple[int, ...], ...]:
    if gate.xor:
        return (gate.inputs,)
    sign = 1 if gate.weights[0] > 0 else -1
    return gate.inputs, tuple(sign * weight for weight in (*gate.weights, gate.bias))


@given(circuits(), st.booleans())
def test_simplifying_keeps_the_function_and_leaves_nothing_to_do(circuit: Circuit, flip: bool) -> None:
    small = simplify(circuit, flip)
    assert same(small, circuit)
    assert len(small.gates) <= len(circuit.gates) + 1  # a constant output may need a gate of its own
    assert len(simplify(small, flip).gates) == len(small.gates)
    used = {signal for gate in small.gates for signal in gate.inputs} | {x.signal for _, x in small.outputs}
    assert set(range(len(small.inputs), small.n_signals)) <= used
    for gate in small.gates:
        assert gate.kind not in (Kind.COPY, Kind.NOT)
        assert gate.xor or len(naive_relevant(gate.weights, gate.bias)) == len(gate.inputs)
        assert not gate.xor or gate.weights[1:] == (1,) * (len(gate.inputs) - 1)
    assert small.counts.get(Kind.CONSTANT, 0) <= 1
    keys = {_up_to_sign(gate) for gate in small.gates if gate.inputs}
    assert len(keys) == len(small.gates) - small.counts.get(Kind.CONSTANT, 0)


@settings(max_examples=40)
@given(circuits(most_gates=6, xor=False))
def test_nots_are_the_fewest_that_flips_can_give(circuit: Circuit) -> None:
    best = with_fewest_nots(circuit)
    assert same(best, circuit)
    least = min(
        count_nots(flipped(circuit, np.array(flips, np.int64)))
        for flips in itertools.product((1, -1), repeat=len(circuit.gates))
    )
    assert count_nots(best) == least


def test_every_kind_of_waste_goes() -> None:
    gates = (
        constant(1),  # 2
        conjunction([(0, 1), (2, 1)]),  # 3: a
        Gate((3,), (-1,)),  # 4: ~a
        Gate((4,), (-1,)),  # 5: a
        disjunction([(5, 1), (1, 1)]),  # 6: a | b
        conjunction([(4, 1), (1, -1)]),  # 7: ~a & ~b, the same gate negated
        majority([(6, 1), (7, -1), (0, 1)]),  # 8: 6 twice, so a | b
        conjunction([(0, 1), (1, 1)]),  # 9: dead
        Gate((0, 1, 6), (4, 1, 1), 1),  # 10: a, the rest irrelevant
    )
    circuit = Circuit(("a", "b"), gates, (("p", Literal(8)), ("q", Literal(10, -1)), ("r", Literal(2))))
    small = simplify(circuit)
    assert same(small, circuit)
    assert small.counts == {Kind.OR: 1, Kind.CONSTANT: 1}


def test_de_morgan_saves_nots() -> None:
    gates = (conjunction([(0, -1), (1, -1)]), conjunction([(2, -1), (3, -1)]), conjunction([(4, -1), (5, -1)]))
    circuit = Circuit(("a", "b", "c", "d"), gates, (("y", Literal(6)),))
    small = simplify(circuit)
    assert same(small, circuit)
    assert count_nots(small) == 0
    assert small.counts == {Kind.OR: 2, Kind.AND: 1}


def test_summary_counts(two_and_maj: Circuit) -> None:
    summary = summarize(two_and_maj)
    assert (summary.gates, summary.nots, summary.depth) == (3, 2, 2)
    assert summary.supports == {2: 2, 3: 1}
    assert summary.unused_inputs == ("e",)
    assert str(summary) == (
        "5 inputs, 2 outputs, 3 gates (2 and, 1 maj), 2 nots, depth 2; gates by number of inputs: 2 of 2, 1 of 3; "
        "unused inputs: e."
    )


@pytest.fixture
def two_and_maj() -> Circuit:
    gates = (conjunction([(0, 1), (1, -1)]), conjunction([(2, 1), (3, 1)]), majority([(5, 1), (6, 1), (0, 1)]))
    return Circuit(("a", "b", "c", "d", "e"), gates, (("p", Literal(7)), ("q", Literal(5, -1))))
