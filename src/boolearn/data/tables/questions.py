"""Yes-or-no questions about one column of a table: the inputs of a circuit learned from it, in words people read."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from boolearn.data.tables.columns import Cells, RowError, as_word, written

Answers = npt.NDArray[np.bool_]

PYTHON_HELPERS = {
    "_missing": '''def _missing(value):
    """None, NaN, and what pandas has for them."""
    return value is None or type(value).__name__ == "NAType" or value != value
''',
    "_text": '''def _text(value):
    """The text of a category: 3 for 3.0."""
    if not isinstance(value, float):
        return str(value)
    return str(int(value)) if abs(value) < 1e15 and value == int(value) else repr(float(value))
''',
}
"""The functions that ``ColumnTest.python`` calls, by name: ``is_missing`` and ``as_word`` without boolearn."""


@dataclass(frozen=True)
class ColumnTest(ABC):
    """A question about a column; a missing value answers every question but ``Missing`` with no."""

    column: str

    kind: ClassVar[str]

    @property
    @abstractmethod
    def name(self) -> str:
        """The question in words."""

    @property
    def negation(self) -> str:
        """What can be said where the answer is no."""
        return f"not {self.name}"

    @abstractmethod
    def holds(self, cells: Cells) -> Answers:
        """For every value, whether the answer is yes."""

    @abstractmethod
    def sql(self) -> str:
        """The question as a condition of an SQL query."""

    @abstractmethod
    def python(self) -> str:
        """The question as a Python expression over ``row``, a mapping from columns to values; ``PYTHON_HELPERS`` are
        the functions it calls."""

    @property
    def _sql_column(self) -> str:
        return '"' + self.column.replace('"', '""') + '"'

    @property
    def _row(self) -> str:
        return f"row[{self.column!r}]"

    @property
    def _row_is_known(self) -> str:
        return f"not _missing({self._row})"


@dataclass(frozen=True)
class Above(ColumnTest):
    """Is the number above a threshold?"""

    threshold: float

    kind = "above"

    @property
    def name(self) -> str:
        return f"{self.column} > {written(self.threshold)}"

    @property
    def negation(self) -> str:
        return f"{self.column} <= {written(self.threshold)}"

    def holds(self, cells: Cells) -> Answers:
        return numbers(cells, self.column) > self.threshold  # NaN is above nothing

    def sql(self) -> str:
        return f"{self._sql_column} > {written(self.threshold)}"

    def python(self) -> str:
        return f"{self._row_is_known} and {self._row} > {written(self.threshold)}"


@dataclass(frozen=True)
class Equals(ColumnTest):
    """Is it this word?"""

    value: str

    kind = "equals"

    @property
    def name(self) -> str:
        return f"{self.column} = {self.value}"

    @property
    def negation(self) -> str:
        return f"{self.column} != {self.value}"

    def holds(self, cells: Cells) -> Answers:
        if cells.dtype != object:  # numbers where training had words: the categories may have been numbers
            same = np.array([as_word(cell) == self.value for cell in cells.tolist()], bool)
            return np.asarray(same & present(cells), bool)
        return np.asarray(cells == self.value, bool)

    def sql(self) -> str:
        return f"{self._sql_column} = '" + self.value.replace("'", "''") + "'"

    def python(self) -> str:
        return f"{self._row_is_known} and _text({self._row}) == {self.value!r}"


@dataclass(frozen=True)
class Truth(ColumnTest):
    """Is it true? For columns of bools, of 0 and 1, or of −1 and 1."""

    kind = "truth"

    @property
    def name(self) -> str:
        return self.column

    def holds(self, cells: Cells) -> Answers:
        return numbers(cells, self.column) > 0

    def sql(self) -> str:
        return f"{self._sql_column} > 0"

    def python(self) -> str:
        return f"{self._row_is_known} and {self._row} > 0"


@dataclass(frozen=True)
class Missing(ColumnTest):
    """Is there no value?"""

    kind = "missing"

    @property
    def name(self) -> str:
        return f"{self.column} is missing"

    @property
    def negation(self) -> str:
        return f"{self.column} is known"

    def holds(self, cells: Cells) -> Answers:
        return ~present(cells)

    def sql(self) -> str:
        return f"{self._sql_column} IS NULL"

    def python(self) -> str:
        return f"_missing({self._row})"


def implied(given: ColumnTest, answer: bool, other: ColumnTest) -> bool | None:
    """What an answer to one question says about another; None where it says nothing."""
    if given.column != other.column or given == other:
        return None
    if answer and (isinstance(given, Missing) or isinstance(other, Missing)):
        return False  # what is missing has no value, and what has a value is not missing
    if isinstance(given, Above) and isinstance(other, Above):
        if answer and other.threshold <= given.threshold:
            return True
        if not answer and other.threshold >= given.threshold:
            return False
    if answer and isinstance(given, Equals) and isinstance(other, Equals):
        return False
    return None


KINDS: dict[str, type[Any]] = {test.kind: test for test in (Above, Equals, Truth, Missing)}


def numbers(cells: Cells, column: str) -> npt.NDArray[np.float64]:
    """The values as numbers, NaN where they are missing; text is refused."""
    if cells.dtype != object:
        return cells
    known = np.flatnonzero(present(cells)).tolist()
    if not known:
        return np.full(len(cells), np.nan)
    row = next((row for row in known if not is_number(cells[row])), known[0])  # one text makes all cells text
    raise RowError(row, f"the column {column!r} must hold numbers, as in training. Got {cells[row]!r} instead.")


def is_number(text: str) -> bool:
    """Whether a column with this text may be one of numbers."""
    try:
        float(text)
    except ValueError:
        return False
    return True


def present(cells: Cells) -> Answers:
    """Where there is a value."""
    if cells.dtype != object:
        return ~np.isnan(cells)
    return np.array([cell is not None for cell in cells], bool)
