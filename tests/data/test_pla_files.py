"""PLA files: complete truth tables and lists of examples."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boolearn.data import (
    Contradictions,
    Dataset,
    read,
    read_pla,
    write_pla,
)
from boolearn.data.signs import as_bits
from boolearn.errors import DataError, FileError
from some_tables import assert_same, written

XOR = ".i 2\n.o 1\n.ilb a b\n.ob y\n.p 2\n01 1\n10 1\n.e\n"


@pytest.mark.parametrize("kind", ["", ".type f\n", ".type fd\n"])
def test_pla_on_sets_are_complete_truth_tables(tmp_path: Path, kind: str) -> None:
    data = read(written(tmp_path / "a.pla", kind + XOR))
    assert as_bits(data.inputs).tolist() == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert as_bits(data.outputs).ravel().tolist() == [0, 1, 1, 0]
    assert data.input_names == ("a", "b")
    assert data.output_names == ("y",)


def test_pla_examples_are_only_what_is_listed(tmp_path: Path) -> None:
    data = read(written(tmp_path / "a.pla", ".i 3\n.o 2\n.type fr\n1-0|10 # both\n000 01\n"))
    assert as_bits(data.inputs).tolist() == [[1, 0, 0], [1, 1, 0], [0, 0, 0]]
    assert as_bits(data.outputs).tolist() == [[1, 0], [1, 0], [0, 1]]


def test_pla_lines_may_speak_of_one_output_each(tmp_path: Path) -> None:
    data = read(written(tmp_path / "a.pla", ".i 1\n.o 2\n.type fr\n- 1~\n0 ~0\n1 ~1\n"))
    assert as_bits(data.inputs).ravel().tolist() == [0, 1]
    assert as_bits(data.outputs).tolist() == [[1, 0], [1, 1]]


def test_pla_lines_that_contradict_each_other_are_items_of_their_own(tmp_path: Path) -> None:
    data = read(written(tmp_path / "a.pla", ".i 2\n.o 2\n.type fr\n01 1~\n-1 0~\n-1 ~0\n11 00\n"))
    assert as_bits(data.inputs).tolist() == [[0, 1], [0, 1], [1, 1]]
    assert as_bits(data.outputs).tolist() == [[1, 0], [0, 0], [0, 0]]
    assert data.contradictions == Contradictions(items=2, wrong_bits=1)
    write_pla(data, tmp_path / "again.pla")
    assert_same(read(tmp_path / "again.pla"), data)


@given(data=st.data(), n=st.integers(1, 5), m=st.integers(1, 3))
def test_pla_tables_agree_with_their_cubes(
    data: st.DataObject, n: int, m: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cubes = data.draw(
        st.lists(st.tuples(st.text("01-", min_size=n, max_size=n), st.text("01", min_size=m, max_size=m)), max_size=5)
    )
    lines = [f".i {n}", f".o {m}", *(f"{inputs} {outputs}" for inputs, outputs in cubes), ".end"]
    found = read(written(tmp_path_factory.mktemp("pla") / "a.pla", "\n".join(lines)))
    assert len(found) == 2**n
    for item, answer in zip(as_bits(found.inputs).tolist(), as_bits(found.outputs).tolist(), strict=True):
        covering = [
            outputs
            for inputs, outputs in cubes
            if all(c in ("-", str(bit)) for c, bit in zip(inputs, item, strict=True))
        ]
        assert answer == [int(any(outputs[place] == "1" for outputs in covering)) for place in range(m)]


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        ("", 1, "expected .i and .o"),
        (".i 2\n", 1, "expected .i and .o"),
        ("01 1\n", 1, "before the table"),
        (".i x\n", 1, "positive integer"),
        (".i 0\n", 1, "positive integer"),
        (".i 2\n.i 2\n", 2, "once"),
        (".i 2\n.o 1\n01 1 1\n", 3, "found 4"),
        (".i 2\n.o 1\n0x 1\n", 3, "inputs 0, 1 or -"),
        (".i 2\n.o 1\n01 2\n", 3, "outputs 0, 1"),
        (".i 2\n.o 1\n-- -\n", 3, "output 1 in some row"),
        (".i 2\n.o 2\n.type fdr\n01 1-\n", 4, "output 2 in some row"),
        (".i 2\n.o 1\n.type fr\n01 ~\n", 4, "output 1 in some row"),
        (".i 2\n.o 1\n.type fr\n.e\n", 1, "at least 1 line"),
        (".i 2\n.o 1\n.type x\n", 3, "expected .type"),
        (".i 2\n.o 1\n.p 2\n01 1\n.e\n", 5, "expected 2 lines"),
        (".i 2\n.o 1\n.ilb a\n01 1\n", 3, "2 different names"),
        (".i 2\n.o 1\n.ilb a a\n01 1\n", 3, "2 different names"),
        (".i 2\n.o 1\n.e\n01 1\n", 4, "after .e"),
        (".i 2\n.o 1\n.mv 3\n", 3, "expected .i .o .p"),
        (".i 21\n.o 1\n.e\n", 1, "at most 20 inputs"),
        (".i 21\n.o 1\n.type fr\n" + "-" * 21 + " 1\n", 4, "too many"),
    ],
)
def test_wrong_pla_files_are_refused_with_their_line(tmp_path: Path, content: str, line: int, message: str) -> None:
    path = written(tmp_path / "wrong.pla", content)
    with pytest.raises(FileError, match=message) as caught:
        read_pla(path)
    assert caught.value.line == line


def test_pla_cannot_hold_everything(tmp_path: Path) -> None:
    path = tmp_path / "a.pla"
    with pytest.raises(DataError, match="Boolean"):
        write_pla(Dataset.labelled([[0], [1]], [0, 1]), path)
    with pytest.raises(DataError, match="no space"):
        write_pla(Dataset([[0], [1]], [[0], [1]], input_names=("a b",)), path)  # type: ignore[arg-type]
    assert not list(tmp_path.iterdir())
