"""Data for a command: Boolean files as they are, raw tables by tests of their columns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from boolearn.data import Dataset
    from boolearn.data.tables import TableBinariser


class Reader:
    """Reads several files in the same way: the first says which columns and classes, or tests, there are."""

    def __init__(self, target: str | None, bits: int, outputs: int | None) -> None:
        from boolearn.errors import ParameterError

        if target is not None and outputs is not None:
            raise ParameterError("outputs", "left out with 'target'", outputs)
        self.target, self.bits, self.outputs = target, bits, outputs
        self.binariser: TableBinariser | None = None
        self.values: list[str] | None = None
        self._first: Dataset | None = None

    def read(self, path: Path) -> Dataset:
        from boolearn.data.tables import read_with_target

        if self.target is None:
            return self._read_boolean(path)
        data, self.binariser, self.values = read_with_target(
            path, self.target, bits=self.bits, binariser=self.binariser, values=self.values
        )
        return data

    def _read_boolean(self, path: Path) -> Dataset:
        """A file whose columns are Boolean already; who has another table is told how to name what is to be learned."""
        from boolearn.data import read
        from boolearn.data.csv_table import CellError
        from boolearn.errors import FileError

        if self._first is not None:
            return self._read_like(path, self._first)
        try:
            self._first = read(path, outputs=self.outputs)
        except CellError as error:
            hint = "For a table of numbers, text and missing values, --target names the column to be learned."
            raise FileError(error.path, error.line, f"{error.message} {hint}") from error
        return self._first

    def _read_like(self, path: Path, first: Dataset) -> Dataset:
        """Columns and classes as in the first file, by name where both have names."""
        from boolearn.data.questions import Expected, read_questions
        from boolearn.errors import FileError

        dataset = read_questions(path, Expected.like(first), self.outputs).dataset
        if dataset is None:
            raise FileError(path, 1, "expected outputs to compare with, found inputs only.")
        return dataset

    def settings(self) -> dict[str, object]:
        """What a run's configuration says about it."""
        return {} if self.target is None else {"target": self.target, "target_values": self.values, "bits": self.bits}

    def save(self, folder: Path) -> None:
        from boolearn.runs.folder import BINARISER

        if self.binariser is not None:
            self.binariser.save(folder / BINARISER)
