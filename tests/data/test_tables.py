"""Tables with numbers, text and missing values become bits whose names are questions."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boolearn.data.tables import (
    Above,
    ColumnTest,
    Equals,
    Missing,
    TableBinariser,
    Truth,
    as_columns,
    read_to_predict,
    read_with_target,
)
from boolearn.data.tables.binariser import brief_between
from boolearn.data.tables.columns import as_word, columns_of_text
from boolearn.data.tables.questions import PYTHON_HELPERS
from boolearn.data.values import is_missing
from boolearn.errors import DataError, FileError

PEOPLE: dict[str, list[Any]] = {
    "age": [1.0, 2.0, None, 50.0, 60.0, 70.0],
    "colour": ["red", "blue", None, "red", "it's", "red"],
    "smokes": [True, False, True, True, False, False],
    "sex": ["f", "f", "m", "m", "f", "f"],
    "planet": ["earth"] * 6,
}
TESTS = (
    *(Above("age", 1.5), Above("age", 30.0), Missing("age")),
    *(Equals("colour", "blue"), Equals("colour", "it's"), Equals("colour", "red"), Missing("colour")),
    *(Truth("smokes"), Equals("sex", "f")),
)


def test_every_kind_of_column_gets_its_questions() -> None:
    found = TableBinariser.fit(pd.DataFrame(PEOPLE), bits=2)
    assert [test for test in found.tests if not isinstance(test, Above)] == [
        test for test in TESTS if not isinstance(test, Above)
    ]
    assert len([test for test in found.tests if isinstance(test, Above)]) == 2
    assert found.names[-2:] == ("smokes", "sex = f")
    assert "age is missing" in found.names
    assert "colour = it's" in found.names


def test_pandas_polars_dicts_and_files_are_the_same_table() -> None:
    frame = pd.DataFrame(PEOPLE)
    bits = TableBinariser(tuple(PEOPLE), TESTS)
    expected = bits.transform(frame)
    text = columns_of_text(
        list(PEOPLE),
        [["" if v is None else str(float(v) if isinstance(v, bool) else v) for v in c] for c in PEOPLE.values()],
    )
    others = [pl.DataFrame(PEOPLE), PEOPLE, text, frame.astype({"sex": "category"}), frame.convert_dtypes()]
    for table in others:
        assert np.array_equal(bits.transform(table), expected)
    assert np.array_equal(bits.transform(frame[list(reversed(PEOPLE))]), expected), "columns are found by name"
    assert expected[2].tolist() == [-1, -1, 1, -1, -1, -1, 1, 1, -1], "a gap answers no to all but one question"


def answers_of_python(test: ColumnTest, rows: list[dict[str, Any]]) -> list[bool]:
    helpers = python_helpers()
    return [bool(eval(test.python(), helpers | {"row": row})) for row in rows]  # noqa: S307


def python_helpers() -> dict[str, Any]:
    found: dict[str, Any] = {}
    exec("\n".join(PYTHON_HELPERS.values()), found)  # noqa: S102
    return found


@pytest.mark.parametrize("rows", [slice(None), slice(2, 5)])
def test_sqlite_and_python_answer_the_questions_alike(rows: slice) -> None:
    bits = TableBinariser(tuple(PEOPLE), TESTS)
    table = {name: values[rows] for name, values in PEOPLE.items()}
    expected = bits.transform(table) > 0
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE TABLE data ({', '.join(PEOPLE)})")
    items = list(zip(*table.values(), strict=True))
    database.executemany("INSERT INTO data VALUES (?, ?, ?, ?, ?)", items)
    for place, test in enumerate(bits.tests):
        query = f"SELECT CASE WHEN {test.sql()} THEN 1 ELSE 0 END FROM data"  # noqa: S608
        assert [bool(row[0]) for row in database.execute(query)] == expected[:, place].tolist()
        records = [dict(zip(PEOPLE, item, strict=True)) for item in items]
        assert answers_of_python(test, records) == expected[:, place].tolist()


@pytest.mark.parametrize("missing", [None, np.nan, float("nan"), pd.NA, pd.NaT])
def test_python_has_the_same_missing_values(missing: Any) -> None:
    values = {"n": [1.0, 2.0, missing], "c": ["None", "nan", missing]}
    table = pd.DataFrame({name: pd.Series(cells, dtype=object) for name, cells in values.items()})
    words = (Equals("c", word) for word in ("None", "nan", "<NA>", "NaT"))
    bits = TableBinariser(("n", "c"), (Above("n", -5.0), Truth("n"), Missing("n"), *words, Missing("c")))
    expected = bits.transform(table) > 0
    assert expected[2].tolist() == [test.kind == "missing" for test in bits.tests]
    rows = [dict(zip(values, row, strict=True)) for row in zip(*values.values(), strict=True)]
    for place, test in enumerate(bits.tests):
        assert answers_of_python(test, rows) == expected[:, place].tolist()


def test_a_missing_value_in_a_column_of_numbers_is_no_category() -> None:
    assert not Equals("c", "nan").holds(np.array([np.nan, 1.0])).any()


@given(st.one_of(st.floats(), st.integers(), st.booleans(), st.text(), st.dates(), st.decimals(allow_nan=False)))
def test_python_writes_categories_as_the_table_does(value: Any) -> None:
    helpers = python_helpers()
    assert helpers["_missing"](value) == is_missing(value)
    assert helpers["_text"](value) == as_word(value)
    if isinstance(value, float):
        assert helpers["_text"](np.float64(value)) == as_word(np.float64(value)) == as_word(value)


def test_thresholds_follow_the_classes_where_they_are_known() -> None:
    x = np.linspace(0, 1, 200)[:, None]
    y = np.where((x[:, 0] > 0.3) & (x[:, 0] < 0.32), "in", "out")
    by_class = TableBinariser.fit(x, y, bits=2)
    bits = by_class.transform(x)
    assert len({tuple(row) for row in bits[y == "in"]} & {tuple(row) for row in bits[y == "out"]}) == 0
    plain = TableBinariser.fit(x, bits=2).transform(x)
    assert {tuple(row) for row in plain[y == "in"]} <= {tuple(row) for row in plain[y == "out"]}


finite = st.floats(-1e9, 1e9, allow_nan=False)


@given(finite, finite)
def test_a_brief_threshold_separates_both_values(a: float, b: float) -> None:
    low, high = sorted((a, b))
    if low < high:
        cut = brief_between(low, high)
        assert low <= cut < high
        assert Above("x", cut).name == f"x > {Above('x', cut).name.split(' > ')[1]}"
        assert float(Above("x", cut).name.split(" > ")[1]) == cut


def test_many_words_keep_the_most_frequent() -> None:
    words = ["a"] * 5 + ["b"] * 3 + list("cdefg")
    found = TableBinariser.fit({"w": words}, most_categories=2)
    assert found.names == ("w = a", "w = b")
    assert (found.transform({"w": ["never seen", None]}) == -1).all()


def test_files_read_back(tmp_path: Path) -> None:
    bits = TableBinariser(tuple(PEOPLE), TESTS)
    bits.save(tmp_path / "bits.json")
    assert TableBinariser.load(tmp_path / "bits.json") == bits
    (tmp_path / "other.json").write_text(json.dumps({"format": 9}))
    with pytest.raises(FileError, match="'format' of a table binariser must be 1. Got 9"):
        TableBinariser.load(tmp_path / "other.json")
    (tmp_path / "other.json").write_text("[]")
    with pytest.raises(FileError, match="is not a table binariser"):
        TableBinariser.load(tmp_path / "other.json")


@pytest.mark.parametrize(
    ("table", "text"),
    [
        ({"a": [1, 1, 1]}, "all columns are constant"),
        ([1.0, 2.0], "two axes"),
        (np.empty((0, 3)), "at least 1 item and 1 column. Got 0 items instead"),
        (pd.DataFrame(index=[0, 1]), "at least 1 item and 1 column. Got 0 columns instead"),
        ([[1.0, 2.0], [0.0, float("inf")]], "the column 'x1' must hold finite numbers. Got inf instead"),
        ({"a": [1, "-inf"], "b": [None, -float("inf")]}, "the column 'b' must hold finite numbers. Got -inf instead"),
        ([[1j, 2j], [0, 1j]], "Complex data not supported"),
        ({"a": [1, 2], "b": [1]}, "equally long"),
    ],
)
def test_tables_that_cannot_be_read_are_refused(table: Any, text: str) -> None:
    with pytest.raises(DataError, match=text):
        TableBinariser.fit(table)


def test_a_table_must_have_the_columns_of_training() -> None:
    bits = TableBinariser.fit(pd.DataFrame({"a": [1, 2, 3], "b": [3, 1, 2]}))
    with pytest.raises(DataError, match=r"Missing are \['b'\]"):
        bits.transform(pd.DataFrame({"a": [1], "c": [2]}))
    with pytest.raises(DataError, match="must have 2 columns"):
        bits.transform(np.ones((1, 3)))
    with pytest.raises(DataError, match="must hold numbers, as in training. Got 'x'"):
        bits.transform(pd.DataFrame({"a": ["x"], "b": [2]}))
    with pytest.raises(DataError, match="one value for each of 3 items"):
        TableBinariser.fit({"a": [1, 2, 3]}, [0, 1])


def test_the_cell_that_is_no_number_is_named() -> None:
    bits = TableBinariser.fit(pd.DataFrame({"a": [1, 2, 3]}))
    with pytest.raises(DataError, match="must hold numbers, as in training. Got 'x'"):
        bits.transform(pd.DataFrame({"a": [None, 0.2, "x", "y"]}))
    with pytest.raises(DataError, match="must hold numbers, as in training. Got '0.2'"):
        bits.transform(pd.DataFrame({"a": [None, "0.2", "0.3"]}))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("y\n0\n1\n", r"t\.csv:1: expected a column besides 'y'\."),
        ("a,y\n1,0\n\n2,1\ninf,1\n", r"t\.csv:5: the column 'a' must hold finite numbers\. Got 'inf' instead\."),
        ("a,y\n1,0\n1e400,1\n", r"t\.csv:3: the column 'a' must hold finite numbers\. Got '1e400' instead\."),
        ("a,y\n1,0\n1,-inf\n", r"t\.csv:3: the column 'y' must hold finite numbers\. Got '-inf' instead\."),
    ],
)
def test_files_that_cannot_be_learned_from_are_refused_with_the_line(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(FileError, match=message):
        read_with_target(tmp_path / "t.csv", "y")


def test_text_among_numbers_of_a_second_file_is_refused_with_the_line(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,y\n1,0\n2,1\n")
    _, tests, values = read_with_target(tmp_path / "t.csv", "y")
    (tmp_path / "u.csv").write_text("a,y\n,0\n1,0\nabc,1\n")
    with pytest.raises(FileError, match=r"u\.csv:4: the column 'a' must hold numbers, as in training\. Got 'abc'"):
        read_with_target(tmp_path / "u.csv", "y", binariser=tests, values=values)


def test_categories_that_look_like_numbers_are_the_same_in_a_file_without_the_others(tmp_path: Path) -> None:
    rows = ["01,007,2", "02,x,x", "x,8,2", "03,007,x", "1e999,8,x", ",x,2"]
    (tmp_path / "t.csv").write_text("\n".join(["code,y,n", *rows]) + "\n")
    (tmp_path / "u.csv").write_text("\n".join(["code,y,n", *(rows[k] for k in (0, 3, 4))]) + "\n")
    data, tests, values = read_with_target(tmp_path / "t.csv", "y")
    assert values == ["007", "8", "x"]
    part, _, _ = read_with_target(tmp_path / "u.csv", "y", binariser=tests, values=values)
    assert (part.inputs == data.inputs[[0, 3, 4]]).all()
    assert (part.outputs == data.outputs[[0, 3, 4]]).all()
    assert tests.text_columns == {"code", "n"}


def test_numbers_of_a_second_file_may_be_written_otherwise(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,y\n1,1\n2,2\n3,2\n")
    data, tests, values = read_with_target(tmp_path / "t.csv", "y")
    (tmp_path / "u.csv").write_text("a,y\n1.0,01\n02,2.0\n3e0,2\n")
    part, _, _ = read_with_target(tmp_path / "u.csv", "y", binariser=tests, values=values)
    assert (part.inputs == data.inputs).all()
    assert (part.outputs == data.outputs).all()


@pytest.mark.parametrize("numbers", [[0, 1], [0.0, None], [True, False], ["0", "1"], [None, "0"]])
def test_numbers_in_the_place_of_words_are_refused(numbers: list[Any]) -> None:
    tests = TableBinariser.fit({"age": [1, 2, 3], "sex": ["f", "m", None]})
    again = TableBinariser.from_dict(json.loads(json.dumps(tests.as_dict())))
    assert again == tests
    with pytest.raises(DataError, match=r"the column 'sex' must hold text, as in training. Got [01] instead"):
        again.transform({"age": [1, 2], "sex": numbers})


@pytest.mark.parametrize("words", [["x", "y"], ["0", "f"], [0, "new"], [None, None], [np.nan, np.nan]])
def test_unknown_words_and_gaps_in_the_place_of_words_are_answered(words: list[Any]) -> None:
    tests = TableBinariser.fit({"sex": ["f", "m", None]})
    assert tests.transform({"sex": pd.Series(words, dtype=object)}).shape == (2, 2)


def test_categories_that_are_numbers_may_come_as_numbers() -> None:
    """Also those that no question asks for: of two only one is asked for, of many not the rare ones."""
    for known in (["(none)", "5"], [*"aaabbbccc", "5", "6"]):
        tests = TableBinariser.fit({"code": known}, most_categories=3)
        for values in ([5, 6], ["5", "6"]):
            tests.transform({"code": values})


def test_numbers_in_the_place_of_words_of_a_file_are_refused_with_the_line(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("sex,y\nf,0\nm,1\n")
    _, tests, values = read_with_target(tmp_path / "t.csv", "y")
    (tmp_path / "u.csv").write_text("sex\n?\n0\n1\n")
    with pytest.raises(FileError, match=r"u\.csv:3: the column 'sex' must hold text, as in training\. Got 0 instead"):
        read_to_predict(tmp_path / "u.csv", "y", tests, values)


def test_a_slip_in_a_column_of_numbers_is_a_warning(tmp_path: Path) -> None:
    ages = ["1", "2", "?", "2,3", *map(str, range(20))]
    (tmp_path / "t.csv").write_text("age,y\n" + "".join(f'"{age}",{k % 2}\n' for k, age in enumerate(ages)))
    with pytest.warns(
        UserWarning, match=r"t\.csv:5: the column 'age' holds '2,3' here and 22 numbers among 23"
    ) as told:
        _, tests, values = read_with_target(tmp_path / "t.csv", "y")
    assert len(told) == 1
    read_with_target(tmp_path / "t.csv", "y", binariser=tests, values=values)  # said once; a warning would be an error


@pytest.mark.parametrize("codes", [["1", "2", "3", "x"], ["1", "2", "3", "x", "y"] * 10, ["a"] * 40])
def test_text_among_few_numbers_is_no_slip(codes: list[str], tmp_path: Path) -> None:
    rows = "".join(f"{code},{row},{row % 2}\n" for row, code in enumerate(codes))
    (tmp_path / "t.csv").write_text("code,n,y\n" + rows)
    read_with_target(tmp_path / "t.csv", "y")  # a warning would be an error


def test_targets_to_be_filled_in_are_known_where_training_had_them(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("a,y\n1,1\n2,2\n3,2\n")
    data, tests, values = read_with_target(tmp_path / "t.csv", "y")
    (tmp_path / "u.csv").write_text("a,y\n1,01\n2,?\n3,2.0\n")
    inputs, known = read_to_predict(tmp_path / "u.csv", "y", tests, values)
    assert (inputs == data.inputs).all()
    assert known == ["1", None, "2"]
    (tmp_path / "u.csv").write_text("y,a\n1.0,1\nmaybe,2\n7,3\n")
    assert read_to_predict(tmp_path / "u.csv", "y", tests, values)[1] == ["1", None, None]
    (tmp_path / "u.csv").write_text("y,a\n,1\n,2\n")
    assert read_to_predict(tmp_path / "u.csv", "y", tests, values)[1] == [None, None]
    (tmp_path / "u.csv").write_text("a\n1\n2\n")
    assert read_to_predict(tmp_path / "u.csv", "y", tests, values)[1] is None


def test_numbers_of_a_frame_answer_tests_of_categories() -> None:
    tests = TableBinariser.fit({"c": np.array(["a", 3, 4, 3], object)})
    assert tests.transform(pd.DataFrame({"c": [3.0, 4.0]})).tolist() == [[1, -1, -1], [-1, 1, -1]]


def file_with_targets(path: Path, targets: Sequence[object]) -> Path:
    path.write_text("a,b,y\n" + "".join(f"{row * 7 % 10},{row},{y}\n" for row, y in enumerate(targets)))
    return path


def test_measured_numbers_are_no_classes(tmp_path: Path) -> None:
    real = file_with_targets(tmp_path / "real.csv", [k / 7 for k in range(40)])
    with pytest.raises(FileError, match=r"'y' must hold classes\. Got 40 different numbers in 40 rows instead; make"):
        read_with_target(real, "y")
    whole = file_with_targets(tmp_path / "whole.csv", range(40))
    with pytest.warns(UserWarning, match=r"whole\.csv: the column 'y' holds 40 different numbers in 40 rows") as told:
        assert read_with_target(whole, "y")[0].outputs.shape == (40, 40)
    assert len(told) == 1, "and scikit-learn says nothing"


@pytest.mark.parametrize(
    "targets", [[k / 2 for k in range(20)], [k / 2 for k in range(21)] * 2, [f"class {k}" for k in range(40)]]
)
def test_few_numbers_numbers_that_repeat_and_text_are_classes(targets: Sequence[object], tmp_path: Path) -> None:
    read_with_target(file_with_targets(tmp_path / "t.csv", targets), "y")  # a warning would be an error


def test_names_tell_whether_they_came_with_the_table() -> None:
    assert as_columns(np.eye(2)).names == ("x0", "x1")
    assert not as_columns(np.eye(2)).named
    assert as_columns(pd.DataFrame(np.eye(2))).names == ("0", "1")


def test_a_column_that_identifies_the_rows_is_not_asked_about() -> None:
    table = {"name": [f"row {k}" for k in range(100)], "sex": ["m", "f"] * 50}
    assert TableBinariser.fit(table).names == ("sex = f",)
    with pytest.raises(
        DataError, match="more than 64 categories, those that occur once are left out. Got 100 in 'name' "
    ):
        TableBinariser.fit({"name": table["name"]})
    with pytest.raises(
        DataError, match="Got 100 in 'name', 100 in 'key' instead, none twice; all other columns are con"
    ):
        TableBinariser.fit({"name": table["name"], "one": [1] * 100, "key": table["name"]})
    often = {"name": [f"row {k}" for k in range(96)] + ["same"] * 4}
    assert TableBinariser.fit(often).names == ("name = same",)


@pytest.mark.parametrize(
    "table",
    [
        {"id": np.array([0, 2**53 + 1])},
        {"id": np.array([0, -(2**62)])},
        {"id": np.array([0, 2**64 - 1], np.uint64)},
        {"id": [None, 2**60]},
        pd.DataFrame({"id": [0, 2**53 + 1]}),
    ],
)
def test_whole_numbers_that_floats_do_not_tell_apart_are_refused(table: Any) -> None:
    """The circuit would answer otherwise than its exports, which compare the numbers themselves."""
    with pytest.raises(DataError, match=r"'id' must hold whole numbers of at most 2\^53"):
        as_columns(table)


def test_long_numbers_of_a_file_are_refused_or_are_text() -> None:
    with pytest.raises(DataError, match="Got 9007199254740993 instead"):
        columns_of_text(["id"], [["1", "9007199254740993"]])
    assert columns_of_text(["id"], [["1", "9007199254740993"]], ["id"]).cells[0].tolist() == ["1", "9007199254740993"]
    assert columns_of_text(["x"], [["1e300", "9007199254740992"]]).cells[0].tolist() == [1e300, 2.0**53]
