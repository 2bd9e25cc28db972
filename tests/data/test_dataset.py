from __future__ import annotations

import numpy as np
import pytest

from boolearn.data import Dataset, InputKind, OutputKind, automaton, mirror, multiplier, one_hot_vectors, random_vectors
from boolearn.data.signs import as_bits, as_signs
from boolearn.errors import BoolearnError, DataError, ParameterError


@pytest.mark.parametrize(
    "write", [lambda b: b, lambda b: 2 * b - 1, lambda b: b.astype(bool), lambda b: b.astype(float)]
)
def test_booleans_may_be_written_in_several_ways(write) -> None:  # type: ignore[no-untyped-def]
    bits = np.array([[0, 1, 1], [1, 0, 0]])
    signs = as_signs(write(bits), "inputs")
    assert signs.dtype == np.int8
    assert (as_bits(signs) == bits).all()


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ([[0, 2]], "Got 2"),
        ([[0.5, 1]], "Got 0.5"),
        ([[-1, 0]], "mixture"),
        ([["a"]], "U1"),
        ([[float("nan"), 1]], "nan"),
    ],
)
def test_what_is_not_boolean_is_refused(values: list[list[object]], found: str) -> None:
    with pytest.raises(DataError, match=found):
        as_signs(np.array(values), "inputs")


def test_unsigned_bits_do_not_wrap_around() -> None:
    assert as_signs(np.array([0, 1], np.uint8), "inputs").tolist() == [-1, 1]


def test_class_labels_become_one_hot_targets() -> None:
    dataset = Dataset.labelled(np.array([[0.5, -0.5], [1, 0], [0, 0]]), np.array([2, 0, 1]))
    assert dataset.input_kind is InputKind.ANALOG
    assert dataset.output_kind is OutputKind.CLASS
    assert dataset.targets.tolist() == [[-1, -1, 1], [1, -1, -1], [-1, 1, -1]]


def test_split_is_by_count_and_in_order(two_bit_multiplier: Dataset) -> None:
    train, test = two_bit_multiplier.split(10)
    assert test is not None
    assert (len(train), len(test)) == (10, 6)
    assert (np.concatenate([train.inputs, test.inputs]) == two_bit_multiplier.inputs).all()
    assert two_bit_multiplier.split(16)[1] is None
    assert two_bit_multiplier.split(None)[1] is None
    for bad in (0, 17, -1, 2.5):
        with pytest.raises(ParameterError, match="from 1 to 16"):
            two_bit_multiplier.split(bad)  # type: ignore[arg-type]


def test_shuffling_is_repeatable_and_keeps_items_together(two_bit_multiplier: Dataset) -> None:
    shuffled = two_bit_multiplier.shuffled(7)
    assert (shuffled.inputs == two_bit_multiplier.shuffled(7).inputs).all()
    answer = {tuple(x): tuple(y) for x, y in zip(two_bit_multiplier.inputs, two_bit_multiplier.outputs, strict=True)}
    assert all(answer[tuple(x)] == tuple(y) for x, y in zip(shuffled.inputs, shuffled.outputs, strict=True))


def test_generative_data_has_outputs_only() -> None:
    dataset = Dataset.generative(np.array([[0, 1], [1, 1]]), InputKind.ONE_HOT_CODE)
    assert dataset.n_inputs == 0
    assert len(dataset) == 2
    with pytest.raises(ParameterError, match="code"):
        Dataset.generative(np.array([[0, 1]]), InputKind.ANALOG)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Dataset(np.ones((2, 2)), np.ones((3, 1))), "Got 2 and 3"),
        (lambda: Dataset(np.ones((0, 2)), np.ones((0, 1))), "at least 1 item"),
        (lambda: Dataset(np.ones(2), np.ones((2, 1))), "two axes"),
        (lambda: Dataset(np.ones((2, 0)), np.ones((2, 1))), "at least 1 column"),
        (lambda: Dataset(np.ones((2, 2)), np.ones((2, 1, 1))), "two axes"),
        (lambda: Dataset(np.full((2, 2), 1.5), np.ones((2, 1)), InputKind.ANALOG), "Got 1.5 at item 0, input 0"),
        (lambda: Dataset(np.full((2, 2), np.nan), np.ones((2, 1)), InputKind.ANALOG), "Got nan"),
        (lambda: Dataset(np.full((2, 2), np.inf), np.ones((2, 1)), InputKind.ANALOG), "Got inf"),
        (lambda: Dataset(np.ones((2, 2)), np.array([0, 3]), classes=3), "from 0 to 2. Got 3"),
        (lambda: Dataset(np.ones((2, 2)), np.array([0.0, 1.0]), classes=3), "one integer per item"),
        (lambda: Dataset(np.ones((2, 2)), np.ones((2, 1)), InputKind.ANY_CODE), "width 0"),
        (lambda: Dataset(np.ones((2, 2)), np.ones((2, 1)), input_names=("a", "a")), "different names"),
    ],
)
def test_bad_arrays_are_refused(make, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(DataError, match=message):
        make()


TABLE = Dataset([[0, 1], [1, 1]], [[1], [0]])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Dataset(np.ones((2, 2)), np.ones((2, 1)), input_kind="analog"), "'input_kind' parameter"),  # type: ignore[arg-type]
        (lambda: Dataset(np.ones((2, 2)), np.ones(2, int), classes=2.5), "'classes' parameter"),  # type: ignore[arg-type]
        (lambda: Dataset(np.ones((2, 2)), np.zeros(2, int), classes=1), "'classes' parameter"),
        (lambda: Dataset(np.ones((2, 2)), np.zeros(2, int), classes=10**12), "'classes' parameter"),
        (lambda: Dataset([[0, 1], [1]], [[0], [1]]), "inputs must be an array, all rows equally long"),  # type: ignore[arg-type]
        (lambda: Dataset([[0, 1], [1, 1]], [[0], [1, 0]]), "outputs must be an array"),  # type: ignore[arg-type]
        (lambda: Dataset.labelled([[0, 1], [1]], [0, 1]), "inputs must be an array"),
        (lambda: Dataset.labelled([[0, 1], [1, 0]], [0, 10**12]), "from 0 to 999999. Got 1000000000000"),
        (lambda: Dataset.labelled([[0, 1], [1, 0]], [0, 1], "2"), "'classes' parameter"),  # type: ignore[arg-type]
        (lambda: Dataset.generative([[0, 1]], "any"), "'code' parameter"),  # type: ignore[arg-type]
        (lambda: Dataset.generative([[0, 1], [1]]), "outputs must be an array"),
        (lambda: TABLE.shuffled(-1), "'seed' parameter"),
        (lambda: TABLE.shuffled("a"), "'seed' parameter"),  # type: ignore[arg-type]
        (lambda: TABLE.take([99]), "'items' parameter must be a slice or integers from 0 to 1"),
        (lambda: TABLE.take("a"), "'items' parameter"),  # type: ignore[arg-type]
        (lambda: random_vectors(10**9, 10**9, 0), "'n' parameter"),
        (lambda: one_hot_vectors(10**9), "'n' parameter"),
        (lambda: automaton(30, 10**9, 1, 10**9, 0), "'items' parameter"),
        (lambda: mirror(10**5, 10**5, 10**5, 0), "'items' parameter"),
    ],
)
def test_every_mistake_has_an_error_of_ours(make, message: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BoolearnError, match=message):
        make()


def test_taking_all_items_is_taking_nothing_away() -> None:
    table = multiplier(2)
    assert table.take(slice(0, 16)) is table
    backwards = table.take(slice(None, None, -1))
    np.testing.assert_array_equal(backwards.inputs, table.inputs[::-1])
    assert len(table.take(slice(0, 15))) == 15
