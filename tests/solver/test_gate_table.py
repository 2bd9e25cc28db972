from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boolearn._native import GateSampler, GateTask
from boolearn.data import Dataset
from boolearn.data.signs import signs_of
from boolearn.errors import NetworkError
from boolearn.model import BoolNet
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.solver.gates.description import Description
from boolearn.solver.gates.table import KINDS, kinds_of, read_nodes, table_of, weights_of

NETWORK = layered(4, 5, 3)


def random_table(seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    """Gates of a hot sampler: all kinds occur."""
    rng = np.random.default_rng(seed)
    bits = rng.integers(0, 2, (30, 7)) > 0
    task = GateTask(
        4, 3, NETWORK.start, NETWORK.sender, np.ascontiguousarray(bits[:, :4]), np.ascontiguousarray(bits[:, 4:])
    )
    sampler = GateSampler(task, seed)
    sampler.shares = np.array([0.2, 0.3, 0.25, 0.25])
    sampler.sweep(3, 100.0)
    return sampler.gates


@given(seed=st.integers(0, 10_000))
def test_tables_and_weights_say_the_same(seed: int) -> None:
    table = random_table(seed)
    weights = weights_of(NETWORK, table)
    assert np.array_equal(table_of(NETWORK, weights), table)
    norms = np.add.reduceat(weights**2, NETWORK.start[:-1])
    assert norms == pytest.approx(NETWORK.fan_in)


@given(seed=st.integers(0, 10_000))
def test_neurons_keep_the_margin_of_support_three(seed: int) -> None:
    model = BoolNet(NETWORK, weights_of(NETWORK, random_table(seed)))
    inputs = signs_of((np.arange(16)[:, None] >> np.arange(4)) & 1)
    margins = Problem(NETWORK, Dataset(inputs, inputs[:, :3]), 3).margins[-3:]
    assert (np.abs(model.decision(inputs)) >= margins - 1e-9).all()


@given(seed=st.integers(0, 10_000))
def test_nodes_that_are_not_read_do_not_matter(seed: int) -> None:
    table = random_table(seed)
    model = BoolNet(NETWORK, weights_of(NETWORK, table))
    inputs = signs_of((np.arange(16)[:, None] >> np.arange(4)) & 1)
    before = model.predict(inputs)
    length = Description(NETWORK).length(table)
    for neuron in np.flatnonzero(~read_nodes(NETWORK, table)[NETWORK.first_neuron :]):
        table[neuron] = [1, 2, 3, 1, -1, 1]
    assert np.array_equal(BoolNet(NETWORK, weights_of(NETWORK, table)).predict(inputs), before)
    assert Description(NETWORK).length(table) == length


def test_kinds() -> None:
    rows = [[0, -1, -1, 1, 0, 0], [2, -1, -1, -1, 0, 0], [0, 1, 2, 1, 1, 1], [1, 2, 3, 1, 1, -1]]
    network = layered(3, 4)
    assert [KINDS[kind] for kind in kinds_of(network, np.array(rows, np.int32))] == list(KINDS[:4])


def test_a_copy_is_shorter_than_a_gate_and_an_and_shorter_than_a_maj() -> None:
    network = layered(8, 4, 1)
    description = Description(network)
    rows = [[1, -1, -1, 1, 0, 0]] * 5
    copies = np.array(rows, np.int32)
    conjunction = copies.copy()
    conjunction[0] = [0, 1, 2, 1, 1, 1]
    majority = copies.copy()
    majority[0] = [1, 2, 3, 1, 1, 1]
    assert description.length(copies) < description.length(conjunction) < description.length(majority)


def test_of_two_circuits_alike_the_one_without_idle_nodes_is_shorter() -> None:
    """Both are copies only; one reads every node, the other one node of each layer."""
    network = layered(8, 8, 8)
    positions = np.arange(1, 9)
    every, single = (np.array([[at, -1, -1, 1, 0, 0] for at in 2 * list(of)], np.int32) for of in (positions, [1] * 8))
    description = Description(network)
    assert read_nodes(network, every)[1:].all()
    assert (~read_nodes(network, single)).sum() > 10
    few = every.copy()
    few[8:10] = few[10]
    assert description.length(every) < description.length(few)
    # Rates are learned: where nearly all nodes are idle that is said once, not node by node.
    assert description.length(single) < description.length(few)


def test_weights_that_are_no_gates_are_refused() -> None:
    weights = weights_of(NETWORK, random_table(0))
    weights[NETWORK.start[2] : NETWORK.start[3]] = [1, 2, 0, 0, 0]
    with pytest.raises(NetworkError, match="node 7 must be a copy or a majority"):
        table_of(NETWORK, weights)
