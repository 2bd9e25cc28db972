from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boolearn.data import Dataset, InputKind
from boolearn.errors import DataError, NetworkError, ParameterError
from boolearn.model import BoolNet
from boolearn.network import Network, from_edges, layered


def naive(model: BoolNet, inputs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Node values and output sums, one neuron and item at a time."""
    network = model.network
    values = np.zeros((len(inputs), network.n_nodes))
    sums = np.zeros((len(inputs), network.n_outputs))
    for item, given_inputs in enumerate(inputs):
        values[item, 0] = -1
        values[item, 1 : network.first_neuron] = given_inputs
        for node in range(network.first_neuron, network.n_nodes):
            total = sum(
                weight * values[item, sender]
                for weight, sender in zip(model.weights_into(node), network.senders(node), strict=True)
            )
            values[item, node] = 1 if total > 0 else -1
            if node >= network.first_output:
                sums[item, node - network.first_output] = total
    return values, sums


def networks() -> list[Network]:
    tied = Network(
        2, 1, np.array([0, 3, 6, 9]), np.array([0, 1, 2, 0, 2, 1, 0, 3, 4]), np.array([0, 1, 2, 0, 1, 2, 3, 4, 5])
    )
    return [layered(3, 4, 2), from_edges(3, 2, [(1, 4), (2, 4), (4, 5), (3, 5), (5, 6), (1, 6), (4, 7), (5, 7)]), tied]


@given(st.integers(0, 2), st.integers(0, 10**6), st.booleans())
def test_prediction_is_the_sign_at_every_node(which: int, seed: int, analog: bool) -> None:
    rng = np.random.default_rng(seed)
    network = networks()[which]
    kind = InputKind.ANALOG if analog else InputKind.BOOLEAN
    model = BoolNet(network, rng.normal(size=network.n_weights), input_kind=kind)
    shape = (5, network.n_inputs)
    inputs = rng.uniform(-1, 1, shape) if analog else rng.integers(0, 2, shape) * 2 - 1
    values, sums = naive(model, inputs)
    assert np.array_equal(model.node_values(inputs), values)
    assert np.allclose(model.decision(inputs), sums)
    assert np.array_equal(model.predict(inputs), values[:, network.first_output :])


def test_analog_inputs_stay_analog() -> None:
    model = BoolNet(layered(2, 1), np.array([0.0, 1.0, -1.0]), input_kind=InputKind.ANALOG)
    assert model.predict(np.array([[0.5, 0.4], [0.4, 0.5]])).tolist() == [[1], [-1]]
    with pytest.raises(DataError, match="finite and from −1 to 1. Got 1.5"):
        model.predict(np.array([[1.5, 0]]))
    with pytest.raises(DataError, match="Got nan"):
        model.predict(np.array([[np.nan, 0]]))


def test_the_class_is_the_largest_sum() -> None:
    weights = np.array([0, 1, 0, 0, 0, 2, 0, 0.1, 0.1])
    model = BoolNet(layered(2, 3), weights, classes=3)
    assert model.predict(np.array([[1, -1], [1, 1], [-1, -1]])).tolist() == [0, 1, 2]
    data = Dataset(np.array([[1, -1], [1, 1], [-1, -1]]), np.array([0, 1, 1]), classes=3)
    assert model.accuracy(data) == pytest.approx(2 / 3)
    assert model.accuracy(data, by="class") == pytest.approx(2 / 3)
    with pytest.raises(ParameterError, match="classes"):
        BoolNet(layered(2, 3), weights, classes=2)


def test_accuracy_by_bits_and_by_whole_items() -> None:
    model = BoolNet(layered(2, 2), np.array([0, 1, 0, 0, 0, 1.0]))
    data = Dataset(np.array([[1, 1], [1, -1], [-1, 1], [-1, -1]]), np.array([[1, 1], [1, -1], [-1, -1], [1, 1]]))
    assert model.accuracy(data) == 5 / 8
    assert model.accuracy(data, by="items") == 2 / 4
    with pytest.raises(ParameterError, match="by"):
        model.accuracy(data, by="class")
    with pytest.raises(ParameterError, match="by"):
        model.accuracy(data, by="bytes")  # type: ignore[arg-type]


def test_many_items_are_answered_in_parts(rng: np.random.Generator) -> None:
    model = BoolNet(layered(3, 4, 2), rng.normal(size=26))
    inputs = rng.integers(0, 2, (9001, 3)) * 2 - 1
    answers = {tuple(row): tuple(model.predict(row[None])[0]) for row in np.unique(inputs, axis=0)}
    assert all(tuple(answer) == answers[tuple(row)] for row, answer in zip(inputs, model.predict(inputs), strict=True))


def test_zero_counts_as_minus_one() -> None:
    assert BoolNet(layered(2, 1), np.array([0, 1.0, -1.0])).predict(np.array([[1, 1]])).tolist() == [[-1]]


def test_samples_are_repeatable_and_right(rng: np.random.Generator) -> None:
    model = BoolNet(layered(3, 4, 2), rng.normal(size=26))
    sample = model.sample(50, seed=3)
    assert model.accuracy(sample) == 1
    assert np.array_equal(sample.inputs, model.sample(50, seed=3).inputs)
    with pytest.raises(ParameterError, match="items"):
        model.sample(0, seed=3)
    for items, seed, name in (
        (2.5, 0, "items"),
        ("many", 0, "items"),
        (10**12, 0, "items"),
        (5, -1, "seed"),
        (5, "a", "seed"),
    ):
        with pytest.raises(ParameterError, match=f"'{name}'"):
            model.sample(items, seed)  # type: ignore[arg-type]


def test_bad_weights_and_inputs_are_refused() -> None:
    network = layered(2, 1)
    with pytest.raises(NetworkError, match=r"shape \(3,\)"):
        BoolNet(network, np.zeros(4))
    with pytest.raises(NetworkError, match="finite. Got nan"):
        BoolNet(network, np.array([0, 1, np.nan]))
    with pytest.raises(DataError, match=r"\(items, 2\). Got \(1, 3\)"):
        BoolNet(network, np.ones(3)).predict(np.ones((1, 3)))
    with pytest.raises(DataError, match="Boolean"):
        BoolNet(network, np.ones(3)).predict(np.array([[1, 5]]))
    with pytest.raises(NetworkError, match="must be numbers"):
        BoolNet(network, np.array(["a", "b", "c"]))
    analog = BoolNet(network, np.ones(3), input_kind=InputKind.ANALOG)
    for model in (BoolNet(network, np.ones(3)), analog):
        with pytest.raises(DataError, match="all rows equally long"):
            model.predict([[1.0], [1.0, 2.0]])
        with pytest.raises(DataError, match="Got <U1 instead"):
            model.predict([["a", "b"]])


def test_data_sets_are_matched_by_name() -> None:
    network, weights = layered(2, 2), [0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
    model = BoolNet(network, weights, input_names=("a", "b"), output_names=("p", "q"))
    inputs = np.array([[-1, 1], [1, -1], [1, 1]])
    data = Dataset(inputs, inputs, input_names=("a", "b"), output_names=("p", "q"))
    other = Dataset(inputs[:, ::-1], inputs[:, ::-1], input_names=("b", "a"), output_names=("q", "p"))
    strange = Dataset(inputs, inputs, input_names=("x", "y"), output_names=("u", "v"))
    for one in (data, other, strange):  # of the last no name is known, so places count
        assert model.accuracy(one) == 1
    assert np.array_equal(model.predict(other), inputs)
    mixed = Dataset(inputs, inputs, input_names=("a", "c"), output_names=("p", "q"))
    with pytest.raises(DataError, match="found them without 'b' and with 'c'"):
        model.accuracy(mixed)


def test_labels_are_matched_by_name() -> None:
    weights = [0.0, -1.0, 0.0, -1.0, 0.0, 1.0]  # a and b for no, c for yes; of equals the first counts
    model = BoolNet(layered(1, 3), weights, classes=3, output_names=("a", "b", "c"))
    assert model.accuracy(Dataset([[-1], [1]], ["a", "c"])) == 1
    assert model.accuracy(Dataset([[-1], [1]], ["b", "c"])) == 0.5
    with pytest.raises(DataError, match="class labels must be among 'a', 'b', 'c'. Got 'd' instead"):
        model.accuracy(Dataset([[-1], [1]], ["a", "d"]))
