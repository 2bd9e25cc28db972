"""The forward pass does what sgn(w·x) says, neuron by neuron, however many items it takes at a time."""

from __future__ import annotations

from fractions import Fraction

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


def test_sums_as_small_as_rounding_errors_have_the_right_sign_in_any_company() -> None:
    """0.1 + 0.2 − 0.3 and the like: the order of the additions, which depends on the items, must not decide."""
    rng = np.random.default_rng(0)
    model = bl.BoolNet(bl.layered(33, 8, 4), np.round(rng.normal(size=34 * 8 + 9 * 4), 1))
    inputs = rng.choice(np.array([-1, 1], np.int8), (1000, 33))
    together = model.node_values(inputs)
    assert (np.concatenate([model.node_values(inputs[k : k + 1]) for k in range(len(inputs))]) == together).all()
    for node in range(model.network.first_neuron, model.network.n_nodes):
        weights = [Fraction(weight) for weight in model.weights_into(node)]
        for item in together[:100].astype(int):
            total = sum(w * int(x) for w, x in zip(weights, item[model.network.senders(node)], strict=True))
            assert item[node] == (1 if total > 0 else -1)


def test_a_circuit_agrees_with_its_model_where_sums_are_rounding_errors() -> None:
    model = bl.BoolNet(bl.layered(3, 1), [0.1, 0.2, 0.3, 0.2])
    inputs = np.arange(8)[:, None] >> np.arange(3) & 1
    assert (bl.extract(model).predict(inputs) == model.predict(inputs)).all()
