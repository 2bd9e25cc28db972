"""TableBinariser: which questions are asked of a table, chosen from training data."""

from __future__ import annotations

import json
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_integer
from boolearn.data.dataset import Dataset
from boolearn.data.signs import Signs
from boolearn.data.tables.columns import Cells, Columns, RowError, as_columns, as_word
from boolearn.data.tables.questions import KINDS, Above, ColumnTest, Equals, Missing, Truth, is_number, present
from boolearn.errors import DataError, FileError
from boolearn.files import PathLike, opened, parse_json, write_text

Floats = npt.NDArray[np.float64]

_FORMAT = 1
_MOST_CATEGORIES = 64


@dataclass(frozen=True)
class TableBinariser:
    """Questions about the columns of a table. Every question makes one bit, +1 for yes."""

    columns: tuple[str, ...]
    """The columns of the table, in the order in which arrays without names have them."""
    tests: tuple[ColumnTest, ...]
    words: frozenset[str] = frozenset()
    """Columns that held text in training and no number, so that a column of numbers in their place is a mistake."""

    def __post_init__(self) -> None:
        if not self.tests:
            raise DataError("a table must have a column whose values differ; all columns are constant.")

    @classmethod
    def fit(
        cls, table: Any, y: npt.ArrayLike | None = None, *, bits: int = 4, most_categories: int = _MOST_CATEGORIES
    ) -> TableBinariser:
        """Choose questions for every column.

        A column of bools, of 0 and 1 or of −1 and 1 is one question. A column of numbers gets at most ``bits``
        thresholds: where ``y`` is given, those at which a decision tree on this column alone divides the classes
        or outputs best, else quantiles. A column of words gets a question for every word, and only one where there are
        two. Where there are more than ``most_categories``, the most frequent get one, and no word that occurs once: a
        column of names or numbers that identify the rows gets none. A column with missing values gets
        a question for that. Constant columns get none.
        """
        found = as_columns(table)
        bits = checked_integer("bits", bits, 1, 1000)
        most = checked_integer("most_categories", most_categories, 1)
        labels = None if y is None else _class_numbers(y)
        if labels is not None and len(labels) != len(found):
            raise DataError(f"y must have one value for each of {len(found)} items. Got {len(labels)} instead.")
        tests: list[ColumnTest] = []
        for name, cells in zip(found.names, found.cells, strict=True):
            tests += _questions(name, cells, labels, bits, most)
        if not tests:
            _check_categories(found, most)
        words = {name for name, cells in zip(found.names, found.cells, strict=True) if _are_words(cells)}
        return cls(found.names, tuple(tests), frozenset(words & {test.column for test in tests}))

    @property
    def names(self) -> tuple[str, ...]:
        """One for every bit: "age > 37.5", "colour = red", "age is missing"."""
        return tuple(test.name for test in self.tests)

    @property
    def text_columns(self) -> frozenset[str]:
        """The columns that are asked for categories: files are read with text there, even where all are numbers."""
        return frozenset(test.column for test in self.tests if isinstance(test, Equals))

    def transform(self, table: Any) -> Signs:
        """Shape (items, questions) of ±1. Columns are found by name where the table has names, else by place."""
        found = as_columns(table)
        if found.named and set(self.columns) <= set(found.names):
            place = {name: found.names.index(name) for name in self.columns}
        elif len(found.names) == len(self.columns) and (
            not found.named or self.columns == _plain_names(len(self.columns))
        ):
            place = {name: index for index, name in enumerate(self.columns)}
        elif found.named:
            missing = [name for name in self.columns if name not in found.names]
            raise DataError(f"a table must have the columns it had in training. Missing are {missing}.")
        else:
            raise DataError(
                f"a table must have {len(self.columns)} columns, as in training. Got {len(found.names)} instead."
            )
        for name in self.columns:
            if name in self.words:
                _check_words(name, found.cells[place[name]])
        answers = np.empty((len(found), len(self.tests)), np.int8)
        for index, test in enumerate(self.tests):
            answers[:, index] = np.where(test.holds(found.cells[place[test.column]]), 1, -1)
        return answers

    def dataset(self, table: Any, y: npt.ArrayLike, output_names: Sequence[str] | None = None) -> Dataset:
        """The bits with outputs or labels as ``Dataset`` takes them, as a data set that knows the bits' names."""
        names = None if output_names is None else tuple(output_names)
        return Dataset(self.transform(table), y, input_names=self.names, output_names=names)  # type: ignore[arg-type]

    def sql(self) -> dict[str, str]:
        """For every question its condition in SQL."""
        return {test.name: test.sql() for test in self.tests}

    def python(self) -> dict[str, str]:
        """For every question its expression in Python, which may call the functions of ``PYTHON_HELPERS``."""
        return {test.name: test.python() for test in self.tests}

    def as_dict(self) -> dict[str, Any]:
        """Plain values, as JSON holds them."""
        tests = [{"kind": test.kind, **asdict(test)} for test in self.tests]
        return {"format": _FORMAT, "columns": list(self.columns), "tests": tests, "words": sorted(self.words)}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> TableBinariser:
        """What ``as_dict`` gave, back as an object."""
        try:
            if values["format"] != _FORMAT:
                raise DataError(f"'format' of a table binariser must be {_FORMAT}. Got {values['format']!r} instead.")
            tests = [
                KINDS[test["kind"]](**{name: value for name, value in test.items() if name != "kind"})
                for test in values["tests"]
            ]
            words = frozenset(values.get("words", ()))  # files of earlier versions do not say it
            return cls(tuple(values["columns"]), tuple(tests), words)
        except (KeyError, TypeError) as error:
            raise DataError(f"is not a table binariser: {error!r}.") from error

    def save(self, path: PathLike) -> None:
        """Write a JSON file, whole or not at all."""
        write_text(path, json.dumps(self.as_dict(), indent=1, ensure_ascii=False) + "\n")

    @classmethod
    def load(cls, path: PathLike) -> TableBinariser:
        """Read what ``save`` wrote."""
        with opened(path) as stream:
            content = stream.read()
        try:
            return cls.from_dict(parse_json(content))
        except ValueError as error:  # DataError among them
            raise FileError(path, None, f"holds no table binariser: {error}") from error


def _are_words(cells: Cells) -> bool:
    """Whether a column holds text, and none of it could be a number."""
    return cells.dtype == object and not any(cell is not None and is_number(cell) for cell in cells)


def _check_words(name: str, cells: Cells) -> None:
    """Refuse a column of numbers where training had words. A single unknown word is none of the categories, no more."""
    known = np.flatnonzero(present(cells)).tolist()
    if known and (cells.dtype != object or all(is_number(cells[row]) for row in known)):
        got = as_word(cells[known[0]])
        raise RowError(known[0], f"the column {name!r} must hold text, as in training. Got {got} instead.")


def _plain_names(count: int) -> tuple[str, ...]:
    return tuple(f"x{place}" for place in range(count))


def _questions(name: str, cells: Cells, labels: npt.NDArray[np.int64] | None, bits: int, most: int) -> list[ColumnTest]:
    there = present(cells)
    missing: list[ColumnTest] = [] if there.all() or not there.any() else [Missing(name)]
    values = cells[there]
    if values.dtype == object:
        return [*_words(name, values.tolist(), most), *missing]
    different = np.unique(values)
    if len(different) < 2:
        return missing
    if different.tolist() in ([0.0, 1.0], [-1.0, 1.0]):
        return [Truth(name), *missing]
    cuts = _thresholds(values, None if labels is None else labels[there], bits)
    return [*(Above(name, cut) for cut in cuts), *missing]


def _words(name: str, values: Sequence[str], most: int) -> list[ColumnTest]:
    counts = Counter(values)
    if len(counts) < 2:
        return []
    frequent = sorted(counts, key=lambda word: (-counts[word], word))[:most]
    if len(counts) > most:
        frequent = [word for word in frequent if counts[word] > 1]
    if len(counts) == 2:
        return [Equals(name, min(counts))]
    return [Equals(name, word) for word in sorted(frequent)]


def _check_categories(table: Columns, most: int) -> None:
    """Of a table about which nothing is asked: the columns that differ in every row are not to be called constant."""
    counts = {
        name: len(set(cells[present(cells)].tolist()))
        for name, cells in zip(table.names, table.cells, strict=True)
        if cells.dtype == object
    }
    single = [f"{count} in {name!r}" for name, count in counts.items() if count > most]
    if single:
        others = "; all other columns are constant" if len(single) < len(table.names) else ""
        raise DataError(
            f"a table must have a column whose values differ and repeat. Where there are more than {most} categories, "
            f"those that occur once are left out. Got {', '.join(single)} instead, none twice{others}."
        )


def _thresholds(column: Floats, labels: npt.NDArray[np.int64] | None, bits: int) -> list[float]:
    """At most ``bits`` numbers between values of the column, each written with few digits."""
    different = np.unique(column)
    if labels is None:
        wished = np.quantile(column, np.arange(1, bits + 1) / (bits + 1))
    else:
        from sklearn.tree import DecisionTreeClassifier

        tree = DecisionTreeClassifier(criterion="entropy", max_leaf_nodes=bits + 1, random_state=0)
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)  # readers tell that better
            tree.fit(column[:, None], labels)
        found = tree.tree_
        wished = found.threshold[found.feature >= 0]
        if not len(wished):  # the column alone tells nothing; with others it may
            wished = np.array([np.median(column)])
    above = np.clip(np.searchsorted(different, wished, side="right"), 1, len(different) - 1)
    return sorted({brief_between(float(different[k - 1]), float(different[k])) for k in above})


def brief_between(low: float, high: float) -> float:
    """The number nearest to the middle with the fewest digits strictly between both; ``low`` where there is none."""
    middle = low / 2 + high / 2
    for digits in range(1, 18):
        text = float(f"{middle:.{digits}g}")
        if low < text < high:
            return text
    return low


def _class_numbers(y: npt.ArrayLike | Sequence[Any]) -> npt.NDArray[np.int64]:
    """A number for every different answer; several outputs count as one answer together."""
    array = np.asarray(y)
    flat = array.astype(str) if array.dtype.kind == "O" else array
    _, numbers_ = np.unique(flat, axis=0, return_inverse=True)
    return np.asarray(numbers_, np.int64).reshape(-1)
