"""Circuits as files, one format a module; the ending says which. Modules are imported when needed: some are heavy."""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

from boolearn.circuit.circuit import Circuit, checked_circuit
from boolearn.errors import FileError, ParameterError
from boolearn.files import PathLike, check_writable

__all__ = ["check_savable", "load", "save"]

_WRITERS = {
    ".v": "formats.verilog:write_verilog",
    ".blif": "formats.blif:write_blif",
    ".aag": "formats.aiger:write_aag",
    ".aig": "formats.aiger:write_aig",
    ".bench": "formats.bench:write_bench",
    ".dot": "formats.dot:write_dot",
    ".json": "formats.json:write_json",
    ".c": "formats.c:write_c",
    ".onnx": "formats.onnx:write_onnx",
    ".txt": "text.formulas:write_formulas",
    ".py": "formats.python:write_python",
    ".sql": "formats.sql:write_sql",
    ".svg": "drawing:write_drawing",
    ".png": "drawing:write_drawing",
}
_READERS = {
    ".blif": "formats.blif:read_blif",
    ".aag": "formats.aiger_reader:read_aiger",
    ".aig": "formats.aiger_reader:read_aiger",
    ".json": "formats.json:read_json",
}


def save(circuit: Circuit, path: PathLike) -> None:
    """Write a circuit; the file's ending says in which format."""
    write: Callable[[Circuit, PathLike], None] = _chosen(_WRITERS, path, "written")
    write(checked_circuit(circuit), path)


def check_savable(path: PathLike) -> None:
    """Refuse a file that ``save`` would: one of an unknown ending, or where no file can be."""
    _known(_WRITERS, path, "written")
    check_writable(path)


def load(path: PathLike) -> Circuit:
    """Read a circuit; the file's ending says in which format."""
    read: Callable[[PathLike], Circuit] = _chosen(_READERS, path, "read")
    return read(path)


def _chosen(known: dict[str, str], path: PathLike, done: str) -> Any:
    module, function = _known(known, path, done).split(":")
    return getattr(import_module(f"boolearn.circuit.{module}"), function)


def _known(known: dict[str, str], path: PathLike, done: str) -> str:
    if not isinstance(path, str | os.PathLike):
        raise ParameterError("path", "the name of a file", path)
    ending = Path(path).suffix.lower()
    if ending not in known:
        raise FileError(path, None, f"circuits can be {done} as {' '.join(known)}. Got the ending {ending!r} instead.")
    return known[ending]
