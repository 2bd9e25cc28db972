"""One shared cell, learned from a few states and proved for all."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import boolearn as bl
from boolearn.data import automaton, evolve, evolve_life, life


def every_input(bits: int) -> np.ndarray[tuple[int, ...], np.dtype[np.int8]]:
    return ((np.arange(1 << bits)[:, None] >> np.arange(bits) & 1) * 2 - 1).astype(np.int8)


@pytest.fixture(scope="module")
def rule_30() -> bl.Run:
    world = bl.convolution_1d(16, channels=(1, 3, 1), kernel=(3, 1))
    run = bl.train(world, automaton(30, 16, 1, 4, seed=0), sigma=(7, 3), beta=0.5, restarts=20, max_iter=8000)
    assert run.solved
    return run


def test_rule_30_is_learned_from_four_states_and_right_on_all(rule_30: bl.Run) -> None:
    states = every_input(16)
    assert (rule_30.model.predict(states) == evolve(states, 30, 1)).all()


def test_the_circuit_of_a_network_with_shared_weights_is_proved(rule_30: bl.Run) -> None:
    circuit = bl.extract(rule_30.model)
    assert circuit.prove_equal(rule_30.model).equal
    on_items = rule_30.circuit()
    assert (on_items.predict(rule_30.dataset.inputs) == rule_30.dataset.outputs).all()


def test_the_cell_fits_worlds_of_any_size(rule_30: bl.Run) -> None:
    wide = bl.BoolNet(bl.convolution_1d(101, (1, 3, 1), (3, 1)), rule_30.model.weights)
    states = automaton(30, 101, 1, 50, seed=9)
    assert wide.accuracy(states) == 1
    later = bl.BoolNet(bl.convolution_1d(101, (1, 3, 1), (3, 1), repeat=5), rule_30.model.weights)
    assert (later.predict(states.inputs) == evolve(states.inputs, 30, 5)).all()


def test_files_keep_what_is_shared(rule_30: bl.Run, tmp_path: Path) -> None:
    rule_30.model.save(tmp_path / "rule.safetensors")
    again = bl.BoolNet.load(tmp_path / "rule.safetensors")
    assert again.network == rule_30.model.network
    assert again.network.n_weights == 16
    rule_30.model.save(tmp_path / "rule.net")  # a file for exchange: every edge with a weight of its own
    plain = bl.BoolNet.load(tmp_path / "rule.net")
    assert plain.network.n_weights == plain.network.n_edges == again.network.n_edges
    states = automaton(30, 16, 1, 100, seed=1).inputs
    assert (plain.predict(states) == again.predict(states)).all()


def test_life_is_learned_from_four_states_on_a_small_torus() -> None:
    channels, kernel = (1, 2, 1), (3, 1)
    run = bl.train(
        bl.convolution_2d((8, 8), channels, kernel),
        life(8, 8, 1, items=4, seed=0),
        sigma=(25, 3),
        beta=0.5,
        restarts=20,
        max_iter=8000,
    )
    assert run.solved
    cell = bl.BoolNet(bl.convolution_2d((3, 3), channels, kernel, periodic=False), run.model.weights)
    around = every_input(9)
    assert (cell.predict(around)[:, 0] == evolve_life(around, (3, 3), 1)[:, 4]).all()


def test_two_steps_are_learned_with_one_rule() -> None:
    states = automaton(30, 8, 2, items=8, seed=1)
    run = bl.train(
        bl.convolution_1d(8, (1, 3, 1), (3, 1), repeat=2),
        states,
        sigma=(7, 3, 7, 3),
        beta=0.5,
        restarts=40,
        max_iter=4000,
        stop="fit",
        trace_ratio=1.02,
    )
    assert run.solved
    assert run.model.accuracy(states) == 1
    assert run.model.network.n_weights == 16
