"""The .dat files of the paper: written and read back with the same meaning, refused with file and line when wrong."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from boolearn.data import (
    Dataset,
    InputKind,
    read,
    write,
    write_dat,
)
from boolearn.errors import DataError, FileError
from some_tables import assert_same, datasets


@given(dataset=datasets())
def test_dat_gives_back_what_was_written(dataset: Dataset, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("dat") / "data.dat"
    write(dataset, path)
    found = read(path)
    if dataset.input_kind is InputKind.ANALOG:
        assert np.abs(found.inputs - dataset.inputs).max() < 1e-15  # −1 … 1 is written as 0 … 1
        found = Dataset(dataset.inputs, found.outputs, found.input_kind, found.classes)
    assert_same(found, dataset)


PAPERS = {
    "2x2": (16, 4, 4, InputKind.BOOLEAN, 0),
    "3x3": (64, 6, 6, InputKind.BOOLEAN, 0),
    "auto8": (8, 8, 8, InputKind.BOOLEAN, 0),
    "auto16": (16, 16, 16, InputKind.BOOLEAN, 0),
    "auto32": (32, 32, 32, InputKind.BOOLEAN, 0),
    "mnistjr": (3823, 64, 10, InputKind.ANALOG, 10),
    "mnist4": (5842, 0, 256, InputKind.ONE_HOT_CODE, 0),
}


@pytest.mark.parametrize("name", PAPERS)
def test_the_papers_files_are_read_and_written_back(name: str, paper_data: Path, tmp_path: Path) -> None:
    items, inputs, outputs, kind, classes = PAPERS[name]
    original = paper_data / f"{name}.dat"
    dataset = read(original)
    assert (len(dataset), dataset.n_inputs, dataset.n_output_nodes) == (items, inputs, outputs)
    assert (dataset.input_kind, dataset.classes) == (kind, classes)
    write(dataset, tmp_path / "again.dat")
    assert (tmp_path / "again.dat").read_text().split() == original.read_text().split()
    write(dataset, tmp_path / "again.npz")
    assert_same(read(tmp_path / "again.npz"), dataset)


def test_dat_layout_is_that_of_the_toolkits_programs(tmp_path: Path) -> None:
    """They print every bit with %2d."""
    write_dat(Dataset([[1, 0], [0, 1]], [[1], [0]]), tmp_path / "a.dat")  # type: ignore[arg-type]
    assert (tmp_path / "a.dat").read_text() == "2\n2 2\n2 1\n\n 1 0\n 1\n\n 0 1\n 0\n\n"


def test_two_classes_do_not_fit_into_dat(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="3 classes"):
        write_dat(Dataset.labelled([[0], [1]], [0, 1], 2), tmp_path / "a.dat")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("", 1, "number of items"),
        ("0\n2 1\n2 1\n", 1, "at least 1"),
        ("x", 1, "'x'"),
        ("1\n3 1\n2 1\n0 0", 2, "input type"),
        ("1\n0 0\n2 1\n0", 2, "one-hot code"),
        ("1\n2 1\n1 1\n0 0", 3, "output type"),
        ("1\n2 1\n3 2\n0 0 0", 3, "must be 1 output"),
        ("1\n2 1\n2 0\n0", 3, "number of outputs"),
        ("2\n2 2\n2 1\n\n1 0\n1\n\n2 0\n1\n", 8, "found '2'"),
        ("2\n2 2\n2 1\n\n1 0\n1\n\n1 0\n", 8, "end of the file"),
        ("1\n2 2\n2 1\n\n1 0\n1\n\n1 0\n", 8, "expected the end"),
        ("1\n0 1\n2 1\n\n1.5\n1\n", 5, "from 0 to 1"),
        ("1\n0 1\n2 1\n\nnan\n1\n", 5, "from 0 to 1"),
        ("1\n0 1\n4 1\n\n0.5\n4\n", 6, "class label"),
        ("1\n0 1\n4 1\n\n0.5\n-1\n", 6, "class label"),
        ("1\n2 1\n99999999999 1\n0 0\n", 3, "output type"),
    ],
)
def test_wrong_dat_files_are_refused_with_their_line(tmp_path: Path, content: str, line: int, message: str) -> None:
    path = tmp_path / "wrong.dat"
    path.write_text(content)
    with pytest.raises(FileError, match=message) as caught:
        read(path)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"{path}:{line}: ")
