"""Circuits over the tests of a table, in formats that can ask these tests themselves."""

from __future__ import annotations

from pathlib import Path

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.formats.python import python_source
from boolearn.circuit.formats.sql import sql_query
from boolearn.data.tables import TableBinariser
from boolearn.data.tables.questions import PYTHON_HELPERS
from boolearn.files import PathLike, write_text


def save_with_tests(circuit: Circuit, tests: TableBinariser, path: PathLike) -> None:
    """Write a circuit whose inputs are tests of columns: ``.sql`` and ``.py`` read the columns, other formats the
    answers to the tests."""
    match Path(path).suffix.lower():
        case ".sql":
            write_text(path, sql_query(circuit, conditions=tests.sql()))
        case ".py":
            write_text(path, python_source(circuit, conditions=tests.python(), helpers=PYTHON_HELPERS))
        case _:
            circuit.save(path)
