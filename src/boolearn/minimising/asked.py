"""What is asked for: a table with open bits, a circuit, or both where a circuit has few inputs."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias, cast

import numpy as np
import numpy.typing as npt

from boolearn.baselines.specification import Specification
from boolearn.baselines.specification_files import names_specification, read_specification
from boolearn.circuit import Circuit, circuit_from_formulas, prove_equal
from boolearn.circuit.text.definitions import Formulas
from boolearn.data import Dataset, as_dataset
from boolearn.data.open_outputs import check_specified
from boolearn.errors import DataError, FileError, ParameterError
from boolearn.files import PathLike

Spec: TypeAlias = "os.PathLike[str] | Dataset | Circuit | Specification | Formulas | npt.NDArray[np.generic]"

MOST_ROWS = 1 << 16
_MOST_TABLE_INPUTS = 12
"""A circuit with more inputs is not listed row by row: it is compared by SAT."""


@dataclass(frozen=True)
class Asked:
    """A function to be made of gates: rows with open bits, and the circuit that was given, if one was."""

    table: Specification | None
    circuit: Circuit | None

    def dataset(self) -> Dataset:
        """The table as data."""
        assert self.table is not None
        rows = self.table
        mask = rows.outputs == 0
        return Dataset(
            rows.inputs, rows.outputs, input_names=rows.input_names, output_names=rows.output_names, open=mask
        )

    def met_by(self, circuit: Circuit) -> bool:
        """Is the circuit proved to give what is asked?"""
        if self.circuit is not None:
            return bool(prove_equal(circuit, self.circuit))
        return bool(prove_equal(circuit, self.dataset()))


def as_asked(spec: object) -> Asked:
    """Whatever may stand for a specification; what is wrong with a file is said with its name and line."""
    if isinstance(spec, os.PathLike) or names_specification(spec):
        path = cast(PathLike, spec)
        try:
            return as_asked(read_specification(path))
        except DataError as error:
            raise FileError(path, None, str(error)) from error
    if isinstance(spec, str | Mapping):
        spec = circuit_from_formulas(spec)
    if isinstance(spec, Circuit):
        table = Specification.from_circuit(spec) if len(spec.inputs) <= _MOST_TABLE_INPUTS else None
        return Asked(table, spec)
    if isinstance(spec, tuple):
        spec = as_dataset(spec)
    if isinstance(spec, Dataset):
        if spec.open is not None:
            check_specified(spec.targets, spec.output_names)
        spec = Specification.from_dataset(spec)
    if isinstance(spec, np.ndarray | list):
        spec = Specification.from_truth_table(spec)
    if not isinstance(spec, Specification):
        rule = "a file's name, a Dataset, a Circuit, a Specification, formulas or a truth table"
        raise ParameterError("spec", rule, spec)
    if len(spec.inputs) > MOST_ROWS:
        raise DataError(f"a specification must have at most {MOST_ROWS} rows. Got {len(spec.inputs)} instead.")
    return Asked(spec, None)
