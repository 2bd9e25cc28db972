"""Circuits as Python and SQL, run by Python and by SQLite."""

from __future__ import annotations

import re
import runpy
import sqlite3
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from boolearn.circuit import Circuit, Gate, Literal, circuit_from_formulas
from boolearn.circuit.formats.python import python_source
from boolearn.circuit.formats.sql import quoted, sql_query
from boolearn.data.signs import Signs
from every_gate import circuits

ITEMS = 20


def items(circuit: Circuit, seed: int = 0) -> Signs:
    return np.random.default_rng(seed).choice(np.array([-1, 1], np.int8), (ITEMS, len(circuit.inputs)))


def answers_of_python(circuit: Circuit, bits: Signs, folder: Path) -> Signs:
    circuit.save(folder / "circuit.py")
    predict = runpy.run_path(str(folder / "circuit.py"))["predict"]
    rows = [predict(dict(zip(circuit.inputs, row.tolist(), strict=True))) for row in bits]
    return np.array([[1 if row[name] is True else -1 for name, _ in circuit.outputs] for row in rows], np.int8)


def answers_of_sql(circuit: Circuit, bits: Signs, folder: Path) -> Signs:
    circuit.save(folder / "circuit.sql")
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE TABLE data ({', '.join(map(quoted, circuit.inputs))})")
    places = ", ".join("?" * bits.shape[1])
    database.executemany(f"INSERT INTO data VALUES ({places})", (bits > 0).astype(int).tolist())  # noqa: S608
    found = database.execute((folder / "circuit.sql").read_text()).fetchall()
    values = np.array(found, np.int8)[:, -len(circuit.outputs) :]
    return np.where(values, np.int8(1), np.int8(-1))


@given(circuits())
@settings(deadline=None, max_examples=60)
def test_python_and_sqlite_compute_what_the_circuit_does(circuit: Circuit) -> None:
    bits = items(circuit)
    with tempfile.TemporaryDirectory() as folder:
        assert (answers_of_python(circuit, bits, Path(folder)) == circuit.predict(bits)).all()
        assert (answers_of_sql(circuit, bits, Path(folder)) == circuit.predict(bits)).all()


def test_names_with_quotes_and_names_that_look_like_ours(tmp_path: Path) -> None:
    gates = (Gate((0, 1), (1, -1), -1), Gate((2, 3), (1, 1), 1))
    circuit = Circuit(('a "b"', "it's", "g3"), gates, (("step1", Literal(4, -1)), ("G4", Literal(3))))
    bits = items(circuit)
    assert (answers_of_python(circuit, bits, tmp_path) == circuit.predict(bits)).all()
    assert (answers_of_sql(circuit, bits, tmp_path) == circuit.predict(bits)).all()


def test_conditions_on_columns_stand_for_inputs_and_null_is_false() -> None:
    circuit = Circuit(("old", "red"), (Gate((0, 1), (-1, 1), -1),), (("y", Literal(2)),))
    query = sql_query(circuit, "people", {"old": '"age" > 37.5', "red": "\"colour\" = 'red'"})
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE people (age, colour)")
    rows = [(20, "red"), (40, "red"), (None, "red"), (20, None)]
    database.executemany("INSERT INTO people VALUES (?, ?)", rows)
    assert [row[-1] for row in database.execute(query)] == [1, 0, 1, 0]
    source = python_source(circuit, "rule", {"old": "row['age'] > 37.5", "red": "row['colour'] == 'red'"})
    assert re.search(r"^def rule\(row\):", source, re.MULTILINE)


NAMES_LIKE_OURS = [f"{word}{number}" for word in ("g", "G", "boolearn_g", "Boolearn__G") for number in range(4)]


@pytest.mark.parametrize("column", NAMES_LIKE_OURS)
def test_a_column_of_the_table_may_have_any_name(column: str) -> None:
    """Columns that the circuit does not read, and that a query of a circuit without conditions cannot know."""
    query = sql_query(circuit_from_formulas("y = (a & ~b) | c"))
    other = Circuit(("p", "q"), (Gate((0, 1), (1, 1), -1),), (("y", Literal(2)),))
    tests = sql_query(other, "data", {"p": f"{quoted(column)} > 0", "q": '"a" = 1'})
    for value in (0, 1):
        database = sqlite3.connect(":memory:")
        database.execute(f"CREATE TABLE data ({column}, a, b, c)")
        database.execute("INSERT INTO data VALUES (?, 1, 0, 0)", (value,))
        assert database.execute(query).fetchone()[-1] == 1
        assert database.execute(tests).fetchone()[-1] == value


@pytest.mark.parametrize("table", ["step1", "boolearn_step1", "BOOLEARN_STEP1", 'a "b"'])
def test_the_table_may_have_any_name(table: str) -> None:
    database = sqlite3.connect(":memory:")
    database.execute(f"CREATE TABLE {quoted(table)} (a, b)")
    database.execute(f"INSERT INTO {quoted(table)} VALUES (1, 0)")  # noqa: S608
    assert database.execute(sql_query(circuit_from_formulas("y = a & ~b"), table)).fetchone()[-1] == 1


def test_a_query_keeps_the_columns_that_are_asked_for() -> None:
    circuit = circuit_from_formulas("y = a & b")
    database = sqlite3.connect(":memory:")
    database.execute("CREATE TABLE data (id, a, b)")
    database.execute("INSERT INTO data VALUES (7, 1, 1)")

    def columns(query: str) -> list[str]:
        return [column[0] for column in database.execute(query).description]

    assert columns(sql_query(circuit, columns=["id"])) == ["id", "y"]
    assert columns(sql_query(circuit, columns=[])) == ["y"]
    assert columns(sql_query(circuit))[-4:] == ["id", "a", "b", "y"]
    assert all(name.startswith("boolearn_g") for name in columns(sql_query(circuit))[:-4])
    assert columns(sql_query(Circuit(("a",), (), ()))) == ["id", "a", "b"]
