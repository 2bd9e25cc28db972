"""Formulas as plain text: .txt as people read them, .py with ``&``, ``|`` and ``~`` alone, as Python and SymPy do."""

from __future__ import annotations

from pathlib import Path

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.text.formulas import formula_text
from boolearn.files import PathLike, write_text


def write_formulas(circuit: Circuit, path: PathLike) -> None:
    """Write one line ``name = expression`` for every output and every gate that is used more than once."""
    write_text(path, formula_text(circuit, expand=Path(path).suffix.lower() == ".py"))
