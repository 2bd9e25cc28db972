"""Threshold gates taken apart are the same function."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_functions import circuits as unnamed_circuits

from boolearn.circuit import Circuit, Gate, Kind, Literal, decompose
from boolearn.errors import ParameterError
from random_circuits import all_inputs, circuits


@given(circuits(odd_names=True), st.booleans(), st.booleans(), st.sampled_from([None, 2, 3]))
def test_the_function_is_kept_and_only_simple_gates_are_left(
    circuit: Circuit, majority: bool, xor: bool, fan_in: int | None
) -> None:
    simple = decompose(circuit, majority=majority, xor=xor, fan_in=fan_in)
    inputs = all_inputs(len(circuit.inputs))
    assert np.array_equal(simple.predict(inputs), circuit.predict(inputs))
    assert Kind.THRESHOLD not in simple.counts
    assert majority or Kind.MAJ not in simple.counts
    assert xor or Kind.XOR not in simple.counts
    for gate in simple.gates:
        assert set(gate.weights) <= {1, -1}
        if gate.kind is Kind.MAJ:
            assert len(gate.inputs) == 3
        elif gate.xor:
            assert len(gate.inputs) == 2
        elif fan_in:
            assert len(gate.inputs) <= fan_in


@given(circuits(odd_names=True))
def test_every_named_gate_keeps_its_name_and_its_values(circuit: Circuit) -> None:
    simple = decompose(circuit, majority=False, fan_in=2)
    inputs = all_inputs(len(circuit.inputs))
    before, after = circuit.signal_values(inputs), simple.signal_values(inputs)
    names = [gate.name for gate in circuit.gates if gate.name]
    assert [gate.name for gate in simple.gates if gate.name] == names
    for gate_before, gate_after in zip(_named(circuit), _named(simple), strict=True):
        assert np.array_equal(before[:, gate_before], after[:, gate_after])


@given(unnamed_circuits(), st.sampled_from((None, 2, 3)))
def test_without_names_only_and_and_or_are_left(circuit: Circuit, fan_in: int | None) -> None:
    flat = decompose(circuit, fan_in=fan_in)
    inputs = all_inputs(len(circuit.inputs))
    assert np.array_equal(flat.predict(inputs), circuit.predict(inputs))
    assert set(flat.counts) <= {Kind.AND, Kind.OR, Kind.CONSTANT}
    assert flat.counts.get(Kind.CONSTANT, 0) <= 1  # for outputs


def _named(circuit: Circuit) -> list[int]:
    return [index for index, gate in enumerate(circuit.gates, len(circuit.inputs)) if gate.name]


def threshold(weights: tuple[int, ...], bias: int) -> Circuit:
    n = len(weights)
    return Circuit(tuple(f"x{i}" for i in range(n)), (Gate(tuple(range(n)), weights, bias),), (("y", Literal(n)),))


@given(st.lists(st.integers(-(10**9), 10**9).filter(bool), min_size=8, max_size=12), st.integers(-(10**9), 10**9))
def test_wild_weights_are_exact_too(weights: list[int], bias: int) -> None:
    circuit = threshold(tuple(weights), bias)
    inputs = all_inputs(len(weights))
    assert np.array_equal(decompose(circuit).predict(inputs), circuit.predict(inputs))


def test_wide_gates_with_wild_weights_stay_small(rng: np.random.Generator) -> None:
    weights = tuple(int(weight) for weight in rng.integers(1, 10**9, 40) * rng.choice((-1, 1), 40))
    circuit = threshold(weights, 12345)
    simple = decompose(circuit)
    assert len(simple.gates) < 20_000
    inputs = rng.choice(np.array((-1, 1), np.int8), (2000, 40))
    # Half of the items near the threshold, where a wrong carry would show.
    order = np.argsort(np.abs(inputs @ np.array(weights) + 12345))
    near = inputs[order[:1000]]
    assert np.array_equal(simple.predict(near), circuit.predict(near))


def test_a_majority_of_many_inputs_does_not_recurse(rng: np.random.Generator) -> None:
    circuit = threshold((1,) * 1101, 0)
    simple = decompose(circuit)
    inputs = rng.choice(np.array((-1, 1), np.int8), (20, 1101))
    assert np.array_equal(simple.predict(inputs), circuit.predict(inputs))


def test_the_paper_s_gates_become_few() -> None:
    assert len(decompose(threshold((2, 1, 1, 1), 0)).gates) == 4  # (a and any of bcd) or all of bcd
    assert len(decompose(threshold((1, 1, 1), 0)).gates) == 4


def test_a_fan_in_of_one_is_refused() -> None:
    with pytest.raises(ParameterError, match="fan_in"):
        decompose(threshold((1, 1), 1), fan_in=1)
