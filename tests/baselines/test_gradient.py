"""The gradient network: PyTorch's results are compared with formulas written out in NumPy."""

from __future__ import annotations

import itertools
import sys

import numpy as np
import pytest

from boolearn.baselines.gradient import GradientNetwork
from boolearn.data import Dataset, multiplier
from boolearn.errors import MissingExtraError, ParameterError
from boolearn.network import Network, convolution_1d, from_edges, layered


def network(*widths: int, seed: int = 0) -> GradientNetwork:
    pytest.importorskip("torch")
    return GradientNetwork(widths, seed=seed, threads=1)


def weights(net: GradientNetwork) -> list[np.ndarray]:
    return [value.detach().numpy().astype(np.float64) for value in net._net.parameters()]


def logits(layers: list[np.ndarray], inputs: np.ndarray) -> tuple[list[np.ndarray], np.ndarray]:
    """What every layer receives, and the last layer's sums."""
    received, values = [], (inputs + 1) / 2
    for place in range(0, len(layers), 2):
        received.append(values)
        sums = values @ layers[place].T + layers[place + 1]
        values = np.maximum(sums, 0)
    return received, sums


def test_without_torch_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(MissingExtraError, match=r"boolearn\[gradient\]"):
        GradientNetwork([2, 1])


@pytest.mark.parametrize("widths", [(), (3,), (3, 0)])
def test_widths_that_are_no_network_are_refused(widths: tuple[int, ...]) -> None:
    with pytest.raises(ParameterError, match="widths"):
        GradientNetwork(widths)


@pytest.mark.parametrize("wiring", [from_edges(2, 1, [(1, 3), (2, 4), (3, 4)]), convolution_1d(5, (1, 1), (3,))])
def test_only_layers_have_a_gradient_network(wiring: Network) -> None:
    with pytest.raises(ParameterError, match="layered network"):
        GradientNetwork.like(wiring)


def test_a_layered_network_gives_its_widths() -> None:
    pytest.importorskip("torch")
    assert GradientNetwork.like(layered(4, 6, 5, 4), threads=1).widths == (4, 6, 5, 4)


def test_the_seed_alone_decides_and_the_global_generator_is_left_alone() -> None:
    torch = pytest.importorskip("torch")
    before = torch.get_rng_state()
    first, second, other = (weights(network(4, 8, 4, seed=seed)) for seed in (3, 3, 4))
    assert torch.equal(torch.get_rng_state(), before)
    assert all(np.array_equal(a, b) for a, b in zip(first, second, strict=True))
    assert not np.array_equal(first[0], other[0])


def test_the_loss_and_the_predicted_bits_are_those_of_the_formula() -> None:
    net, table = network(4, 7, 4, seed=1), multiplier(2)
    _, sums = logits(weights(net), table.inputs)
    bits = (table.targets + 1) / 2
    entropy = np.mean(np.log1p(np.exp(sums)) - bits * sums)
    assert net.loss(table) == pytest.approx(entropy, rel=1e-5)
    assert np.array_equal(net.predict(table.inputs), np.where(sums > 0, 1, -1))
    assert net.accuracy(table) == np.mean((sums > 0) == (table.targets > 0))


def test_a_step_is_adamw_on_the_gradient_of_the_loss() -> None:
    """The first AdamW step: weights shrink by rate · decay, then move by rate · g / (|g| + ε)."""
    net, table = network(4, 6, 4, seed=2), multiplier(2)
    before = weights(net)
    received, sums = logits(before, table.inputs)
    slope = (1 / (1 + np.exp(-sums)) - (table.targets + 1) / 2) / sums.size
    gradients: list[np.ndarray] = []
    for place in range(len(before) - 2, -1, -2):
        values = received[place // 2]
        gradients[:0] = [slope.T @ values, slope.sum(axis=0)]
        slope = slope @ before[place] * (values > 0)
    net.step(net.tensor(table.inputs), net.tensor(table.targets))
    for old, new, gradient in zip(before, weights(net), gradients, strict=True):
        expected = old * (1 - 1e-3 * 1e-4) - 1e-3 * gradient / (np.abs(gradient) + 1e-8)
        np.testing.assert_allclose(new, expected, atol=2e-6)
        assert np.abs(new - old).max() > 5e-4


def test_fitting_learns_the_multiplier() -> None:
    net, table = network(4, 32, 32, 4), multiplier(2)
    assert net.accuracy(table) < 1
    assert net.fit(table, max_steps=1010) == 1010
    assert net.accuracy(table) == 1


def test_held_out_items_choose_the_weights_of_least_loss() -> None:
    rng = np.random.default_rng(0)
    data = Dataset(rng.choice([-1, 1], (40, 8)), rng.choice([-1, 1], (40, 2)))  # nothing to generalise: it overfits
    train, held_out = data.split(30)
    assert held_out is not None
    chosen = network(8, 32, 2, seed=5)
    assert chosen.fit(train, held_out=held_out, max_steps=1000) == 1000
    losses = []
    stepped = network(8, 32, 2, seed=5)
    for _ in range(20):
        stepped.fit(train, max_steps=50)
        losses.append(stepped.loss(held_out))
    assert chosen.loss(held_out) == min(losses) < losses[-1]


def test_a_budget_of_cpu_time_ends_the_fit() -> None:
    net, table = network(4, 8, 4), multiplier(2)
    assert net.fit(table, max_cpu_seconds=0) == 0
    assert net.fit(table, max_cpu_seconds=0.05) > 0
    with pytest.raises(ParameterError, match="max_steps"):
        net.fit(table)


def test_more_steps_are_the_same_as_two_fits() -> None:
    table = multiplier(2)
    whole, halves = (network(*(4, 8, 4), seed=9) for _ in range(2))
    whole.fit(table, max_steps=200)
    for steps in (60, 140):
        halves.fit(table, max_steps=steps)
    for a, b in itertools.zip_longest(weights(whole), weights(halves)):
        np.testing.assert_array_equal(a, b)
