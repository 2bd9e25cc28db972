"""Exclusive or as a gate: what it is, that its Nots cancel, and that it is found where other gates compute it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_functions import circuits, patterns

from boolearn.circuit import Circuit, Kind, Literal, circuit_from_formulas, load, prove_equal, with_xors
from boolearn.circuit.building import FALSE, TRUE, CircuitBuilder, negation
from boolearn.circuit.gate import exclusive
from boolearn.circuit.rewriting.and_graph import AndGraph
from boolearn.errors import FileError

literals = st.lists(
    st.one_of(st.sampled_from((TRUE, FALSE)), st.builds(Literal, st.integers(0, 3), st.sampled_from((-1, 1)))),
    max_size=6,
)


def xor_of(n: int) -> Circuit:
    return Circuit(tuple(f"x{k}" for k in range(n)), (exclusive([(k, 1) for k in range(n)]),), (("y", Literal(n)),))


@given(circuits())
def test_a_gate_s_value_is_what_the_circuit_holds(circuit: Circuit) -> None:
    for row in circuit.signal_values(patterns(len(circuit.inputs))).tolist():
        for gate, held in zip(circuit.gates, row[len(circuit.inputs) :], strict=True):
            assert gate.value(row[signal] for signal in gate.inputs) == held


@given(literals)
def test_a_builder_cancels_what_appears_twice(read: list[Literal]) -> None:
    builder = CircuitBuilder(("a", "b", "c", "d"))
    found = builder.exclusive(read), builder.exclusive(negation(literal) for literal in read)
    circuit = builder.circuit((("y", found[0]), ("z", found[1])))
    every = patterns(4)
    values = np.array([[1 if x == TRUE else -1 if x == FALSE else r[x.signal] * x.sign for x in read] for r in every])
    odd = np.where((values.reshape(16, -1) > 0).sum(axis=1) % 2, 1, -1)
    even = np.where((values.reshape(16, -1) < 0).sum(axis=1) % 2, 1, -1)
    assert (circuit.predict(every) == np.stack([odd, even], axis=1)).all()
    assert len(circuit.gates) <= 1  # both are one gate, or its negation
    assert all(len(gate.inputs) != 1 and sum(weight < 0 for weight in gate.weights) < 2 for gate in circuit.gates)


@pytest.mark.parametrize("n", [2, 3, 9, 40])
def test_parities_are_proved_and_told_apart(n: int) -> None:
    chain = circuit_from_formulas({"y": " ^ ".join(f"x{k}" for k in range(n))}, xor_of(n).inputs)
    assert chain.counts == {Kind.XOR: n - 1}
    assert prove_equal(xor_of(n), chain, method="sat")
    assert prove_equal(xor_of(n), chain.decompose(), method="sat")
    other = Circuit(chain.inputs, chain.gates, (("y", Literal(chain.n_signals - 1, -1)),))
    for method in ("sat", "exhaustive") if n < 20 else ("sat",):
        assert prove_equal(xor_of(n), other, method=method).equal is False
    some = np.random.default_rng(n).choice(np.array((-1, 1), np.int8), (300, n))
    odd = np.where((some > 0).sum(axis=1) % 2, 1, -1)
    assert (xor_of(n).predict(some)[:, 0] == odd).all()
    assert (xor_of(n).predict(some[:5])[:, 0] == odd[:5]).all()


def test_nots_reach_a_xor_at_most_once() -> None:
    gates = (exclusive([(0, -1), (1, -1), (2, -1)]), exclusive([(3, -1), (2, -1)]))
    small = Circuit(("a", "b", "c"), gates, (("y", Literal(4, -1)), ("z", Literal(3)))).simplify()
    assert [gate.weights for gate in small.gates] == [(-1, 1, 1), (1, 1)]
    assert small.summary().nots == 2
    assert "2 xor" in str(small.summary())


def test_three_ands_make_a_xor() -> None:
    assert len(AndGraph(xor_of(2)).ands) == 3
    assert len(AndGraph(xor_of(16)).ands) == 3 * 15


@given(circuits())
def test_finding_xors_keeps_the_function_and_adds_no_gate(circuit: Circuit) -> None:
    found = with_xors(circuit)
    every = patterns(len(circuit.inputs))
    assert (found.predict(every) == circuit.predict(every)).all()
    assert len(found.gates) <= len(circuit.gates)


@pytest.mark.parametrize(
    "text",
    ["(a | b) & ~(a & b)", "a & ~b | ~a & b", "~(~(a & ~(a & b)) & ~(b & ~(a & b)))", "(~a | b) & (a | ~b)"],
)
def test_xors_are_found_however_they_are_built(text: str) -> None:
    circuit = circuit_from_formulas({"y": text}, ("a", "b"))
    assert circuit.with_xors().counts == {Kind.XOR: 1}
    assert prove_equal(circuit, circuit.with_xors())


def test_an_adder_is_five_gates_a_bit() -> None:
    lines, carry = [], "False"
    for k in range(4):
        lines += [f"p{k} = Xor(a{k}, b{k})", f"s{k} = p{k} ^ {carry}", f"c{k} = a{k} & b{k} | p{k} & {carry}"]
        carry = f"c{k}"
    adder = circuit_from_formulas("\n".join(lines), outputs=[f"s{k}" for k in range(4)] + ["c3"])
    plain = adder.decompose()
    assert plain.counts.get(Kind.XOR) is None
    assert plain.with_xors().counts == adder.counts == {Kind.XOR: 7, Kind.AND: 7, Kind.OR: 3}
    assert prove_equal(plain.with_xors(), adder, method="sat")


@pytest.mark.parametrize(
    ("gate", "message"),
    [
        ('"weights": [1, -1], "bias": 0, "xor": 1', "the xor of gate 0 must be true or false. Got 1"),
        ('"weights": [1, -1], "bias": 1, "xor": true', "gate 0: an exclusive or must have"),
        ('"weights": [3, -1], "bias": 0, "xor": true', "gate 0: an exclusive or must have"),
    ],
)
def test_json_refuses_what_is_no_xor(tmp_path: Path, gate: str, message: str) -> None:
    text = '{"format": "boolearn circuit", "version": 1, "inputs": ["a", "b"],\n"gates": [{"inputs": [0, 1], %s}],\n'
    path = tmp_path / "c.json"
    path.write_text(text % gate + '"outputs": []}')
    with pytest.raises(FileError, match=rf"c.json:2: {message}"):
        load(path)
