"""From weights to circuits: equal on the whole cube, equal on the data, always."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_functions import boolnets, patterns

import boolearn as bl
from boolearn.circuit import Kind, extract, extract_and_explain
from boolearn.circuit.extraction.smallest_gate import Reading
from boolearn.data import Dataset, InputKind
from boolearn.data.signs import signs_of
from boolearn.errors import CircuitError, DataError
from boolearn.model import BoolNet, random_model
from boolearn.network import layered

INTEGERS = st.integers(-5, 5).map(float)


@given(boolnets())
def test_on_the_whole_cube_the_circuit_always_equals_the_model(model: BoolNet) -> None:
    circuit = extract(model)
    assert (
        circuit.predict(patterns(len(circuit.inputs))) == signs_of(model.decision(patterns(len(circuit.inputs))))
    ).all()
    proof = circuit.prove_equal(model)
    assert proof
    assert proof.inputs_checked == 1 << model.network.n_inputs


@settings(max_examples=60)
@given(boolnets(most_inputs=7), st.integers(1, 20), st.sampled_from((None, True, False)))
def test_on_data_the_circuit_always_equals_the_model(model: BoolNet, items: int, merge: bool | None) -> None:
    # Weights on a grid, so that predict is exact too.
    model = BoolNet(model.network, np.round(model.weights * 16) / 16)
    data = model.sample(items, seed=0)
    explained = extract_and_explain(model, data, merge=merge)
    assert (explained.circuit.predict(data.inputs) == data.targets).all()
    assert explained.circuit.prove_equal(model, on=data)
    assert explained.items == items
    assert len(explained.neurons) + explained.unused == model.network.n_neurons


@settings(max_examples=30)
@given(boolnets(most_inputs=5))
def test_data_that_holds_every_input_gives_the_whole_function(model: BoolNet) -> None:
    model = BoolNet(model.network, np.round(model.weights * 16) / 16)
    every = patterns(model.network.n_inputs)
    from_data = extract(model, Dataset(every, signs_of(model.decision(every))))
    assert from_data.prove_equal(model)
    assert len(from_data.gates) <= len(extract(model).gates)


def multiplier_by_hand() -> BoolNet:
    """The 2-bit multiplier on 4 → 4 → 4 → 4, as And and Or with an unnecessary copy or two and a little noise."""
    first = np.array(
        [  # constant, x0, x1, x2, x3: a high, a low, b high, b low
            [1, 1, 0, 1, 0],  # high·high
            [1, 0, 1, 0, 1],  # low·low
            [1, 1, 0, 0, 1],  # cross
            [1, 0, 1, 1, 0],  # cross
        ]
    )
    second = np.array(
        [
            [1, 1, 1, 0, 0],  # all four ones
            [1, 1, -1, 0, 0],  # high·high without low·low
            [-1, 0, 0, 1, 1],  # one of the crosses
            [0, 0, 2, 0, 0],  # copy of low·low
        ]
    )
    third = np.array([[0, 2, 0, 0, 0], [0, 0, 2, 0, 0], [1, -1, 0, 1, 0], [0, 0, 0, 0, 2]])
    weights = np.concatenate([layer.ravel() for layer in (first, second, third)]).astype(float)
    noise = np.random.default_rng(0).normal(0, 0.02, len(weights))
    return BoolNet(layered(4, 4, 4, 4), weights * 1.29 + noise)


def test_two_bit_multiplier(two_bit_multiplier: Dataset) -> None:
    model = multiplier_by_hand()
    assert model.accuracy(two_bit_multiplier) == 1
    explained = extract_and_explain(model, two_bit_multiplier)
    circuit = explained.circuit
    assert circuit.counts == {Kind.AND: 7, Kind.OR: 1}
    assert circuit.summary().nots == 2
    assert not explained.not_reduced
    assert circuit.prove_equal(two_bit_multiplier)
    assert str(circuit.prove_equal(model)) == "The circuit and the network are equal on all 16 inputs, each compared."
    assert circuit.prove_equal(two_bit_multiplier.outputs)
    assert extract(model).counts == circuit.counts
    assert "7 and, 1 or" in str(explained)


@pytest.mark.parametrize("merge", [True, False])
def test_consolidated_nodes_are_seen_through(merge: bool) -> None:
    # Nodes 4 and 5 copy input 1, the second negated; node 6 copies input 2. The output spreads one weight over
    # nodes 4 and 5 and is And(x0, x1), though no input of it weighs more than the noise allows for a gate of two.
    network = layered(3, 3, 1)
    hidden = [[0, 2, 0, 0], [0, -2, 0, 0], [0, 0, 2, 0]]
    output = [1.0, 0.6, -0.55, 0.9]
    model = BoolNet(network, np.array([*np.ravel(hidden), *output]))
    data = model.sample(60, seed=1)
    circuit = extract(model, data, merge=merge)
    assert circuit.counts == {Kind.AND: 1}
    assert circuit.prove_equal({"y0": "x0 & x1"})


def test_merging_is_for_what_is_seen_and_not_merging_keeps_simple_gates() -> None:
    # An And of four inputs in two steps, on data where it is never true.
    model = BoolNet(layered(4, 2, 1), np.array([1, 1, 1, 0, 0, 1, 0, 0, 1, 1, 1, 1, 1], float))
    every = patterns(4)
    data = Dataset(every[every.sum(axis=1) < 4], -np.ones((15, 1), np.int8))
    merged = extract_and_explain(model, data, merge=True)
    assert merged.circuit.counts == {Kind.CONSTANT: 1}
    assert merged.neurons[0].reading is Reading.CONSTANT
    assert extract(model, data).prove_equal(model)


def test_paper_gates_of_support_five() -> None:
    # A (2, 1, 1, 1) and a five-input majority, among weights that do nothing.
    rows = np.array([[0.01, 2, -1, 1, 1, 0.02, 0], [0, 1, 1.1, 0.9, -1, 1.05, 0.01]])
    model = BoolNet(layered(6, 2), rows.ravel())
    circuit = extract(model)
    assert [gate.weights for gate in circuit.gates] == [(2, -1, 1, 1), (1, 1, 1, -1, 1)]
    assert circuit.counts == {Kind.THRESHOLD: 1, Kind.MAJ: 1}
    assert extract(model, model.sample(64, seed=0), merge=True).prove_equal(model)


@pytest.mark.parametrize("gates", ["andor", "maj"])
def test_random_circuits_come_back_proved_equal(gates: str) -> None:
    truth = random_model(32, 32, 32, 32, 32, 32, gates=gates, seed=5)
    rng = np.random.default_rng(0)
    learned = BoolNet(truth.network, truth.weights + rng.normal(0, 0.02, len(truth.weights)))
    data = truth.sample(512, seed=6)
    started = time.perf_counter()
    circuit = extract(learned, data)
    assert time.perf_counter() - started < 30
    assert set(circuit.counts) <= {Kind.AND, Kind.OR, Kind.MAJ, Kind.CONSTANT}
    proof = circuit.prove_equal(truth)
    assert proof
    assert proof.method == "sat"
    smallest = extract(learned, data, merge=True)
    assert len(smallest.gates) <= len(circuit.gates)
    assert smallest.prove_equal(data)


def test_unconverged_weights_still_give_a_circuit_that_fits() -> None:
    truth = random_model(12, 8, 4, seed=2)
    rng = np.random.default_rng(1)
    model = BoolNet(truth.network, truth.weights + rng.normal(0, 0.6, len(truth.weights)))
    data = model.sample(100, seed=3)
    explained = extract_and_explain(model, data, effort=200_000)
    assert explained.circuit.prove_equal(data)
    assert explained.not_reduced
    assert "a threshold gate of" in str(explained)


def test_training_ends_in_a_proven_circuit(two_bit_multiplier: Dataset) -> None:
    pytest.importorskip("boolearn._native", reason="training takes too long without the compiled engine")
    run = bl.train(bl.layered(4, 4, 4, 4), two_bit_multiplier, sigma=3, seed=0, restarts=20, max_iter=10_000)
    assert run.solved
    circuit = run.circuit()
    assert circuit.prove_equal(two_bit_multiplier)
    assert circuit.prove_equal(run.model)
    assert circuit.depth <= 3


def test_names_come_from_the_model_or_the_data() -> None:
    model = BoolNet(layered(2, 1), np.array([1.0, 1.0, 1.0]))
    assert extract(model).inputs == ("x0", "x1")
    data = Dataset(patterns(2), model.predict(patterns(2)), input_names=("p", "q"), output_names=("r",))
    assert extract(model, data).formulas() == {"r": "p & q"}
    named = BoolNet(model.network, model.weights, input_names=("c", "d"), output_names=("e",))
    assert extract(named, data).formulas() == {"e": "c & d"}


def test_classes_are_signs_of_their_nodes_and_doubt_is_counted() -> None:
    model = BoolNet(layered(2, 3), np.array([1, 1, 1, -1, 1, 1, 1.5, 1, -1]), classes=3)
    data = Dataset.labelled(patterns(2), np.array([0, 1, 1, 0]), classes=3)
    explained = extract_and_explain(model, data)
    assert (explained.circuit.predict(patterns(2)) == np.where(model.decision(patterns(2)) > 0, 1, -1)).all()
    assert explained.undecided > 0
    assert "do not name exactly the predicted class" in str(explained)


def test_what_is_no_logic_is_refused() -> None:
    analog = BoolNet(layered(2, 1), np.ones(3), input_kind=InputKind.ANALOG)
    with pytest.raises(CircuitError, match="analog"):
        extract(analog)
    model = BoolNet(layered(2, 1), np.ones(3))
    with pytest.raises(DataError, match="2 Boolean inputs"):
        extract(model, Dataset(np.ones((1, 3)), np.ones((1, 1))))
