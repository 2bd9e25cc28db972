"""Votes of circuits on unseen inputs, against sums written down directly."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boolearn.data.crossed import UNSEEN, crossed
from boolearn.data.signs import signs_of
from boolearn.model import BoolNet
from boolearn.network import layered
from boolearn.solver.gates.table import GateTable, weights_of
from boolearn.solver.gates.voting import Votes

NETWORK = layered(5, 4, 2)
INPUTS = signs_of(np.random.default_rng(1).integers(0, 2, (20, 5)))


def random_table(rng: np.random.Generator) -> GateTable:
    """Copies and majorities, the constant node among the senders."""
    table = np.full((NETWORK.n_neurons, 6), -1, np.int32)
    table[:, 3:] = 0
    for neuron in range(NETWORK.n_neurons):
        size = int(rng.choice([1, 3]))
        table[neuron, :size] = np.sort(rng.choice(int(NETWORK.fan_in[neuron]), size, replace=False))
        table[neuron, 3 : 3 + size] = rng.choice([-1, 1], size)
    return table


def says(table: GateTable, seed: int) -> npt.NDArray[np.float64]:
    return BoolNet(NETWORK, weights_of(NETWORK, table)).predict(crossed(INPUTS, UNSEEN, seed)).astype(float)


@settings(max_examples=20)
@given(seed=st.integers(0, 10_000), by_length=st.booleans(), n=st.integers(1, 40))
def test_the_best_circuit_disagrees_least_with_all(seed: int, by_length: bool, n: int) -> None:
    rng = np.random.default_rng(seed)
    typical = Votes(NETWORK, INPUTS, seed)
    few = [random_table(rng) for _ in range(6)]
    tables = [few[k] for k in rng.integers(len(few), size=n)]
    lengths = rng.uniform(50, 56, n)
    for k, table in enumerate(tables):
        typical.add(table, k, lengths[k], by_length=by_length)
    answers = np.array([says(table, seed) for table in tables]).reshape(n, -1)
    weights = np.exp(lengths.min() - lengths) if by_length else np.ones(n)
    disagreement = np.round(np.array([(answers != answer).mean(axis=1) @ weights for answer in answers]), 9)
    chosen, errors = typical.best()
    assert np.array_equal(chosen, tables[errors])
    assert disagreement[errors] == disagreement.min()
    assert lengths[errors] == lengths[disagreement == disagreement.min()].min()


def test_a_majority_outvotes_a_shorter_circuit_unless_length_decides() -> None:
    rng = np.random.default_rng(0)
    common, short = random_table(rng), random_table(rng)
    assert not np.array_equal(says(common, 0), says(short, 0))
    for by_length, expected in ((False, common), (True, short)):
        typical = Votes(NETWORK, INPUTS, 0)
        for table, length in ((common, 60.0), (short, 50.0), (common, 60.0), (common, 61.0)):
            typical.add(table, 0, length, by_length=by_length)
        assert np.array_equal(typical.best()[0], expected)


@pytest.mark.parametrize("by_length", [False, True])
def test_the_winner_is_kept_among_many(by_length: bool) -> None:
    rng = np.random.default_rng(3)
    typical = Votes(NETWORK, INPUTS, 1)
    winner = random_table(rng)
    typical.add(winner, 7, 40.0, by_length=by_length)
    for _ in range(300):
        typical.add(random_table(rng), 0, 60.0, by_length=by_length)
        typical.add(winner, 7, 40.0, by_length=by_length)
    table, errors = typical.best()
    assert np.array_equal(table, winner)
    assert errors == 7


@pytest.mark.parametrize("by_length", [False, True])
def test_a_restored_collection_goes_on_as_the_first(by_length: bool) -> None:
    rng = np.random.default_rng(4)
    whole = Votes(NETWORK, INPUTS, 2)
    for k in range(200):
        table, length = random_table(rng), float(rng.uniform(40, 60))
        if k:
            relay = Votes(NETWORK, INPUTS, 2)
            relay.restore(whole.snapshot())
            relay.add(table, k, length, by_length=by_length)
        whole.add(table, k, length, by_length=by_length)
        if k:
            for name, array in whole.snapshot().items():
                assert np.array_equal(array, relay.snapshot()[name]), name
            assert whole.best()[1] == relay.best()[1]


def test_of_what_is_forgotten_the_best_circuit_stays_in_the_running() -> None:
    rng = np.random.default_rng(6)
    best, other, third = random_table(rng), random_table(rng), random_table(rng)
    typical = Votes(NETWORK, INPUTS, 0)
    typical.add(other, 1, 55.0, by_length=True)
    typical.add(best, 2, 50.0, by_length=True)
    typical.forget()
    assert np.array_equal(typical.best()[0], best)
    # Its own vote is gone, and nobody has spoken for the other one.
    typical.add(third, 3, 90.0, by_length=False)
    assert np.array_equal(typical.best()[0], third)
    # Of circuits that say the same the shortest is chosen, from before or not.
    typical = Votes(NETWORK, INPUTS, 0)
    typical.add(best, 2, 50.0, by_length=True)
    typical.forget()
    typical.add(best, 3, 51.0, by_length=False)
    assert typical.best()[1] == 2


def test_votes_are_unanimous_until_one_differs() -> None:
    rng = np.random.default_rng(7)
    typical = Votes(NETWORK, INPUTS, 0)
    one, other = random_table(rng), random_table(rng)
    assert not typical.unanimous
    for _ in range(3):
        typical.add(one, 0, 50.0, by_length=False)
        assert typical.unanimous
    typical.add(other, 0, 50.0, by_length=False)
    assert not typical.unanimous


def test_crossed_items_mix_two_given_ones() -> None:
    items = crossed(INPUTS, 200, 5)
    assert items.shape == (200, 5)
    assert np.array_equal(items, crossed(INPUTS, 200, 5))
    assert not np.array_equal(items, crossed(INPUTS, 200, 6))
    constant = INPUTS.copy()
    constant[:, 2] = 1
    assert (crossed(constant, 200, 5)[:, 2] == 1).all()
    assert math.isclose(abs(crossed(INPUTS[:1], 200, 5) - INPUTS[0]).sum(), 0)
