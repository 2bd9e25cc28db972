"""Time series from files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from boolearn.cells import Transitions, read_series
from boolearn.errors import DataError, FileError, ParameterError


def read(tmp_path: Path, text: str, **options: str) -> Transitions:
    (tmp_path / "a.csv").write_text(text)
    return read_series(tmp_path / "a.csv", **options)  # type: ignore[arg-type]


def test_series_do_not_lead_to_each_other(tmp_path: Path) -> None:
    found = read(tmp_path, "time,a,series,b\n0,0,x,1\n1,1,x,1\n2,0,x,0\n0,1,y,1\n1,1,y,0\n")
    assert found.names == ("a", "b")
    np.testing.assert_array_equal(found.before, [[0, 1], [1, 1], [1, 1]])
    np.testing.assert_array_equal(found.after, [[1, 1], [0, 0], [1, 0]])
    assert found.series.tolist() == [0, 0, 1]
    assert len(found) == 3


def test_real_values_become_boolean_at_a_threshold(tmp_path: Path) -> None:
    found = read(tmp_path, "a,b,c\n0.1,1,7\n0.2,0,7\n5.5,1,7\n5.1,1,7\n")
    np.testing.assert_array_equal(found.before, [[0, 1, 0], [0, 0, 0], [1, 1, 0]])
    assert found.constant == ("c",)
    with pytest.raises(ParameterError, match="binarise"):
        read(tmp_path, "a\n0\n1\n", binarise="guess")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n0,1\n", r"a\.csv:2: expected at least 2 states in the series, found 1"),
        ("series,a\nx,0\nx,1\ny,1\n", r":4: expected at least 2 states in series 'y', found 1"),
        (
            "series,a\nx,0\nx,1\ny,1\ny,0\nx,1\nx,1\n",
            r":6: expected the rows of a series together, found series 'x' again",
        ),
        ("a,b\n0,up\n1,0\n", r":2: expected a number or a truth value in 'b', found 'up'"),
        ("series\nx\nx\n", r":1: expected at least 1 variable, found none"),
        ("a b,c\n0,1\n1,0\n", r"a\.csv:1: the name of a variable must have no spaces .*Got 'a b' instead"),
        ("c,A(B)\n0,1\n1,0\n", r":1: the name of a variable must .*Got 'A\(B\)' instead"),
        ('"a,b",c\n0,1\n1,0\n', r":1: the name of a variable must .*Got 'a,b' instead"),
        ("c,~a\n0,1\n1,0\n", r":1: the name of a variable must .*Got '~a' instead"),
        ("0,1\n0,1\n1,0\n", r":1: the name of a variable must .*Got '0' instead"),
        ("p#1,q\n0,1\n1,0\n", r":1: the name of a variable must .* #, and .*Got 'p#1' instead"),
        ("a,b\n0,0\n1,1\n,\n0,1\n1,0\n", r":4: expected a number or a truth value in 'a', found ''"),
        ("a,b\n0,0\n1,1\n\n0,1\n1,0\n", r":5: expected no blank line within a series, found one"),
        ("time,A\n2,1\n0,0\n1,1\n", r":3: expected times that rise within a series, found 0 after 2"),
        ("time,A\n0,1\n0,0\n", r":3: expected times that rise within a series, found 0 after 0"),
        ("time,A\n0,1\n,0\n", r":3: expected a number in 'time', found ''"),
        ("series,a\nx,0\ny,0\nx,1\ny,1\n", r":4: expected the rows of a series together, found series 'x' again"),
        ("Series,series,a\nx,x,0\nx,x,1\n", r":1: expected one column 'series', found 'Series' and 'series'"),
        ("a,a\n0,1\n0,1\n", r":1: expected a different name for every column, found 'a'"),
        ("a,b,\n0,1,\n0,1,\n", r":1: expected a name for every column, found none for column 3"),
    ],
)
def test_mistakes_name_their_line(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FileError, match=message):
        read(tmp_path, text)


def test_rows_of_several_series_may_take_turns_where_times_tell_their_order(tmp_path: Path) -> None:
    apart = read(tmp_path, "Series,Time,a\nx,0,0\nx,1,1\nx,2,1\ny,0,1\ny,1,0\n")
    turns = read(tmp_path, "SERIES,time,a\nx,0,0\ny,0,1\n\nx,1,1\ny,1,0\n\nx,2,1\n")
    for one in (apart, turns):
        assert one.names == ("a",)
        assert one.before[:, 0].tolist() == [False, True, True]
        assert one.after[:, 0].tolist() == [True, True, False]
        assert one.series.tolist() == [0, 0, 1]


def test_a_blank_line_may_stand_between_series_and_at_the_end(tmp_path: Path) -> None:
    assert len(read(tmp_path, "\nseries,a\n\nx,0\nx,1\n\ny,1\ny,0\n\n")) == 2


def test_unequal_steps_of_time_are_a_warning(tmp_path: Path) -> None:
    unequal = "time,a\n0,0\n1,1\n2,0\n10,1\n11,0\n"
    with pytest.warns(UserWarning, match=r"a\.csv:5: a step of time of 8 where most are of 1; each counts as one"):
        assert len(read(tmp_path, unequal)) == 4
    for text in (unequal.replace("time", "when"), "time,a\n0.33,0\n0.67,1\n1,0\n", "time,a\nday 1,0\nday 5,1\n"):
        read(tmp_path, text)  # a warning would be an error
    (tmp_path / "a.csv").write_text(unequal)
    read_series(tmp_path / "a.csv", asynchronous=True)


def test_other_names_stay_as_they_are(tmp_path: Path) -> None:
    found = read(tmp_path, "NF-kB,Ca2+,p53*,x',a:b,series\n0,1,0,0,1,experiment 1\n1,0,0,0,1,experiment 1\n")
    assert found.names == ("NF-kB", "Ca2+", "p53*", "x'", "a:b")


def test_arrays_are_checked() -> None:
    with pytest.raises(DataError, match="at least 2 states"):
        Transitions.from_series([[[0, 1]]])
    with pytest.raises(ParameterError, match="the same variables"):
        Transitions.from_series([[[0, 1], [1, 1]], [[0], [1]]])
    with pytest.raises(DataError, match="same shape"):
        Transitions(("a",), [[0]], [[0], [1]])
    with pytest.raises(DataError, match="names must be 1 different names"):
        Transitions(("a", "b"), [[0]], [[1]])
    with pytest.raises(DataError, match="one number a transition"):
        Transitions(("a",), [[0]], [[1]], series=np.array([0, 0]))


def test_data_frames_are_matched_by_name() -> None:
    frame = pd.DataFrame([[0, 0, 1], [1, 0, 0], [0, 1, 1]], columns=list("abc"))
    found = Transitions.from_series([frame, frame[["c", "b", "a"]]])
    assert found.names == ("a", "b", "c")
    np.testing.assert_array_equal(found.before[:2], found.before[2:])
    np.testing.assert_array_equal(found.after[:2], found.after[2:])
    with pytest.raises(DataError, match=r"Missing are \['c'\]"):
        Transitions.from_series([frame, frame[["a", "b"]]])
