"""Data read for a model: by its kind, its names and its classes, with or without outputs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boolearn.data import Dataset, InputKind, multiplier, write
from boolearn.data.questions import Expected, read_questions
from boolearn.errors import FileError

NAMED = Expected(2, 2, InputKind.BOOLEAN, 0, ("a", "b"), ("p", "q"))
PETS = Expected(2, 3, InputKind.ANALOG, 3, ("a", "b"), ("cat", "dog", "eel"))


def written(path: Path, content: str) -> Path:
    path.write_text(content, encoding="utf-8")
    return path


@given(order=st.permutations(["a1", "a0", "b1", "b0", "p3", "p2", "p1", "p0"]), answers=st.booleans())
def test_the_order_of_named_columns_does_not_matter(
    order: list[str], answers: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    table = multiplier(2)
    assert table.input_names is not None
    assert table.output_names is not None
    expected = Expected(4, 4, InputKind.BOOLEAN, 0, table.input_names, table.output_names)
    columns = dict(zip(table.input_names, table.inputs.T.tolist(), strict=True))
    if answers:
        columns |= dict(zip(table.output_names, table.outputs.T.tolist(), strict=True))
    order = [name for name in order if name in columns]
    rows = zip(*(columns[name] for name in order), strict=True)
    text = "\n".join([",".join(order), *(",".join(map(str, row)) for row in rows)])
    found = read_questions(written(tmp_path_factory.mktemp("order") / "a.csv", text), expected)
    assert np.array_equal(found.inputs, table.inputs)
    assert (found.dataset is not None) == answers
    if found.dataset is not None:
        assert np.array_equal(found.dataset.outputs, table.outputs)


def test_zeros_and_ones_are_grey_values_for_an_analog_model(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", "a,b\n0,1\n1,1\n")
    assert read_questions(path, PETS).inputs.tolist() == [[0, 1], [1, 1]]
    assert read_questions(path, NAMED).inputs.tolist() == [[-1, 1], [1, 1]]
    np.savez(tmp_path / "a.npz", X=np.array([[0, 1], [1, 1]]), y=np.array([0, 1]))
    found = read_questions(tmp_path / "a.npz", PETS)
    assert found.inputs.tolist() == [[0, 1], [1, 1]]
    assert found.dataset is not None
    assert (found.dataset.classes, found.dataset.outputs.tolist()) == (3, [0, 1])


def test_labels_are_the_models(tmp_path: Path) -> None:
    found = read_questions(written(tmp_path / "a.csv", "b,what,a\n.5,eel,0\n1,eel,.25\n"), PETS)
    assert found.inputs.tolist() == [[0, 0.5], [0.25, 1]]
    assert found.dataset is not None
    assert (found.dataset.classes, found.dataset.outputs.tolist()) == (3, [2, 2])
    numbered = replace(PETS, output_names=None, input_names=None)
    by_number = read_questions(written(tmp_path / "b.csv", "0,0,1\n1,1,1\n"), numbered)
    assert by_number.dataset is not None
    assert (by_number.dataset.classes, by_number.dataset.outputs.tolist()) == (3, [1, 1])
    np.savez(tmp_path / "a.npz", X=np.array([[0, 0.5], [1, 1]]), y=np.array(["eel", "dog"]))
    named = read_questions(tmp_path / "a.npz", PETS)
    assert named.dataset is not None
    assert named.dataset.outputs.tolist() == [2, 1]


def test_places_count_when_a_side_has_no_names(tmp_path: Path) -> None:
    bare = written(tmp_path / "a.csv", "0,1,1,0\n1,1,0,0\n")
    found = read_questions(bare, NAMED)
    assert found.inputs.tolist() == [[-1, 1], [1, 1]]
    assert found.dataset is not None
    assert found.dataset.outputs.tolist() == [[1, -1], [-1, -1]]
    headed = written(tmp_path / "b.csv", "u,v\n0,1\n")
    assert read_questions(headed, replace(NAMED, input_names=None)).dataset is None


def test_a_model_that_knows_nothing_takes_it_from_the_data(tmp_path: Path) -> None:
    labels = read_questions(written(tmp_path / "a.csv", "0.5,1,x\n1,1,y\n0,0,z\n"), Expected(2, 3))
    assert labels.dataset is not None
    assert (labels.dataset.classes, labels.input_kind) == (3, InputKind.ANALOG)
    bits = read_questions(written(tmp_path / "b.csv", "0,1,1,0,1\n"), Expected(2, 3))
    assert bits.dataset is not None
    assert (bits.dataset.classes, bits.input_kind) == (0, InputKind.BOOLEAN)


@pytest.mark.parametrize(
    ("content", "expected", "line", "message"),
    [
        ("a,c\n0,1\n", NAMED, 1, "without 'b' and with 'c'"),
        ("a,b,p\n0,1,1\n", NAMED, 1, "with 'p'"),
        ("a,b,p,r\n0,1,1,1\n", NAMED, 1, "with 'p', 'r'"),
        ("a,what\n0,cat\n", PETS, 1, "without 'b'"),
        ("a,b,what\n0,1,cat\n0,1,cow\n", PETS, 3, "class label .'cat', 'dog', 'eel'. in 'what', found 'cow'"),
        ("a,b,p,q\n0,1,1,1\n0,1,cat,1\n", NAMED, 3, "in 'p', found 'cat'"),
        ("a,b\n0,1\n0.5,1\n", NAMED, 3, "found '0.5'"),
        ("0,1,1\n", NAMED, 1, "expected 2 or 4 columns"),
    ],
)
def test_what_does_not_fit_is_refused(
    content: str, expected: Expected, line: int, message: str, tmp_path: Path
) -> None:
    with pytest.raises(FileError, match=message) as caught:
        read_questions(written(tmp_path / "a.csv", content), expected)
    assert caught.value.line == line


def test_files_that_know_what_they_hold_must_fit_too(tmp_path: Path) -> None:
    path = tmp_path / "a.npz"
    write(Dataset.generative([[0, 1], [1, 1]]), path)
    with pytest.raises(FileError, match="outputs only"):
        read_questions(path, NAMED)
    write(Dataset(np.array([[0.5, 1]]), np.ones((1, 2)), InputKind.ANALOG), path)
    with pytest.raises(FileError, match="Got analog inputs"):
        read_questions(path, NAMED)
    write(Dataset.labelled([[0, 1], [1, 1]], [0, 2]), path)
    with pytest.raises(FileError, match="Got class labels"):
        read_questions(path, NAMED)
    write(Dataset([[0, 1]], [[1, 1]]), path)  # type: ignore[arg-type]
    with pytest.raises(FileError, match="must hold labels"):
        read_questions(path, PETS)
    write(Dataset([[0, 1]], [[1, 1]], input_names=("b", "c")), path)  # type: ignore[arg-type]
    with pytest.raises(FileError, match="without 'a' and with 'c'"):
        read_questions(path, NAMED)
    write(Dataset([[0, 1]], [[1, 0]], input_names=("b", "a"), output_names=("q", "p")), path)  # type: ignore[arg-type]
    found = read_questions(path, NAMED)
    assert found.inputs.tolist() == [[1, -1]]
    assert found.dataset is not None
    assert found.dataset.outputs.tolist() == [[-1, 1]]
