"""CSV files: what they can hold, and what they are refused for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boolearn.data import (
    Dataset,
    InputKind,
    read,
    read_csv,
    write,
    write_csv,
)
from boolearn.data.csv_table import read_table
from boolearn.data.signs import as_bits
from boolearn.errors import DataError, FileError, ParameterError
from some_tables import assert_same, datasets, written


@given(dataset=datasets(least_classes=2), data=st.data())
def test_csv_gives_back_what_was_written_or_refuses_it(
    dataset: Dataset, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever the names are: read_csv is told how many outputs there are, and nothing else."""
    texts = st.sampled_from(
        ["a", "b", "y0", "class", "true", "1.0", "7", " a", "\ufeffa", 'a,"b\n', "é", "\ud800", "0", "1"]
    )
    for which, count in (("input_names", dataset.n_inputs), ("output_names", dataset.n_output_nodes)):
        if data.draw(st.booleans()):
            names = data.draw(st.lists(texts, min_size=min(count, 9), max_size=min(count, 9), unique=True))
            if len(names) == count:
                dataset = replace(dataset, **{which: tuple(names)})
    path = tmp_path_factory.mktemp("csv") / "data.csv"
    try:
        write(dataset, path)
    except DataError:
        assert not path.exists()
        return
    found = read_csv(path, 1 if dataset.classes else dataset.n_output_nodes)
    assert_same(found, dataset, names=False)
    assert dataset.input_names in (None, found.input_names)
    assert dataset.output_names in (None, found.output_names)


UNREADABLE = {
    "two classes": (Dataset.labelled([[0, 1], [1, 1]], [0, 1]), "would be read as Boolean"),
    "a class too few": (Dataset.labelled([[0, 1], [1, 1]], [0, 2]), "no item is of class '1'"),
    "free inputs": (Dataset.generative([[0, 1], [1, 1]]), "inputs are free"),
    "a number for a name": (Dataset(np.ones((1, 1)), np.ones((1, 1)), input_names=("1",)), "'1' has a number"),
    "one name twice": (Dataset(np.ones((1, 1)), np.ones((1, 1)), input_names=("y0",)), "two columns .* 'y0'"),
    "analog bits": (Dataset(np.ones((1, 1)), np.ones((1, 1)), InputKind.ANALOG), "would be read as Boolean"),
    "order": (replace(Dataset.labelled([[0], [1]], [0, 1]), output_names=("b", "a")), "rising order"),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_csv_says_what_it_cannot_hold(case: str, tmp_path: Path) -> None:
    dataset, message = UNREADABLE[case]
    with pytest.raises(DataError, match=message):
        write_csv(dataset, tmp_path / "a.csv")
    assert not list(tmp_path.iterdir())


def test_csv_two_named_classes_come_back(tmp_path: Path) -> None:
    dataset = replace(Dataset.labelled([[0], [1]], [1, 0]), output_names=("cat", "dog"))
    write(dataset, tmp_path / "a.csv")
    assert_same(replace(read(tmp_path / "a.csv"), input_names=None), dataset)


def test_csv_writes_truth_in_many_ways(tmp_path: Path) -> None:
    data = read_csv(written(tmp_path / "a.csv", "\ufeffa, b,c\n0,-1,true\n\n1,1,FALSE\n"))
    assert data.input_names == ("a", "b")
    assert data.output_names == ("c",)
    assert data.inputs.tolist() == [[-1, -1], [1, 1]]
    assert data.outputs.tolist() == [[1], [-1]]


def test_rows_of_empty_cells_are_rows_and_blank_lines_are_not(tmp_path: Path) -> None:
    wide = read_table(written(tmp_path / "a.csv", "a,b\n1,2\n,\n\n \t\n3,4\n , \n\n"), True, ",")
    assert wide.columns == [["1", "", "3", ""], ["2", "", "4", ""]]
    assert (wide.lines, wide.after_blank) == ([2, 3, 6, 7], {2, 4})
    assert read_table(written(tmp_path / "a.tsv", "a\tb\n1\t2\n\t\n"), True, "\t").lines == [2, 3]
    narrow = read_table(written(tmp_path / "a.csv", 'a\n1\n\n""\n2\n'), True, ",")  # as pandas writes a gap
    assert (narrow.columns, narrow.lines) == ([["1", "", "2"]], [2, 4, 5])


def test_csv_without_header_and_with_quotes(tmp_path: Path) -> None:
    data = read_csv(written(tmp_path / "a.csv", '0,1,"yes, sir"\n1,1,no\n'))
    assert data.input_names is None
    assert data.output_names == ("no", "yes, sir")
    assert data.outputs.tolist() == [1, 0]


def test_csv_numbers_classes_in_rising_order(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "x,class\n0,10\n1,9\n1,10\n0,2\n")
    data = read_csv(path)
    assert data.output_names == ("2", "9", "10")
    assert data.outputs.tolist() == [2, 1, 2, 0]
    fixed = read_csv(path, classes=["10", "9", "2", "1"])
    assert (fixed.classes, fixed.outputs.tolist()) == (4, [0, 1, 0, 2])


def test_csv_outputs_by_name_keep_the_order_asked_for(tmp_path: Path) -> None:
    data = read_csv(written(tmp_path / "a.csv", "p,a,q,b\n0,1,1,0\n1,0,0,0\n"), outputs=["q", "p"])
    assert data.input_names == ("a", "b")
    assert data.output_names == ("q", "p")
    assert as_bits(data.outputs).tolist() == [[1, 0], [0, 1]]


def test_csv_analog_inputs(tmp_path: Path) -> None:
    data = read_csv(written(tmp_path / "a.csv", "0.5,-1,1\n-.25,1e-1,0\n"))
    assert data.input_kind is InputKind.ANALOG
    assert data.inputs.tolist() == [[0.5, -1], [-0.25, 0.1]]


def test_csv_booleans_may_be_written_with_decimals(tmp_path: Path) -> None:
    """As pandas writes a column of floats."""
    data = read(written(tmp_path / "a.csv", "a,b,c\n0.0,True,1.0\n1.0,False,0.0\n"))
    assert (data.input_kind, data.classes) == (InputKind.BOOLEAN, 0)
    assert data.inputs.tolist() == [[-1, 1], [1, -1]]
    assert data.outputs.tolist() == [[1], [-1]]
    signs = read(written(tmp_path / "b.csv", "-1.0,1,-1.0\n1.0,1,1.0\n"))
    assert signs.input_kind is InputKind.BOOLEAN
    assert signs.outputs.tolist() == [[-1], [1]]
    assert read(written(tmp_path / "c.csv", "0.0,-1.0,1\n1.0,1.0,0\n")).input_kind is InputKind.ANALOG


def test_csv_inputs_may_be_said_to_be_analog(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "a,b,c\n0,1,1\n1,1,0\n")
    data = read(path, input_kind=InputKind.ANALOG)
    assert data.input_kind is InputKind.ANALOG
    assert data.inputs.tolist() == [[0, 1], [1, 1]]
    with pytest.raises(FileError, match=r"a.csv:1: expected 0/1, .* found '0.5'"):
        read(written(tmp_path / "a.csv", "0.5,1\n0,0\n"), input_kind=InputKind.BOOLEAN)
    with pytest.raises(ParameterError, match="input_kind"):
        read(path, input_kind="analog")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="input_kind"):
        read(path, input_kind=InputKind.ANY_CODE)


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("", 1, "at least 1 item"),
        ("a,b\n", 1, "at least 1 item"),
        ("a,b\n0,1\n0\n", 3, "expected 2 cells, found 1"),
        ("a,b\n0,1\n2,1\n", 3, "'a', found '2'"),
        ("a,b\n0,1\n,1\n", 3, "found ''"),
        ("a,b\n0,1\n,\n1,1\n", 3, "found ''"),
        ("a,b\n0,1\n-1,1\n", 2, "in a column with −1"),
        ("0.5,1\n2,1\n", 2, "from −1 to 1"),
        ("0.5,1\nnan,1\n", 2, "from −1 to 1"),
        ("a,a\n0,1\n", 1, "different name"),
        ("a,\n0,1\n", 1, "a name for every column, found none for column 2"),
        ("1\n0\n", 1, "more than 1 columns"),
        ("a,b\n0,cat\n1,cat\n", 1, "2 or more different classes"),
        ("a,b\n0,cat\n1,\n", 3, "class label"),
        ('a,b\n0,"1\n', 2, "not a CSV file"),
    ],
)
def test_wrong_csv_files_are_refused_with_their_line(tmp_path: Path, content: str, line: int, message: str) -> None:
    path = written(tmp_path / "wrong.csv", content)
    with pytest.raises(FileError, match=message) as caught:
        read(path)
    assert caught.value.line == line


def test_csv_that_is_not_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"a,b\n0,1\n\xff\xfe,1\n")
    with pytest.raises(FileError, match="expected UTF-8, found byte 0xff") as caught:
        read(tmp_path / "a.csv")
    assert caught.value.line == 3


def test_csv_options_are_checked(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "a,b,c\n0,1,1\n")
    with pytest.raises(FileError, match="'z'"):
        read(path, outputs=["z"])
    with pytest.raises(FileError, match="more than 3"):
        read(path, outputs=3)
    for outputs in (0, [], ["a", "a"], 1.5, True, [1]):
        with pytest.raises(ParameterError, match="outputs"):
            read(path, outputs=outputs)  # type: ignore[arg-type]
    for delimiter in (";;", "", "\n", 5):
        with pytest.raises(ParameterError, match="delimiter"):
            read_csv(path, delimiter=delimiter)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="generative"):
        read_csv(path, generative="any")  # type: ignore[arg-type]
    with pytest.raises(FileError, match="header"):
        read(written(tmp_path / "b.csv", "0,1,1\n"), outputs=["a"])
    with pytest.raises(FileError, match="input column"):
        read(path, outputs=["a", "b", "c"])


def test_csv_header_is_written_with_invented_names(tmp_path: Path) -> None:
    write_csv(Dataset([[0, 1]], [[1]]), tmp_path / "a.csv")  # type: ignore[arg-type]
    assert (tmp_path / "a.csv").read_text() == "x0,x1,y0\n0,1,1\n"


@pytest.mark.parametrize("mark", ["-", "x", "X", "*"])
def test_a_mark_for_an_open_bit_is_no_class(mark: str, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(f"a,b,y\n0,0,1\n0,1,{mark}\n1,0,0\n")
    with pytest.raises(FileError, match=r"a\.csv:3: expected 0, 1 or, where the output is open, an empty cell"):
        read_csv(tmp_path / "a.csv")
    (tmp_path / "b.csv").write_text(f"a,b,y\n0,0,o\n0,1,{mark}\n1,0,b\n")
    assert read_csv(tmp_path / "b.csv").classes == 3


@pytest.mark.parametrize("ending", ["csv", "tsv"])
def test_names_with_line_ends_come_back_or_are_refused(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"a.{ending}"
    write(Dataset(np.eye(2), np.array([0, 1]), input_names=("a\nb", "t\tt")), path)
    assert read(path).input_names == ("a\nb", "t\tt")
    with pytest.raises(DataError, match="would be read as another"):
        write(Dataset(np.eye(2), np.array([0, 1]), input_names=("a\rb", "c")), path)
    assert read(path).input_names == ("a\nb", "t\tt")
