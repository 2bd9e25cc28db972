"""Files that may stand for a specification: circuits (BLIF, AIGER, JSON) and tables (PLA, and data in any format)."""

from __future__ import annotations

import os
from pathlib import Path

from boolearn.circuit import Circuit, load
from boolearn.data import Dataset, read, read_pla
from boolearn.errors import FileError, ParameterError
from boolearn.files import PathLike

CIRCUITS = (".blif", ".aag", ".aig", ".json")
TABLES = (".pla", ".dat", ".npz", ".csv", ".tsv")


def names_specification(path: object) -> bool:
    """Does the ending say that the file holds a circuit or a table?"""
    return isinstance(path, str | os.PathLike) and Path(path).suffix.lower() in (*CIRCUITS, *TABLES)


def read_specification(path: PathLike, outputs: int | None = None) -> Circuit | Dataset:
    """Read one; ``outputs`` is, for .csv and .tsv, how many of the last columns are outputs.

    Lines of a PLA file that contradict each other are refused, with their number.
    """
    ending = Path(path).suffix.lower()
    if ending in CIRCUITS:
        return load(path)
    if ending not in TABLES:
        known = " ".join((*CIRCUITS, *TABLES))
        raise FileError(path, None, f"a specification must end in {known}. Got the ending {ending!r} instead.")
    if ending == ".pla":
        if outputs is not None:
            raise ParameterError("outputs", "left out for a PLA file, which says itself how many there are", outputs)
        return read_pla(path, contradictions=False)
    return read(path, outputs=outputs)
