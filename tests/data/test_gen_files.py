"""The .gen files of input codes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from boolearn.data import (
    Codes,
    InputKind,
    read_gen,
    write_gen,
)
from boolearn.data.signs import as_bits
from boolearn.errors import DataError, FileError


def test_gen_codes(tmp_path: Path) -> None:
    values = [[0.9, -0.2, -1], [0.3, -0.2, -1], [-0.5, 0.1, -0.3]]
    one_hot = Codes.used_by(values, InputKind.ONE_HOT_CODE)
    assert as_bits(one_hot.codes).tolist() == np.eye(3).tolist()
    assert one_hot.counts.tolist() == [2, 1, 0]
    used = Codes.used_by(values)
    assert as_bits(used.codes).tolist() == [[1, 0, 0], [0, 1, 0]]  # 1 and 2: the first bit counts least
    write_gen(one_hot, tmp_path / "a.gen")
    assert (tmp_path / "a.gen").read_text() == "3  3\n\n 1 0 0\t2\n 0 1 0\t1\n 0 0 1\t0\n"
    again = read_gen(tmp_path / "a.gen")
    assert np.array_equal(again.codes, one_hot.codes)
    assert np.array_equal(again.counts, one_hot.counts)


@pytest.mark.parametrize(("codes", "counts"), [([[1, -1]], [1, 2]), ([[1, -1]], [-1]), ([1, -1], [1]), ([[2]], [1])])
def test_codes_are_checked(codes: list[list[int]], counts: list[int]) -> None:
    with pytest.raises(DataError):
        Codes(np.array(codes), np.array(counts))


@pytest.mark.parametrize(
    ("content", "line"),
    [("", 1), ("1 2\n0 1", 2), ("1 2\n0 2 3", 2), ("1 2\n0 1 -3", 2), ("1 2\n0 1 3 4", 2), ("0 2\n", 1)],
)
def test_wrong_gen_files_are_refused_with_their_line(tmp_path: Path, content: str, line: int) -> None:
    path = tmp_path / "wrong.gen"
    path.write_text(content)
    with pytest.raises(FileError) as caught:
        read_gen(path)
    assert caught.value.line == line
