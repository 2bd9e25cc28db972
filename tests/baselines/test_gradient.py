"""The gradient network: PyTorch's results are compared with formulas written out in NumPy."""

from __future__ import annotations

import itertools
import sys

import numpy as np
import pytest

from boolearn.baselines.gradient import VARIANTS, GradientNetwork, cyclic, fixed_subset, reshuffled
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


def matrices(net: GradientNetwork) -> list[np.ndarray]:
    return [values for values in weights(net) if values.ndim == 2]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_learns_and_begins_within_one_over_the_root_of_the_fan_in(variant: str) -> None:
    pytest.importorskip("torch")
    net, table = GradientNetwork((4, 16, 4), variant=variant, seed=1, threads=1), multiplier(2)
    for values in matrices(net):
        bound = 1 / np.sqrt(values.shape[1])
        assert 0.8 * bound < np.abs(values).max() <= bound
    net.fit(table, max_steps=1)  # the first projection moves the weights far, and not for the better
    before = net.loss(table)
    net.fit(table, max_steps=300)
    assert net.loss(table) < before
    assert net.accuracy(table) > (0.5 if variant == "projected" else 0.6)  # the paper's does not fit either


def by_hand(variant: str, layers: list[np.ndarray], inputs: np.ndarray) -> np.ndarray:
    """One hidden layer, weights and biases in turns."""
    first, first_bias, second, second_bias = layers
    if variant == "binary-weights":
        first = np.sqrt(2 / first.shape[1]) * np.where(first >= 0, 1, -1)
        second = np.sqrt(1 / second.shape[1]) * np.where(second >= 0, 1, -1)
    sums = (inputs + 1) / 2 @ first.T + first_bias
    hidden = {"tanh": np.tanh(sums), "ste": np.where(sums >= 0, 1, -1)}.get(variant, np.maximum(sums, 0))
    return np.asarray(hidden @ second.T + second_bias)


@pytest.mark.parametrize("variant", ["adamw", "penalty", "projected", "ste", "binary-weights", "tanh"])
def test_variants_compute_their_formulas(variant: str) -> None:
    pytest.importorskip("torch")
    net, table = GradientNetwork((4, 9, 4), variant=variant, seed=2, threads=1), multiplier(2)
    net.fit(table, max_steps=20)
    np.testing.assert_allclose(net.logits(table.inputs), by_hand(variant, weights(net), table.inputs), atol=1e-5)


def test_binarynet_normalises_with_the_items_in_training_and_their_running_means_after_it() -> None:
    torch = pytest.importorskip("torch")
    net, table = GradientNetwork((4, 9, 4), variant="binarynet", seed=2, threads=1), multiplier(2)
    first, scale, offset, second, bias = weights(net)
    assert (scale == 1).all()
    assert (offset == 0).all()
    inputs = net.tensor(table.inputs)
    sums = inputs.numpy() @ (np.where(first >= 0, 1, -1) / 2).T
    hidden = np.where((sums - sums.mean(axis=0)) / np.sqrt(sums.var(axis=0) + 1e-5) >= 0, 1, -1)
    expected = hidden @ (np.where(second >= 0, 1, -1) / 3).T + bias
    with torch.no_grad():
        np.testing.assert_allclose(net._net(inputs).numpy(), expected, atol=1e-5)
    after = net.predict(table.inputs)
    assert np.array_equal(net.predict(table.inputs[:3]), after[:3]), "an item's answer depends on no other item"
    assert net._net.training, "a prediction leaves the network in training"


def test_the_straight_through_derivative_is_one_within_one() -> None:
    torch = pytest.importorskip("torch")
    from boolearn.baselines.gradient.layers import sign

    values = torch.tensor([-1.5, -1.0, -0.2, 0.0, 0.7, 1.0, 1.1], requires_grad=True)
    signs = sign(values)
    torch.autograd.backward(signs.sum())
    assert signs.tolist() == [-1, -1, -1, 1, 1, 1, 1]
    assert values.grad.tolist() == [0, 1, 1, 1, 1, 1, 0]


def test_the_penalty_is_the_formula_of_the_paper() -> None:
    pytest.importorskip("torch")
    from boolearn.baselines.gradient.rules import penalty

    net = GradientNetwork((5, 7, 3), variant="penalty", seed=4, threads=1)
    expected = 0.0
    for values in matrices(net):
        width, below = values.shape
        norms = sum((row @ row - below) ** 2 for row in values) / width
        expected += 1e-2 * norms + 1e-4 * np.abs(values).sum() / (width * below)
    assert penalty(net._net).item() == pytest.approx(expected, rel=1e-5)


@pytest.mark.slow
def test_penalties_pull_the_squared_norm_of_rows_to_the_fan_in() -> None:
    pytest.importorskip("torch")
    distance = {}
    for variant in ("adamw", "penalty"):
        net = GradientNetwork((4, 8, 4), variant=variant, seed=0, threads=1)
        net.fit(multiplier(2), max_steps=1500)
        distance[variant] = [np.mean(((w**2).sum(axis=1) / w.shape[1] - 1) ** 2) for w in matrices(net)]
    assert max(distance["penalty"]) < min(distance["adamw"]) / 5


def test_projected_rows_keep_their_three_greatest_weights_with_the_norm_of_the_set() -> None:
    pytest.importorskip("torch")
    from boolearn.baselines.gradient.rules import project

    net, table = GradientNetwork((6, 9, 3), variant="projected", seed=1, threads=1), multiplier(2)
    before = matrices(net)
    project(net._net)
    for old, new in zip(before, matrices(net), strict=True):
        for old_row, row in zip(old, new, strict=True):
            kept = np.flatnonzero(row)
            assert set(kept) == set(np.argsort(-np.abs(old_row))[:3])
            assert row @ row == pytest.approx(len(row), rel=1e-5)
            np.testing.assert_allclose(row[kept] / row[kept[0]], old_row[kept] / old_row[kept[0]], rtol=1e-5)
    again = matrices(net)
    project(net._net)
    np.testing.assert_allclose(matrices(net)[0], again[0], rtol=1e-6)
    small = GradientNetwork((4, 9, 4), variant="projected", seed=1, threads=1)
    small.fit(table, max_steps=3)
    assert all((np.count_nonzero(values, axis=1) == 3).all() for values in matrices(small))
    assert small._optimizer.param_groups[0]["lr"] == 3e-4


@pytest.mark.parametrize("variant", ["binary-weights", "binarynet"])
def test_the_numbers_behind_binary_weights_stay_within_one(variant: str) -> None:
    pytest.importorskip("torch")
    from boolearn.baselines.gradient.rules import clip, weight_matrices

    net = GradientNetwork((4, 8, 4), variant=variant, threads=1)
    for values in weight_matrices(net._net):
        values.data *= 100
    clip(net._net)
    assert all(np.abs(values).max() == 1 for values in matrices(net))


def test_batches_see_all_items_except_a_fixed_subset() -> None:
    for way in (cyclic, reshuffled):
        passes = [np.concatenate([next(batches) for _ in range(3)]) for batches in [way(8, 3, 5)] for _ in range(4)]
        assert all(sorted(one) == list(range(8)) for one in passes)
        same = [np.array_equal(passes[0], one) for one in passes[1:]]
        assert all(same) if way is cyclic else not any(same)
    batches = fixed_subset(8, 3, 5)
    assert len({tuple(next(batches)) for _ in range(5)}) == 1
    assert np.array_equal(next(fixed_subset(8, 3, 5)), next(cyclic(8, 3, 5)))
    with pytest.raises(ParameterError, match="size"):
        next(cyclic(8, 9, 0))


def test_a_fixed_subset_is_fitted_and_the_rest_is_not() -> None:
    rng = np.random.default_rng(0)
    data = Dataset(rng.choice([-1, 1], (40, 8)), rng.choice([-1, 1], (40, 2)))
    net = network(8, 32, 2)
    net.fit(data, max_steps=800, batches=fixed_subset(40, 10, 0))
    seen = next(fixed_subset(40, 10, 0))
    assert net.accuracy(data.take(seen)) == 1
    assert net.accuracy(data.take(np.setdiff1d(np.arange(40), seen))) < 0.8


def test_a_batch_of_all_items_is_a_full_step() -> None:
    table = multiplier(2)
    whole, batched = (network(4, 8, 4, seed=9) for _ in range(2))
    whole.fit(table, max_steps=20)
    batched.fit(table, max_steps=20, batches=reshuffled(16, 16, 0))
    for a, b in zip(weights(whole), weights(batched), strict=True):
        np.testing.assert_allclose(a, b, atol=1e-4)


def test_a_trace_is_measured_at_geometric_steps_and_ends_with_the_last() -> None:
    table = multiplier(2)
    plain, traced = (network(4, 8, 4, seed=3) for _ in range(2))
    plain.fit(table, max_steps=200)
    lines = traced.traced_fit(table, 200, test=table)
    steps = [line.step for line in lines]
    assert steps[-1] == 200
    assert steps == sorted(set(steps))
    assert steps[-2] / steps[-3] == pytest.approx(10 ** (1 / 20), rel=0.03)
    assert lines[-1].loss == traced.loss(table) == plain.loss(table)
    assert lines[-1].train_accuracy == lines[-1].test_accuracy == traced.accuracy(table)
