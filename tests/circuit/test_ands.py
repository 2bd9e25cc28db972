"""And nodes: counted as aigverse counts them, and fewer after rewriting."""

from __future__ import annotations

import itertools
import sys
import time

import numpy as np
import pytest
from aigverse.algorithms import cleanup_dangling
from aigverse.io import read_aiger_into_aig
from aigverse.networks import Aig
from hypothesis import given, settings

from boolearn.circuit import Circuit, Gate, Literal, as_model, circuit_from_formulas, prove_equal
from boolearn.circuit.building import FALSE, CircuitBuilder, negation
from boolearn.circuit.gate import Kind, conjunction, disjunction
from boolearn.data import multiplier
from random_circuits import circuits


def referee(circuit: Circuit) -> int:
    """The circuit's gates made anew by aigverse, which hashes what it makes; what no output reads is taken out."""
    aig = Aig()
    signals = [aig.create_pi() for _ in circuit.inputs]
    for gate in circuit.decompose(fan_in=2).gates:
        read = [signals[s] if weight > 0 else ~signals[s] for s, weight in zip(gate.inputs, gate.weights, strict=True)]
        match gate.kind:
            case Kind.CONSTANT:
                signals.append(aig.get_constant(gate.bias > 0))
            case Kind.OR:
                signals.append(aig.create_or(*read))
            case Kind.AND:
                signals.append(aig.create_and(*read))
            case _:
                signals.append(read[0])
    outputs = circuit.decompose(fan_in=2).outputs
    for _, literal in outputs:
        aig.create_po(signals[literal.signal] if literal.sign > 0 else ~signals[literal.signal])
    return int(cleanup_dangling(aig).num_gates)


@given(circuits())
@settings(max_examples=150)
def test_ands_are_counted_as_aigverse_counts_them(tmp_path_factory: pytest.TempPathFactory, circuit: Circuit) -> None:
    path = tmp_path_factory.getbasetemp() / "counted.aig"
    circuit.save(path)
    assert circuit.ands() == cleanup_dangling(read_aiger_into_aig(path)).num_gates
    two = circuit.decompose(fan_in=2)
    assert two.ands() == referee(two)


def test_what_costs_no_and() -> None:
    def ands(*gates: Gate) -> int:
        return Circuit(("a", "b", "c"), gates, (("y", Literal(2 + len(gates), -1)),)).ands()

    both = conjunction([(0, 1), (1, 1)])
    assert ands() == 0
    assert ands(both) == ands(disjunction([(0, -1), (1, -1)])) == 1
    assert ands(both, disjunction([(0, -1), (1, -1)]), conjunction([(3, 1), (4, -1)])) == 1, "De Morgan"
    assert ands(both, conjunction([(0, 1), (2, 1)])) == 1, "one is not read"
    assert ands(both, conjunction([(3, 1), (0, -1)]), conjunction([(3, 1), (2, 1)])) == 2
    assert circuit_from_formulas({"y": "a ^ b"}).ands() == 3
    assert circuit_from_formulas({"y": "a & b | c & (a | b)"}).ands() == 4


def test_thousands_are_counted_quickly() -> None:
    rng = np.random.default_rng(3)
    gates, n = [], 100
    for index in range(6000):
        pair = rng.choice(np.arange(max(0, index - 400), n + index), 2, replace=False).tolist()
        gates.append(conjunction([(pair[0], 1), (pair[1], int(rng.choice((-1, 1))))]))
    outputs = tuple((f"y{k}", Literal(n + 6000 - 1 - k)) for k in range(50))
    circuit = Circuit(tuple(f"x{k}" for k in range(n)), tuple(gates), outputs)
    begun = time.process_time()
    assert circuit.ands() > 4000
    assert time.process_time() - begun < 1


def product_bit(bits: int) -> Circuit:
    """The middle bit of a product, carries saved row by row: hard for SAT."""
    builder = CircuitBuilder([f"{letter}{k}" for letter in "ab" for k in range(bits)])

    def exclusive(a: Literal, b: Literal) -> Literal:
        return builder.disjunction((builder.conjunction((a, negation(b))), builder.conjunction((negation(a), b))))

    columns: list[list[Literal]] = [[] for _ in range(2 * bits + 1)]
    for i in range(bits):
        for j in range(bits):
            columns[i + j].append(builder.conjunction((Literal(i), Literal(bits + j))))
    for column, above in itertools.pairwise(columns[: bits + 1]):
        while len(column) > 1:
            a, b, c = column.pop(0), column.pop(0), column.pop(0) if column else FALSE
            column.append(exclusive(exclusive(a, b), c))
            above.append(builder.majority(a, b, c))
    return builder.circuit([("y", columns[bits - 1][0])])


@given(circuits())
@settings(max_examples=10)
def test_rewriting_keeps_the_function_and_the_names_and_adds_no_and(circuit: Circuit) -> None:
    smaller = circuit.with_fewer_ands()
    assert smaller.ands() <= circuit.ands()
    assert prove_equal(circuit, smaller, method="exhaustive")
    assert smaller.inputs == circuit.inputs
    assert [name for name, _ in smaller.outputs] == [name for name, _ in circuit.outputs]


def test_rewriting_saves() -> None:
    table = multiplier(2)
    minterms = {}
    for bit in range(4):
        ones = table.inputs[table.outputs[:, bit] > 0]
        terms = [" & ".join(f"{'~' * int(v < 0)}x{k}" for k, v in enumerate(row)) for row in ones]
        minterms[f"y{bit}"] = " | ".join(f"({term})" for term in terms)
    circuit = circuit_from_formulas(minterms)
    smaller = circuit.with_fewer_ands()
    assert smaller.ands() <= 16 < circuit.ands()
    assert prove_equal(smaller, circuit)
    assert prove_equal(as_model(smaller), circuit)


def test_what_is_not_proved_in_time_is_not_returned() -> None:
    circuit = product_bit(13)
    assert circuit.with_fewer_ands(time_limit=0) is circuit
    small = product_bit(5)
    assert small.with_fewer_ands(time_limit=0).ands() < small.ands(), "ten inputs are compared one by one"


def test_without_aigverse_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "aigverse.networks", None)
    with pytest.raises(ImportError, match=r"pip install 'boolearn\[eda\]'"):
        circuit_from_formulas({"y": "a & b"}).with_fewer_ands()
