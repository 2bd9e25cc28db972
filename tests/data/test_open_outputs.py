"""Output bits that are left open: in arrays, in files, and in what is counted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boolearn.data import Dataset, InputKind, as_dataset, read, read_pla, write
from boolearn.data.scoring import score
from boolearn.data.signs import Signs
from boolearn.errors import DataError, FileError

X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
Y = np.array([[0, 1], [1, 0], [1, 1], [0, 0]])
MASK = np.array([[False, True], [False, False], [True, True], [False, False]])
OUTPUTS = np.array([[-1, 0], [1, -1], [0, 0], [-1, -1]])


def table(text: str) -> Signs:
    """Rows of 0, 1 and - as ±1 and 0."""
    return np.array([[{"0": -1, "1": 1, "-": 0}[cell] for cell in row] for row in text.split()], np.int8)


def same(one: Dataset, other: Dataset) -> bool:
    opens = (one.open is None) == (other.open is None) and (one.open is None or np.array_equal(one.open, other.open))
    return opens and np.array_equal(one.inputs, other.inputs) and np.array_equal(one.outputs, other.outputs)


@pytest.mark.parametrize(
    "given_as",
    [
        lambda: Dataset(X, Y, open=MASK),
        lambda: Dataset(X, 2 * Y - 1, open=MASK),
        lambda: Dataset(X, np.where(MASK, 7, Y), open=MASK),  # what stands in an open place does not matter
        lambda: Dataset(X, np.where(MASK, np.nan, Y)),
        lambda: Dataset(X, np.ma.masked_array(Y, MASK)),
        lambda: Dataset(X, np.ma.masked_array(Y > 0, MASK)),
        lambda: Dataset(X, [[0, None], [1, 0], [None, None], [0, 0]]),
        lambda: as_dataset((X, np.where(MASK, np.nan, Y))),
        lambda: as_dataset((X, np.ma.masked_array(Y, MASK))),
    ],
)
def test_open_bits_are_zeros_however_they_are_given(given_as: object) -> None:
    dataset = given_as()  # type: ignore[operator]
    assert np.array_equal(dataset.outputs, OUTPUTS)
    assert np.array_equal(dataset.open, MASK)
    assert dataset.specified_bits == 5
    assert "3 open" in repr(dataset)


def test_a_single_column_may_be_open_too() -> None:
    assert as_dataset((X, [0, np.nan, 1, 1])).outputs.tolist() == [[-1], [0], [1], [1]]


def test_without_open_bits_nothing_is_remembered() -> None:
    for dataset in (Dataset(X, Y, open=np.zeros((4, 2), bool)), Dataset(X, np.ma.masked_array(Y, False))):
        assert dataset.open is None
        assert dataset.specified_bits == 8
    assert Dataset(X, Y, open=MASK).take([1, 3]).open is None


def test_items_keep_their_open_bits() -> None:
    dataset = Dataset(X, Y, open=MASK)
    assert np.array_equal(dataset.take([2, 0]).outputs, OUTPUTS[[2, 0]])
    first, rest = dataset.split(1)
    assert rest is not None
    assert (first.specified_bits, rest.specified_bits) == (1, 4)
    assert same(replace(dataset, input_names=("a", "b")), dataset)
    generative = Dataset.generative(np.where(MASK, np.nan, Y))
    assert generative.input_kind is InputKind.ANY_CODE
    assert np.array_equal(generative.targets, OUTPUTS)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Dataset(X, Y, open=MASK[:3]), r"shape \(4, 2\). Got shape \(3, 2\)"),
        (lambda: Dataset(X, Y, open=MASK.astype(int)), "truth values"),
        (lambda: Dataset(X, [0, 1, 2, 1], classes=3, open=[True, False, False, False]), "class labels cannot"),
        (lambda: as_dataset((X, np.ma.masked_array([0, 1, 2, 1], [True, False, False, False]))), "class labels cannot"),
        (lambda: Dataset(np.ma.masked_array(X, X == 1), Y), "inputs must be given everywhere"),
        (lambda: Dataset(X, OUTPUTS), "mixture of −1 and 0"),
    ],
)
def test_masks_that_do_not_fit_are_refused(make: object, message: str) -> None:
    with pytest.raises(DataError, match=message):
        make()  # type: ignore[operator]


@given(st.data())
def test_what_contradicts_and_what_is_complete(data: st.DataObject) -> None:
    """Against the plain way: group items by inputs, and look at every output on its own."""
    items, outputs = data.draw(st.integers(1, 9)), data.draw(st.integers(1, 2))
    inputs = np.array(data.draw(st.lists(st.tuples(*[st.booleans()] * 2), min_size=items, max_size=items)))
    cells = st.lists(st.sampled_from([-1, 0, 1]), min_size=outputs, max_size=outputs)
    targets = np.array(data.draw(st.lists(cells, min_size=items, max_size=items)))
    dataset = Dataset(inputs, np.where(targets == 0, 1, targets), open=targets == 0)
    wrong, contradictory = 0, set()
    groups = {tuple(row) for row in inputs.tolist()}
    for group in groups:
        members = [k for k, row in enumerate(inputs.tolist()) if tuple(row) == group]
        for column in range(outputs):
            plus = [k for k in members if targets[k, column] > 0]
            minus = [k for k in members if targets[k, column] < 0]
            wrong += min(len(plus), len(minus))
            if plus and minus:
                contradictory |= {*plus, *minus}
    assert dataset.contradictions.wrong_bits == wrong
    assert dataset.contradictions.items == len(contradictory)
    assert dataset.complete == (len(groups) == 4 and not wrong)


def test_open_bits_are_not_counted() -> None:
    answers = table("11 10 01 01")
    found = score(answers, OUTPUTS.astype(np.int8))
    assert found == (3, 5, 1, 3)  # the third item is open altogether
    assert score(answers, answers) == (8, 8, 4, 4)


@pytest.mark.parametrize("ending", [".pla", ".csv", ".tsv", ".npz"])
def test_files_keep_what_is_open(tmp_path: Path, ending: str) -> None:
    dataset = Dataset(X, Y, input_names=("a", "b"), output_names=("c", "d"), open=MASK)
    path = tmp_path / f"open{ending}"
    write(dataset, path)
    found = read(path, outputs=2) if ending in (".csv", ".tsv") else read(path)
    assert same(found, dataset)
    assert found.output_names == ("c", "d")


def test_a_dat_file_has_no_place_for_open_bits(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no way to leave output bits open"):
        write(Dataset(X, Y, open=MASK), tmp_path / "open.dat")
    assert not list(tmp_path.iterdir())


def test_npz_files_of_others_may_hold_nan(tmp_path: Path) -> None:
    np.savez(tmp_path / "nan.npz", X=X, y=np.where(MASK, np.nan, Y))
    assert np.array_equal(read(tmp_path / "nan.npz").outputs, OUTPUTS)
    np.savez(tmp_path / "shape.npz", X=X, y=Y, open=MASK[:2])
    with pytest.raises(FileError, match=r"shape\.npz: open must be"):
        read(tmp_path / "shape.npz")


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("a,b,y\n0,0,\n0,1,\n", 2, "every cell empty"),
        ("a,b,y\n0,,1\n0,1,0\n", 2, "expected 0/1"),  # an input cannot be open
        ("a,b,y\n0,1,red\n0,1,\n1,1,blue\n", 3, "expected a class label"),
    ],
)
def test_csv_cells_that_must_not_be_empty(tmp_path: Path, content: str, line: int, message: str) -> None:
    path = tmp_path / "wrong.csv"
    path.write_text(content)
    with pytest.raises(FileError, match=message) as caught:
        read(path)
    assert f":{line}:" in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "rows", "expected"),
    [
        ("f", "00 1-\n01 -1\n", "10 01 00 00"),  # '-' says nothing in type f
        ("fd", "00 1-\n0- -1\n", "11 -1 00 00"),  # 1 counts where another line leaves open
        ("fd", "00 1~\n-1 ~-\n", "10 0- 00 0-"),
        ("fr", "00 1~\n01 -0\n0- ~1\n1- 00\n", None),
        ("fr", "00 1~\n01 -0\n1- 00\n", "1- -0 00 00"),
        ("fdr", "00 1-\n01 -0\n1- 00\n00 ~0\n", "10 -0 00 00"),
    ],
)
def test_each_type_of_pla_file_says_what_is_open(tmp_path: Path, kind: str, rows: str, expected: str | None) -> None:
    path = tmp_path / "a.pla"
    path.write_text(f".i 2\n.o 2\n.type {kind}\n{rows}.e\n")
    if expected is None:
        assert read(path).contradictions.items
        with pytest.raises(FileError, match=r"a\.pla:6: output 2 of '01' contradicts the lines from 5 on"):
            read_pla(path, contradictions=False)
    else:
        found = read_pla(path, contradictions=False)
        assert found.outputs.tolist() == table(expected).tolist()
        assert found.complete
