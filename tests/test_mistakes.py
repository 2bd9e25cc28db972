"""What a user of scikit-learn tries first works, or is refused by an error of ours that says what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import boolearn as bl
from boolearn.cores import check_threads
from boolearn.data import evolve, multiplier, read, read_csv, write
from boolearn.network import as_network, read_net, repeated, write_widths

X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
Y = np.array([0, 1, 1, 0])
DATA = bl.Dataset(X, Y[:, None])
NET = bl.layered(2, 2, 1)
MODEL = bl.random_model(2, 2, 1, seed=0)
CLASSES = bl.BoolNet(bl.layered(2, 3), np.arange(9.0), classes=3)


@pytest.mark.parametrize(
    "widths", [(4, 5, 4), ([4, 5, 4],), ((4, 5, 4),), (np.array([4, 5, 4]),), tuple(np.array([4, 5, 4]))]
)
def test_widths_one_by_one_or_as_a_list(widths: Any) -> None:
    assert bl.layered(*widths) == bl.layered(4, 5, 4)
    assert np.array_equal(bl.random_model(*widths, seed=1).weights, bl.random_model(4, 5, 4, seed=1).weights)
    assert repeated(*widths, times=2) == repeated(4, 5, 4, times=2)


def test_a_network_or_its_widths() -> None:
    assert as_network(NET) is NET
    assert as_network([2, 2, 1]) == as_network(np.array([2, 2, 1])) == NET


def test_numpy_integers_are_integers() -> None:
    one, two = np.int64(1), np.uint8(2)
    assert type(check_threads(one)) is int
    assert len(multiplier(two)) == 16
    assert DATA.split(two)[1] is not None
    assert bl.BoolNet(bl.layered(2, 3), np.ones(9), classes=np.int64(3)).classes == 3  # type: ignore[arg-type]


def test_accuracy_and_predictions_of_pairs_and_data_sets() -> None:
    bits = MODEL.predict(X)
    assert np.array_equal(MODEL.predict(DATA), bits)
    right = float((bits[:, 0] == 2 * Y - 1).mean())
    assert MODEL.accuracy(DATA) == MODEL.accuracy((X, Y)) == MODEL.accuracy((X, Y[:, None])) == right
    labels = CLASSES.predict(X)
    assert CLASSES.accuracy((X, labels)) == 1
    assert CLASSES.accuracy((X, (labels + 1) % 3)) == 0


MISTAKES: list[tuple[Callable[[Any], Any], str]] = [
    (lambda _: MODEL.accuracy(X), r"'data' parameter must be a Dataset or a pair \(X, y\)"),
    (lambda _: MODEL.accuracy(X, Y), "'data' parameter must be"),  # type: ignore[arg-type]
    (lambda _: MODEL.accuracy("2x2.dat"), "'data' parameter must be"),  # type: ignore[arg-type]
    (lambda _: MODEL.accuracy(None), "'data' parameter must be"),  # type: ignore[arg-type]
    (lambda _: MODEL.accuracy(DATA, by=Y), "'by' parameter must be"),  # type: ignore[arg-type]
    (lambda _: MODEL.accuracy(multiplier(2)), "must have 1 output nodes"),
    (lambda _: MODEL.predict([0, 1]), r"must have shape \(items, 2\). Got \(2,\)"),
    (lambda _: MODEL.predict("2x2.dat"), "inputs must be an array. Got str"),
    (lambda _: MODEL.sample(5.0, 0), "'items' parameter must be"),  # type: ignore[arg-type]
    (lambda _: MODEL.save(None), "'path' parameter must be"),  # type: ignore[arg-type]
    (lambda _: bl.BoolNet.load(7), "'path' parameter must be"),  # type: ignore[arg-type]
    (lambda _: bl.BoolNet([2, 2, 1], np.ones(9)), "'network' parameter must be a Network"),  # type: ignore[arg-type]
    (lambda _: bl.BoolNet(NET, np.ones(9), "boolean"), "'input_kind' parameter must be"),  # type: ignore[arg-type]
    (lambda _: bl.BoolNet(NET, np.ones(9), input_names=("a",)), "input_names must be 2 different names"),
    (lambda _: bl.Generator(MODEL, None), "'codes' parameter must be of class Codes"),  # type: ignore[arg-type]
    (lambda _: bl.Generator(NET, None), "'model' parameter must be of class BoolNet"),  # type: ignore[arg-type]
    (lambda _: bl.random_model(2, 2, seed=0, gate_probability="0.5"), "'gate_probability'"),  # type: ignore[arg-type]
    (lambda _: bl.random_model(2, 2, seed=0, gates=["maj"]), "'gates' parameter must be"),  # type: ignore[arg-type]
    (lambda _: bl.layered("4,4,4"), "'widths' parameter must be the number of inputs and the width"),  # type: ignore[arg-type]
    (lambda _: bl.layered([4, 4.5]), "'widths' parameter must be positive integers"),  # type: ignore[list-item]
    (lambda _: bl.layered(4, 10**20, 4), "at most 10000000 nodes and 2147483647 edges. Got 10000000000000000000"),
    (lambda _: bl.layered(10**6, 10**6), "at most 10000000 nodes and 2147483647 edges"),
    (lambda _: repeated(10**4, 10**4, times=10**4), "at most 10000000 nodes and 2147483647 edges"),
    (lambda _: bl.convolution_1d(10**20, (1, 1)), "at most 10000000 nodes and 2147483647 edges"),
    (lambda _: bl.convolution_2d((10**10, 10**10), (1, 1)), "at most 10000000 nodes and 2147483647 edges"),
    (lambda _: as_network("4,4,4"), "'network' parameter must be .*; boolearn.network.read_net reads a file"),
    (lambda _: as_network(4), "'network' parameter must be a Network, or the widths"),  # type: ignore[arg-type]
    (lambda _: as_network([4]), "'network' parameter must be the number of inputs and the width"),
    (lambda _: as_network(MODEL), "'network' parameter must be a Network, or the widths"),  # type: ignore[arg-type]
    (lambda _: bl.Dataset(X, Y[:, None], input_names="ab"), "must be 2 different names"),  # type: ignore[arg-type]
    (lambda _: bl.Dataset(X, Y[:, None], input_names=5), "must be 2 different names"),  # type: ignore[arg-type]
    (lambda _: DATA.take(2), "'items' parameter must be a slice or integers"),  # type: ignore[arg-type]
    (lambda _: DATA.take([[0, 1]]), "'items' parameter must be a slice or integers"),  # type: ignore[list-item]
    (lambda _: DATA.split(True), "'items' parameter must be an integer from 1 to 4"),
    (lambda _: DATA.split(0.8), "'items' parameter must be an integer from 1 to 4"),  # type: ignore[arg-type]
    (lambda _: evolve("abc", 30, 1), "cells must be an array. Got str"),
    (lambda _: evolve([0, 1, 0], 30, 1), "cells must have two axes"),
    (lambda _: read(None), "'path' parameter must be the name of a file"),  # type: ignore[arg-type]
    (lambda _: read(X), "'path' parameter must be the name of a file"),  # type: ignore[arg-type]
    (lambda _: read(b"a.csv"), "'path' parameter must be the name of a file"),  # type: ignore[arg-type]
    (lambda _: read("a\0b.csv"), "'path' parameter must be the name of a file"),
    (lambda _: read_net(None), "'path' parameter must be the name of a file"),  # type: ignore[arg-type]
    (lambda path: write((X, Y), path / "a.csv"), "'dataset' parameter must be a Dataset"),  # type: ignore[arg-type]
    (lambda path: write(path / "a.csv", DATA), "'dataset' parameter must be a Dataset"),  # type: ignore[arg-type]
    (lambda _: write(DATA, None), "'path' parameter must be the name of a file"),  # type: ignore[arg-type]
    (lambda path: write_widths([4], path / "a.wth"), "'widths' parameter must be"),
    (lambda _: check_threads(1.0), "'threads' parameter must be an integer"),  # type: ignore[arg-type]
    (lambda _: check_threads(True), "'threads' parameter must be an integer"),
]


@pytest.mark.parametrize(("attempt", "message"), MISTAKES)
def test_natural_mistakes(attempt: Callable[[Any], Any], message: str, tmp_path: Any) -> None:
    with pytest.raises(bl.errors.BoolearnError, match=message):
        attempt(tmp_path)


def test_messages_stay_short() -> None:
    with pytest.raises(bl.errors.ParameterError) as caught:
        MODEL.accuracy([[0] * 1000] * 1000)  # type: ignore[arg-type]
    assert len(str(caught.value)) < 400
    with pytest.raises(bl.errors.ParameterError) as caught:
        MODEL.accuracy(np.zeros((50, 50)))  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_columns_may_be_counted_with_numpy(tmp_path: Any) -> None:
    write(DATA, tmp_path / "a.csv")
    assert read_csv(tmp_path / "a.csv", np.int64(1)).n_inputs == 2  # type: ignore[arg-type]
    assert read(tmp_path / "a.csv", None).n_inputs == 2
