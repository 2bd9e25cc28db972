"""Networks that share weights: brute-force evaluation with rolled arrays is the reference."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boolearn.errors import NetworkError, ParameterError
from boolearn.model import BoolNet
from boolearn.network import (
    Layer,
    Network,
    convolution_1d,
    convolution_2d,
    convolution_layer,
    dense,
    from_edges,
    layered,
    repeated,
    stacked,
)

Floats = npt.NDArray[np.float64]


def slow_convolution(
    cells: Floats, weights: Floats, kernel: tuple[int, ...], stride: tuple[int, ...], periodic: bool
) -> Floats:
    """``cells`` has shape (items, *shape, channels), ``weights`` (channels above, 1 + kernel · channels below)."""
    shape = cells.shape[1:-1]
    firsts: list[Sequence[int]] = [
        [site - size // 2 for site in range(0, length, step)] if periodic else range(0, length - size + 1, step)
        for length, size, step in zip(shape, kernel, stride, strict=True)
    ]
    above = np.empty((len(cells), *map(len, firsts), len(weights)))
    for place in itertools.product(*(range(len(first)) for first in firsts)):
        seen = [np.full((len(cells), 1), -1.0)]
        for offset in itertools.product(*map(range, kernel)):
            at = tuple((firsts[axis][place[axis]] + offset[axis]) % shape[axis] for axis in range(len(shape)))
            index: tuple[slice | int, ...] = (slice(None), *at)
            seen.append(cells[index])
        sums = np.concatenate(seen, axis=1) @ weights.T
        site: tuple[slice | int, ...] = (slice(None), *place)
        above[site] = np.where(sums > 0, 1, -1)
    return above


def random_model(network: Network, rng: np.random.Generator) -> tuple[BoolNet, Floats]:
    model = BoolNet(network, rng.normal(size=network.n_weights))
    return model, rng.choice([-1.0, 1.0], (20, network.n_inputs))


def assert_same_rows(network: Network, weights: Floats) -> None:
    """Neurons that share one weight see the same row of numbers."""
    model = BoolNet(network, weights)
    rows: dict[int, Floats] = {}
    for node in range(network.first_neuron, network.n_nodes):
        mine = model.weights_into(node)
        np.testing.assert_array_equal(rows.setdefault(int(network.tie[network.edges_into(node)].min()), mine), mine)


@given(st.data())
def test_convolution_on_a_line_is_what_rolled_windows_give(data: st.DataObject) -> None:
    periodic = data.draw(st.booleans())
    channels = data.draw(st.lists(st.integers(1, 3), min_size=2, max_size=4))
    kernels = [data.draw(st.integers(1, 3)) for _ in channels[1:]]
    width = data.draw(st.integers(1 + sum(kernels), 11))
    network = convolution_1d(width, channels, kernels, periodic=periodic)
    model, inputs = random_model(network, np.random.default_rng(width))
    cells, first = inputs.reshape(len(inputs), width, channels[0]), 0
    for below, above, kernel in zip(channels[:-1], channels[1:], kernels, strict=True):
        size = above * (1 + kernel * below)
        weights = model.weights[first : first + size].reshape(above, -1)
        cells, first = slow_convolution(cells, weights, (kernel,), (1,), periodic), first + size
    assert network.n_weights == first
    assert network.tied or np.prod(cells.shape[1:-1]) == 1
    np.testing.assert_array_equal(model.predict(inputs), cells.reshape(len(inputs), -1))
    assert_same_rows(network, model.weights)


@given(st.data())
def test_convolution_on_a_grid_with_steps_is_what_rolled_windows_give(data: st.DataObject) -> None:
    periodic = data.draw(st.booleans())
    stride = data.draw(st.integers(1, 2))
    kernel = data.draw(st.integers(1, 3))
    height, width = (data.draw(st.sampled_from([4, 6])) for _ in range(2))
    below, above = (data.draw(st.integers(1, 2)) for _ in range(2))
    network = convolution_2d((height, width), (below, above), kernel, periodic=periodic, stride=stride)
    model, inputs = random_model(network, np.random.default_rng(height))
    cells = inputs.reshape(len(inputs), height, width, below)
    expected = slow_convolution(cells, model.weights.reshape(above, -1), (kernel,) * 2, (stride,) * 2, periodic)
    np.testing.assert_array_equal(model.predict(inputs), expected.reshape(len(inputs), -1))
    assert network.n_weights == above * (1 + kernel**2 * below)
    assert_same_rows(network, model.weights)


@given(st.integers(1, 4), st.booleans())
def test_repetition_is_the_one_step_network_applied_again_and_again(times: int, periodic: bool) -> None:
    width = 9
    network = convolution_1d(width, (2, 3, 2), (3, 1), periodic=periodic, repeat=times)
    model, inputs = random_model(network, np.random.default_rng(times))
    state = inputs
    for _ in range(times):
        one = BoolNet(convolution_1d(state.shape[1] // 2, (2, 3, 2), (3, 1), periodic=periodic), model.weights)
        state = one.predict(state).astype(float)
    np.testing.assert_array_equal(model.predict(inputs), state)
    assert network.n_weights == 3 * 7 + 2 * 4
    assert_same_rows(network, model.weights)


@given(st.lists(st.integers(1, 4), min_size=1, max_size=3), st.integers(1, 3))
def test_repeated_layers_are_the_stack_applied_again_and_again(hidden: list[int], times: int) -> None:
    widths = [3, *hidden, 3]
    once, network = layered(*widths), repeated(*widths, times=times)
    model, inputs = random_model(network, np.random.default_rng(times))
    state = inputs
    for _ in range(times):
        state = BoolNet(once, model.weights).predict(state).astype(float)
    np.testing.assert_array_equal(model.predict(inputs), state)
    assert network.n_weights == once.n_weights
    assert network.n_edges == times * once.n_edges


def test_a_stack_without_names_is_the_layered_network() -> None:
    assert stacked(dense(3, 4), dense(4, 2)) == layered(3, 4, 2)


def test_layers_may_share_by_name_between_others_that_do_not() -> None:
    network = stacked(dense(2, 3), dense(3, 3), dense(3, 3), dense(3, 1), weights=("in", "loop", "loop", "out"))
    assert network.n_weights == 3 * 3 + 3 * 4 + 1 * 4
    assert network.n_edges == 3 * 3 + 2 * 3 * 4 + 1 * 4


def test_windows_need_not_be_square() -> None:
    layer = convolution_layer((4, 5), (2, 1), (1, 3), periodic=False)
    assert (layer.below, layer.width, layer.fan_in, layer.n_rows) == (40, 12, 6, 1)
    assert layer.senders[4].tolist() == [12, 13, 14, 15, 16, 17]  # row 1, columns 1 to 3, both channels


def test_from_edges_ties_weights_by_name_and_the_added_biases_with_them() -> None:
    edges = [(1, 4), (2, 4), (2, 5), (3, 5), (4, 6), (5, 6)]
    network = from_edges(3, 1, edges, tie=["left", "right", "left", "right", "a", "b"])
    assert network == stacked(convolution_layer((3,), (1, 1), 2, periodic=False), dense(2, 1))
    crossed = from_edges(3, 1, edges, tie=["p", "q", "q", "p", "a", "b"])  # the same weights in another order
    model = BoolNet(crossed, np.arange(crossed.n_weights, dtype=np.float64))
    assert model.weights_into(4).tolist() == [0, 1, 2]
    assert model.weights_into(5).tolist() == [0, 2, 1]


def test_edges_may_come_as_an_array() -> None:
    edges = [(1, 3), (2, 3), (3, 4)]
    names = ["a", "b", "c"]
    assert from_edges(2, 1, np.array(edges), tie=names) == from_edges(2, 1, edges, tie=names)  # type: ignore[arg-type]


def test_numbers_of_numpy_become_plain_ones_that_files_can_hold(tmp_path: Path) -> None:
    layer = Layer(np.int64(2), np.array([[0, 1]]), np.array([0]))  # type: ignore[arg-type]
    assert type(layer.below) is int
    network = stacked(layer)
    assert network == Network(np.int64(2), np.int32(1), network.start, network.sender)  # type: ignore[arg-type]
    model = BoolNet(Network(np.int64(2), np.int32(1), network.start, network.sender), np.ones(3))  # type: ignore[arg-type]
    model.save(tmp_path / "model.safetensors")
    assert BoolNet.load(tmp_path / "model.safetensors").network == network


def test_from_edges_keeps_ties_when_it_renumbers() -> None:
    # Nodes 3 and 4 share; 4 comes first since 3 reads 5, which reads 4.
    edges = [(5, 3), (1, 4), (4, 5), (2, 5), (3, 6), (2, 6)]
    network = from_edges(2, 1, edges, tie=["s", "s", "u", "v", "x", "y"])
    tie = {tuple(sorted(network.tie[network.edges_into(node)].tolist())) for node in range(3, 7)}
    assert network.n_weights == 2 + 3 + 3
    assert len(tie) == 3


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: convolution_1d(8, (1,)), "'channels' parameter"),
        (lambda: convolution_1d(8, (1, 0)), "'channels' parameter"),
        (lambda: convolution_1d(8, (1, 2), repeat=2), "equal at both ends"),
        (lambda: convolution_1d(8, (1, 1), kernel=9), "at most 8, the sites there are"),
        (lambda: convolution_1d(8, (1, 1, 1), kernel=(3, 3, 3)), "one integer, or 2, one per layer"),
        (lambda: convolution_1d(8, (1, 1), stride=3), "a divisor of 8"),
        (lambda: convolution_1d(8, (1, 1), repeat=0), "'repeat' parameter"),
        (lambda: convolution_1d(8, (1, 1), periodic=False, repeat=5), "at most 2, the sites there are"),
        (lambda: convolution_2d((8,), (1, 1)), "height and width"),  # type: ignore[arg-type]
        (lambda: repeated(3, 2, times=2), "equal at both ends"),
        (lambda: repeated(3, times=2), "at least one layer"),
        (lambda: repeated(3, 3, times=True), "'times' parameter"),
        (lambda: stacked(), "at least one layer"),
        (lambda: stacked(dense(2, 2), weights=("a", "b")), "1 names, one per layer"),
        (lambda: stacked(dense(2, 2), dense(2, 1), weights=[[1], [1]]), "2 names, one per layer, each hashable"),  # type: ignore[list-item]
        (lambda: stacked(dense(2, 2), weights=5), "1 names, one per layer"),  # type: ignore[arg-type]
        (lambda: stacked(3), "'layers' parameter .* Got 3"),  # type: ignore[arg-type]
        (lambda: convolution_2d(8, (1, 1)), "height and width. Got 8"),  # type: ignore[arg-type]
        (lambda: convolution_2d((8, "8"), (1, 1)), "'shape' parameter .* Got '8'"),  # type: ignore[arg-type]
        (lambda: convolution_1d("8", (1, 1)), "'width' parameter .* Got '8'"),  # type: ignore[arg-type]
        (lambda: convolution_1d(8, 3), "at least one layer. Got 3"),  # type: ignore[arg-type]
        (lambda: convolution_layer(8), "integers. Got 8"),  # type: ignore[arg-type]
        (lambda: convolution_layer(()), r"at least one axis. Got \(\)"),
        (lambda: convolution_layer((8,), (1, 2, 3)), r"two integers.* Got \(1, 2, 3\)"),  # type: ignore[arg-type]
        (lambda: convolution_layer((8,), 1), "two integers.* Got 1"),  # type: ignore[arg-type]
        (lambda: from_edges("2", 1, [(1, 3)]), "'n_inputs' parameter .* Got '2'"),  # type: ignore[arg-type]
        (lambda: from_edges(2, 0, [(1, 3)]), "'n_outputs' parameter .* Got 0"),
        (lambda: from_edges(2, 1, 5), "'edges' parameter .* Got 5"),  # type: ignore[arg-type]
        (lambda: from_edges(2, 1, [(1, 3)], tie=5), "'tie' parameter .* Got 5"),  # type: ignore[arg-type]
        (lambda: from_edges(2, 1, [(1, 3)], tie=[[1]]), r"each hashable. Got \[\[1\]\]"),  # type: ignore[list-item]
    ],
)
def test_parameters_that_make_no_network_are_named(make: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: stacked(dense(2, 3), dense(4, 1)), "layer 1 has 3 neurons and layer 2 reads 4"),
        (lambda: stacked(dense(2, 3), dense(3, 2), weights=("a", "a")), "both called 'a'"),
        (lambda: convolution_1d(9, (1, 1, 1), (2, 3), periodic=False, stride=(1, 2)), "does not read neuron 7"),
        (lambda: Layer(2, np.array([[0, 2]]), np.array([0])), "places 0 to 1"),
        (lambda: Layer(2, np.array([[0, 0]]), np.array([0])), "reads one twice"),
        (lambda: Layer(2, np.array([[0, 1]]), np.array([1])), "every row of weights from 0 on"),
        (lambda: Layer(2, np.array([[0.5, 1]]), np.array([0])), "must be integers"),
        (lambda: Layer(2, np.array([[0, 1]]), np.array([0, 0])), "a row for each"),
        (lambda: from_edges(2, 1, [(1, 3), (2, 3)], tie=["a"]), "each of 2 edges. Got 1"),
        (lambda: from_edges(2, 2, [(1, 3), (1, 4), (2, 4)], tie=["a", "a", "b"]), "must share the whole row"),
    ],
)
def test_wiring_that_makes_no_network_is_named(make: object, message: str) -> None:
    with pytest.raises(NetworkError, match=message):
        make()  # type: ignore[operator]
