"""Attractors: found for known networks, and everything leads to one."""

from __future__ import annotations

import numpy as np
import pytest
from random_networks import random_network

from boolearn.cells import CellNetwork, attractors, draw_attractors, draw_regulations
from boolearn.errors import ParameterError


def test_a_switch_and_an_oscillator() -> None:
    switch = CellNetwork({"a": "!b", "b": "!a"})
    assert [(one.fixed, one.basin) for one in attractors(switch)] == [(False, 2), (True, 1), (True, 1)]
    assert [(one.states.tolist(), one.basin) for one in attractors(switch, "asynchronous")] == [
        ([[True, False]], 3),
        ([[False, True]], 3),
    ]
    ring = CellNetwork({"a": "!c", "b": "a", "c": "b"})
    assert sorted(len(one.states) for one in attractors(ring)) == [2, 6]
    assert [(len(one.states), one.basin) for one in attractors(ring, "asynchronous")] == [(6, 8)]


@pytest.mark.parametrize("seed", range(4))
def test_synchronous_attractors_are_cycles_and_share_out_all_states(seed: int) -> None:
    network = random_network(9, 3, seed)
    found = attractors(network)
    assert sum(one.basin for one in found) == 2**9
    for one in found:
        np.testing.assert_array_equal(network.step(one.states), np.roll(one.states, -1, axis=0))
        assert one.fixed == (len(one.states) == 1)
    reached = network.simulate(np.ones(9, bool), 600)[-1]
    assert any((one.states == reached).all(axis=1).any() for one in found)


def test_large_networks_and_unknown_updates_are_refused() -> None:
    chain = CellNetwork({f"g{k}": f"g{k + 1}" for k in range(16)})
    with pytest.raises(ParameterError, match="at most 16 variables for asynchronous attractors. Got 17 instead"):
        attractors(chain, "asynchronous")
    with pytest.raises(ParameterError, match="update"):
        attractors(chain, "sometimes")


def test_pictures_show_every_variable() -> None:
    network = CellNetwork({"a": "!b & a", "b": "a & !in | !a & in"})
    figure = draw_regulations(network, "two genes")
    shown = {text.get_text() for axes in figure.axes for text in axes.texts}
    assert shown == {"a", "b", "in"}
    assert {text.get_text() for text in figure.legends[0].get_texts()} == {"activates", "inhibits", "both"}
    assert len(figure.axes[0].patches) == 4
    picture = draw_attractors(network, attractors(network))
    assert [label.get_text() for label in picture.axes[0].get_yticklabels()] == ["a", "b", "in"]
    with pytest.raises(ParameterError, match="at least one attractor"):
        draw_attractors(network, [])
