"""Pairs (X, y), as scikit-learn takes them, are data sets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from boolearn.data import InputKind, as_dataset, multiplier
from boolearn.errors import BoolearnError, ParameterError

X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
Y = np.array([0, 1, 1, 0])


def test_a_dataset_is_itself() -> None:
    table = multiplier(2)
    assert as_dataset(table) is table


@pytest.mark.parametrize("inputs", [X, X.tolist(), X.astype(bool), X * 2 - 1, X.astype(float), np.matrix(X)])
@pytest.mark.parametrize("outputs", [Y, Y.tolist(), Y[:, None], Y.astype(bool), Y * 2 - 1, Y.astype(float)])
def test_bits_in_any_writing(inputs: Any, outputs: Any) -> None:
    dataset = as_dataset((inputs, outputs))
    assert dataset.input_kind is InputKind.BOOLEAN
    assert dataset.classes == 0
    assert dataset.inputs.tolist() == (2 * X - 1).tolist()
    assert dataset.outputs.ravel().tolist() == (2 * Y - 1).tolist()


def test_numbers_and_labels() -> None:
    numbers = as_dataset((X / 2, [0, 1, 2, 1]))
    assert (numbers.input_kind, numbers.classes) == (InputKind.ANALOG, 3)
    texts = as_dataset([X, ["cat", "dog", "cat", "ant"]])  # type: ignore[arg-type]
    assert texts.output_names == ("ant", "cat", "dog")
    assert texts.outputs.tolist() == [1, 2, 1, 0]


@pytest.mark.parametrize("data", ["2x2.dat", Path("2x2.dat")])
def test_a_path_is_refused_with_the_way_to_read_it(data: Any) -> None:
    with pytest.raises(ParameterError, match=r"'data' parameter must be .*; boolearn.data.read reads a file"):
        as_dataset(data)


@pytest.mark.parametrize("data", [None, 5, X, X.tolist(), (X,), (X, Y, Y), {"X": X, "y": Y}])
def test_what_is_neither_is_refused(data: Any) -> None:
    with pytest.raises(ParameterError, match=r"'data' parameter must be a Dataset or a pair \(X, y\)"):
        as_dataset(data)


@pytest.mark.parametrize(
    ("pair", "message"),
    [
        ((X, Y[:3]), "Got 4 and 3"),
        ((X[0], Y), "two axes"),
        ((X, None), "outputs must be an array. Got NoneType"),
        ((sparse.csr_array(X), Y), r"inputs must be a dense array. Got csr_array instead; use its toarray\(\)"),
        ((X, [0.5, 1, 2, 3]), "class labels must be integers"),
        ((X, [-2, 1, 2, 3]), "class labels must be integers"),
        ((X * 255, Y), "Got 255"),
        ((X * 1.5, Y), "boolearn.data.Thermometer"),
        ((X.astype(str), Y), "inputs must be Boolean"),
        ((X, multiplier(1)), "outputs must be an array. Got Dataset"),
    ],
)
def test_pairs_that_are_no_data_are_refused(pair: Any, message: str) -> None:
    with pytest.raises(BoolearnError, match=message):
        as_dataset(pair)
