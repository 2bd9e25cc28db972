"""Data frames of pandas and polars: names, values and labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import boolearn as bl
from boolearn.data import Dataset, InputKind, Thermometer, Threshold
from boolearn.data.tables import TableBinariser
from boolearn.errors import BoolearnError, DataError

LIBRARIES = pytest.mark.parametrize("library", [pd, pl], ids=["pandas", "polars"])
BITS = {"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}
BITS_FRAME = pd.DataFrame(BITS)
SIGNS = [[-1, -1], [-1, 1], [1, -1], [1, 1]]


def column(library: Any, name: str, values: list[Any]) -> Any:
    return library.DataFrame({name: values})[name]


@LIBRARIES
def test_columns_keep_their_names(library: Any) -> None:
    dataset = Dataset(library.DataFrame(BITS), library.DataFrame({"y": [0, 1, 1, 0]}))  # type: ignore[arg-type]
    assert (dataset.input_names, dataset.output_names) == (("a", "b"), ("y",))
    assert dataset.inputs.tolist() == SIGNS
    assert dataset.outputs.tolist() == [[-1], [1], [1], [-1]]
    kept = Dataset(library.DataFrame(BITS), library.DataFrame({"y": [0, 1, 1, 0]}), input_names=("u", "v"))  # type: ignore[arg-type]
    assert kept.input_names == ("u", "v")


def test_columns_that_are_only_numbered_have_no_names() -> None:
    dataset = Dataset(pd.DataFrame(np.array(SIGNS)), pd.Series([0, 1, 1, 0]))  # type: ignore[arg-type]
    assert (dataset.input_names, dataset.output_names) == (None, None)


@LIBRARIES
def test_every_column_is_written_in_its_own_way(library: Any) -> None:
    frame = library.DataFrame({"a": [False, False, True, True], "b": [-1, 1, -1, 1], "c": [1.0, 0.0, 0.0, 1.0]})
    dataset = Dataset(frame, [0, 1, 1, 0])  # type: ignore[arg-type]
    assert dataset.input_kind is InputKind.BOOLEAN
    assert dataset.inputs.tolist() == [[-1, -1, 1], [-1, 1, -1], [1, -1, -1], [1, 1, 1]]
    analog = Dataset(frame, [0, 1, 1, 0], InputKind.ANALOG)  # type: ignore[arg-type]
    assert analog.inputs.tolist() == [[0, -1, 1], [0, 1, 0], [1, -1, 0], [1, 1, 1]]


@pytest.mark.parametrize(
    "labels",
    [
        ["cat", "dog", "cat", "ant"],
        np.array(["cat", "dog", "cat", "ant"]),
        np.array([["cat"], ["dog"], ["cat"], ["ant"]], object),
        pd.Series(["cat", "dog", "cat", "ant"]),
        pd.Series(["cat", "dog", "cat", "ant"], dtype="category"),
        pd.Series(["cat", "dog", "cat", "ant"], dtype="string"),
        pd.DataFrame({"pet": ["cat", "dog", "cat", "ant"]}),
        pl.Series("pet", ["cat", "dog", "cat", "ant"]),
        pl.DataFrame({"pet": ["cat", "dog", "cat", "ant"]}),
    ],
)
def test_text_labels_are_classes(labels: Any) -> None:
    for make in (Dataset, Dataset.labelled):
        dataset = make(BITS_FRAME, labels)  # type: ignore[operator]
        assert (dataset.classes, dataset.output_names) == (3, ("ant", "cat", "dog"))
        assert dataset.outputs.tolist() == [1, 2, 1, 0]
        assert dataset.input_names == ("a", "b")
    ordered = Dataset(BITS_FRAME, labels, output_names=("dog", "cat", "cow", "ant"))  # type: ignore[arg-type]
    assert (ordered.classes, ordered.outputs.tolist()) == (4, [1, 0, 1, 3])


def test_labels_may_be_numbers_of_any_type() -> None:
    for labels in (pd.Series([0, 1, 2, 1], dtype="Int64"), np.array([0.0, 1, 2, 1]), pl.Series([0, 1, 2, 1])):
        assert Dataset(BITS_FRAME, labels).outputs.tolist() == [0, 1, 2, 1]  # type: ignore[arg-type]


def test_one_axis_of_bits_is_one_output_with_the_name_of_the_series() -> None:
    for series in (pd.Series([True, False, False, True], name="equal"), pl.Series("equal", [1, 0, 0, 1])):
        dataset = Dataset(BITS_FRAME, series)  # type: ignore[arg-type]
        assert dataset.output_names == ("equal",)
        assert dataset.outputs.tolist() == [[1], [-1], [-1], [1]]


@pytest.mark.parametrize(
    "outputs",
    [
        pd.DataFrame({"y": [1, 0, None, 1]}),
        pd.DataFrame({"y": pd.array([True, False, None, True], dtype="boolean")}),
        pd.Series([1, 0, None, 1], dtype="Int64"),
        pl.Series([True, False, None, True]),
    ],
)
def test_gaps_among_the_outputs_are_open(outputs: Any) -> None:
    assert Dataset(BITS_FRAME, outputs).outputs.tolist() == [[1], [-1], [0], [1]]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Dataset(pd.DataFrame({"sex": ["m", "f"]}), [0, 1]), "Got 'm' in column 'sex'; .*TableBinariser"),  # type: ignore[arg-type]
        (lambda: Dataset(pl.DataFrame({"age": [1, None]}), [0, 1]), "Got none in column 'age', item 1; .*Table"),  # type: ignore[arg-type]
        (lambda: Dataset(pd.DataFrame({"age": [31, 2]}), [0, 1]), r"Got 31 instead\. .*Thermometer"),  # type: ignore[arg-type]
        (lambda: Dataset(pd.DataFrame([[0, 1]], columns=["a", "a"]), [0]), "'a' more than once"),  # type: ignore[arg-type]
        (lambda: Dataset(BITS_FRAME, ["a", "b", None, "a"]), "class labels cannot be left open"),  # type: ignore[arg-type]
        (lambda: Dataset(BITS_FRAME, ["a"] * 4), "at least two different texts. Got 'a' everywhere"),  # type: ignore[arg-type]
        (lambda: Dataset(BITS_FRAME, list("abca"), output_names=("a", "b")), "must be among .* Got 'c'"),  # type: ignore[arg-type]
        (lambda: Dataset(BITS_FRAME, list("abca"), classes=4), "'classes' parameter must be 3"),  # type: ignore[arg-type]
        (lambda: Dataset(BITS_FRAME, [0.5, 1, 2, 3]), "class labels must be integers .* Got .*0.5"),  # type: ignore[arg-type]
    ],
)
def test_what_cannot_be_meant_is_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(BoolearnError, match=message):
        make()


@pytest.mark.parametrize(
    "take",
    [
        lambda lazy: Dataset(lazy, [0, 1, 1, 0]),
        lambda lazy: Dataset(BITS_FRAME, lazy),  # type: ignore[arg-type]
        lambda lazy: bl.learn(lazy, [0, 1, 1, 0], max_work=10),
        lambda lazy: Threshold.fit(lazy),
        lambda lazy: TableBinariser.fit(lazy),
        lambda lazy: bl.BTFClassifier().fit(lazy, [0, 1, 1, 0]),
    ],
)
@pytest.mark.filterwarnings("ignore:Determining the column names of a LazyFrame")
def test_a_lazy_frame_is_to_be_collected_first(take: Callable[[object], object]) -> None:
    with pytest.raises(DataError, match=r"Got a LazyFrame instead; collect\(\) it first"):
        take(pl.DataFrame(BITS).lazy())


@LIBRARIES
@pytest.mark.parametrize("kind", [Thermometer, Threshold])
def test_binarisers_keep_the_names_and_find_columns_by_them(library: Any, kind: Any) -> None:
    table = {"age": [1.0, 30, 50, 70], "mass": [60, 10, 80, 5]}
    fitted = kind.fit(library.DataFrame(table))
    assert {name.split(" > ")[0] for name in fitted.names} == {"age", "mass"}
    assert fitted == kind.fit(np.array(list(table.values())).T, columns=["age", "mass"])
    turned = library.DataFrame({"other": list("abcd"), "mass": table["mass"], "age": table["age"]})
    assert (fitted.transform(turned) == fitted.transform(library.DataFrame(table))).all()
    with pytest.raises(DataError, match="Missing are .'age'."):
        fitted.transform(library.DataFrame({"mass": [1], "x": [1]}))
    labelled = fitted.labelled(library.DataFrame(table), column(library, "who", list("cdde")))
    assert (labelled.input_names, labelled.output_names) == (fitted.names, ("c", "d", "e"))


def test_a_table_with_words_becomes_a_dataset() -> None:
    table = pl.DataFrame({"age": [1, 30, None, 70], "sex": ["m", "f", "f", "m"]})
    tests = TableBinariser.fit(table, bits=1)
    dataset = tests.dataset(table, pl.Series("adult", [False, True, True, True]))
    assert dataset.input_names == tests.names
    assert dataset.output_names == ("adult",)


@LIBRARIES
def test_networks_and_circuits_find_columns_by_name(library: Any) -> None:
    frame = library.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]})
    only_b = column(library, "y", [0, 1, 0, 1])
    turned = library.DataFrame({"b": [0, 1, 0, 1], "c": [1, 1, 1, 1], "a": [0, 0, 1, 1]})
    run = bl.train([2, 1], (frame, only_b), max_iter=1000)
    assert run.solved
    learned = bl.learn(frame, only_b, max_work=1000)
    assert learned.circuit.inputs == ("a", "b")
    assert [name for name, _ in learned.circuit.outputs] == ["y"]
    for model in (run.model, run.circuit(), learned):
        assert model.predict(turned)[:, 0].tolist() == [-1, 1, -1, 1]
        unnamed = library.DataFrame({"u": [0, 1], "v": [1, 0]})  # unknown names: by place
        assert model.predict(unnamed)[:, 0].tolist() == [1, -1]
        with pytest.raises(DataError, match="Missing are .'a'."):
            model.predict(library.DataFrame({"b": [0], "c": [0]}))


@LIBRARIES
def test_classes_are_named_from_labels_to_accuracy(library: Any) -> None:
    frame = library.DataFrame(BITS)
    labels = ["none", "one", "one", "two"]
    run = bl.train([2, 4, 3], (frame, column(library, "count", labels)), max_iter=20_000, restarts=5)
    assert run.model.output_names == ("none", "one", "two")
    assert run.solved
    assert [run.model.output_names[number] for number in run.model.predict(frame)] == labels
    assert run.model.accuracy((frame[1:3], column(library, "count", ["one", "two"]))) == 0.5  # a part without "none"
    learned = bl.learn(frame, labels, max_work=10_000)
    assert [name for name, _ in learned.circuit.outputs] == ["none", "one", "two"]
    assert (learned.predict(frame) > 0).argmax(axis=1).tolist() == [0, 1, 1, 2]
