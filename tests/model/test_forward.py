"""The forward pass does what sgn(w·x) says, neuron by neuron, however many items it takes at a time."""

from __future__ import annotations

import numpy as np
import pytest

import boolearn as bl
from boolearn.model.forward import pass_forward, weight_blocks, with_inputs


@pytest.mark.parametrize("items", [1, 7, 1000, 3000])
@pytest.mark.parametrize("widths", [(20, 10, 5), (6, 100, 3)])
def test_against_one_neuron_after_another(items: int, widths: tuple[int, ...]) -> None:
    """With 3000 items the products are made in several pieces."""
    network = bl.layered(*widths)
    rng = np.random.default_rng(items)
    weights = rng.integers(-3, 4, network.n_weights).astype(float)  # sums are exact, and some are zero
    inputs = rng.choice(np.array([-1, 1], np.int8), (items, widths[0]))
    values = with_inputs(network, inputs)
    sums = pass_forward(network, weight_blocks(network, weights), values)

    expected = with_inputs(network, inputs)
    for node in range(network.first_neuron, network.n_nodes):
        total = expected[:, network.senders(node)] @ weights[network.tie[network.edges_into(node)]]
        expected[:, node] = np.where(total > 0, 1, -1)
        if node >= network.first_output:
            assert (sums[:, node - network.first_output] == total).all()
    assert (values == expected).all()
