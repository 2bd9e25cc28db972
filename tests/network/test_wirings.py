"""Layers that read the inputs or everything, and networks grown around a model."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import boolearn as bl
from boolearn.circuit import Circuit, as_model
from boolearn.errors import NetworkError, ParameterError
from boolearn.network.wirings import READS, Reads
from boolearn.solver.gates.nearest import nearest_gates
from boolearn.solver.gates.table import weights_of
from random_circuits import all_inputs, circuits

WIDTHS = st.lists(st.integers(1, 5), min_size=2, max_size=5)


def layer_of(widths: list[int]) -> list[int]:
    """For every node, the constant apart, its layer."""
    return [layer for layer, width in enumerate(widths) for _ in range(width)]


@given(WIDTHS, st.sampled_from(READS))
def test_layers_read_what_they_are_asked_to(widths: list[int], reads: Reads) -> None:
    network = bl.layered(widths, reads=reads)
    assert (network.n_inputs, network.n_outputs, network.n_nodes) == (widths[0], widths[-1], 1 + sum(widths))
    layers = layer_of(widths)
    for node, layer in enumerate(layers, 1):
        if layer:
            allowed = {"below": {layer - 1}, "inputs": {0, layer - 1}, "everything": set(range(layer))}[reads]
            expected = [0, *(other for other, below in enumerate(layers, 1) if below in allowed)]
            assert network.senders(node).tolist() == expected


def test_reading_the_layer_below_is_the_default() -> None:
    assert bl.layered(3, 4, 2) == bl.layered([3, 4, 2], reads="below")
    assert bl.layered(3, 4, 2) != bl.layered([3, 4, 2], reads="inputs")


def test_other_wirings_and_networks_too_large_are_refused() -> None:
    with pytest.raises(ParameterError, match="'reads' parameter must be one of 'below', 'inputs', 'everything'"):
        bl.layered(3, 4, 2, reads="all")  # type: ignore[arg-type]
    with pytest.raises(NetworkError, match="at most"):
        bl.layered([60_000, 60_000, *[10_000] * 10], reads="everything")


@given(WIDTHS, st.sampled_from(READS), st.sampled_from(READS), st.integers(0, 3), st.integers(0, 3), st.integers(0, 99))
@settings(max_examples=60)
def test_a_grown_model_computes_the_same_function(
    widths: list[int], was: Reads, reads: Reads, wider: int, deeper: int, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    network = bl.layered(widths, reads=was)
    model = bl.BoolNet(network, rng.standard_normal(network.n_weights))
    grown = bl.grow(model, wider=wider, deeper=deeper, reads=reads, seed=seed)
    table = all_inputs(widths[0])
    assert np.array_equal(grown.predict(table), model.predict(table))
    hidden = widths[1:-1]
    further = deeper * (widths[-1] + wider) + wider * len(hidden)
    assert grown.network.n_neurons == network.n_neurons + further
    assert grown.network.n_outputs == network.n_outputs


@given(st.lists(st.integers(4, 5), min_size=2, max_size=5), st.sampled_from(READS), st.integers(0, 99))
@settings(max_examples=30)
def test_the_gate_search_begins_from_the_gates_that_were_found(widths: list[int], reads: Reads, seed: int) -> None:
    model = bl.random_model(widths, gates="maj", seed=seed)
    grown = bl.grow(model, wider=2, deeper=1, reads=reads, seed=seed)
    table = all_inputs(widths[0])
    gates = bl.BoolNet(grown.network, weights_of(grown.network, nearest_gates(grown.network, grown.weights)))
    assert np.array_equal(gates.predict(table), model.predict(table))


def test_neurons_keep_their_senders_and_norms_grow_with_the_fan_in() -> None:
    network = bl.from_edges(2, 1, [(1, 3), (2, 3), (1, 4), (3, 4), (1, 5), (3, 5), (4, 5)])
    model = bl.BoolNet(network, np.concatenate([np.full(m, 1.0) for m in network.fan_in]) + 0.01)
    grown = bl.grow(model, wider=1, reads="below")
    old_senders = [set(network.senders(node).tolist()) for node in (3, 4, 5)]
    number = {0: 0, 1: 1, 2: 2, 3: 3, 4: 5, 5: 7}  # 4 and 6 are new
    for node, senders in zip((3, 4, 5), old_senders, strict=True):
        new = number[node]
        assert {number[sender] for sender in senders} <= set(grown.network.senders(new).tolist())
        ratios = [
            np.linalg.norm(made.weights_into(at)) ** 2 / len(made.network.senders(at))
            for made, at in ((model, node), (grown, new))
        ]
        assert ratios[0] == pytest.approx(ratios[1])


def test_names_stay_and_seeds_decide_the_new_neurons() -> None:
    model = bl.BoolNet(bl.layered(2, 1), np.ones(3), input_names=("a", "b"), output_names=("y",))
    first, again, other = (bl.grow(model, wider=2, deeper=1, seed=seed) for seed in (1, 1, 2))
    assert (first.input_names, first.output_names) == (("a", "b"), ("y",))
    assert np.array_equal(first.weights, again.weights)
    assert not np.array_equal(first.weights, other.weights)


def test_what_cannot_grow_is_refused() -> None:
    with pytest.raises(ParameterError, match="'model' parameter must be a BoolNet"):
        bl.grow(bl.layered(2, 1))  # type: ignore[arg-type]
    shared = bl.repeated(2, 2, times=2)
    with pytest.raises(ParameterError, match="share no weights"):
        bl.grow(bl.BoolNet(shared, np.ones(shared.n_weights)))
    model = bl.random_model(2, 2, seed=0)
    for wrong in ({"wider": -1}, {"deeper": 1.5}, {"reads": "nothing"}):
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            bl.grow(model, **wrong)  # type: ignore[arg-type]


@given(circuits())
@settings(max_examples=60)
def test_a_circuit_as_a_model_is_the_same_function_with_the_same_names(circuit: Circuit) -> None:
    model = as_model(circuit)
    assert model.input_names == circuit.inputs
    assert model.output_names == tuple(name for name, _ in circuit.outputs)
    table = all_inputs(len(circuit.inputs))
    assert np.array_equal(model.predict(table), circuit.predict(table))
    grown = bl.grow(model, wider=2, deeper=1, reads="everything")
    gates = bl.BoolNet(grown.network, weights_of(grown.network, nearest_gates(grown.network, grown.weights)))
    assert np.array_equal(gates.predict(table), circuit.predict(table))


def test_growing_makes_room_for_what_did_not_fit() -> None:
    """A parity of four is not a gate of three gates; around what was found there is room for it."""
    table = all_inputs(4)
    data = bl.Dataset(table, table.prod(axis=1, keepdims=True))
    small = bl.train(bl.layered(4, 3, 1, reads="inputs"), data, solver="gates", max_iter=300)
    assert not small.solved
    grown = bl.grow(small.model, wider=4, deeper=3)
    assert grown.accuracy(data) == small.model.accuracy(data)
    assert bl.train(grown.network, data, solver="gates", max_iter=20_000).solved
