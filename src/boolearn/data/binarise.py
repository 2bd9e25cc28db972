"""Real columns made Boolean by thresholds, so that circuits read "age > 37.5" where data had ages.

A binariser is fitted on training data and applied to any: it holds its thresholds, a few numbers
for every column, and nothing else.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_choice, checked_integer
from boolearn.data.dataset import Dataset, checked_names
from boolearn.data.frames import column_names, frame_array, in_order, is_frame
from boolearn.data.signs import Signs, as_array
from boolearn.errors import DataError, FileError, ParameterError
from boolearn.files import PathLike, opened, parse_json, write_text

Floats = npt.NDArray[np.float64]

_FORMAT = 1
_MOST_BITS = 1000


@dataclass(frozen=True)
class Binariser:
    """Thresholds for every column. Every threshold makes one bit, +1 where the value lies above it.

    A column without thresholds, as constant ones are, makes no bit. ``Thermometer`` and
    ``Threshold`` know how to choose thresholds from data; this class takes given ones.
    """

    thresholds: tuple[tuple[float, ...], ...]
    """For every column its thresholds, rising."""
    columns: tuple[str, ...]
    """The columns' names."""

    kind: ClassVar[str] = "given"

    def __post_init__(self) -> None:
        try:
            thresholds = tuple(tuple(_number(value) for value in column) for column in self.thresholds)
        except (TypeError, ValueError, OverflowError):
            raise ParameterError("thresholds", "for every column a sequence of numbers", self.thresholds) from None
        for column, values in enumerate(thresholds):
            if not all(map(math.isfinite, values)) or any(a >= b for a, b in itertools.pairwise(values)):
                raise ParameterError("thresholds", f"finite and rising, for column {column} too", values)
        if not any(thresholds):
            raise DataError("at least one column must have a threshold; all columns are constant.")
        object.__setattr__(self, "thresholds", thresholds)
        object.__setattr__(self, "columns", _names(self.columns, len(thresholds)))

    @classmethod
    def given(cls, thresholds: Sequence[float | Sequence[float]], columns: Sequence[str] | None = None) -> Binariser:
        """Thresholds that are known: for every column a number or several."""
        try:
            rows = [(row,) if isinstance(row, int | float | np.number) else tuple(row) for row in thresholds]
        except TypeError:
            raise ParameterError("thresholds", "for every column a number or several", thresholds) from None
        return cls(tuple(rows), _names(columns, len(rows)))

    @property
    def names(self) -> tuple[str, ...]:
        """One for every bit: "age > 37.5"."""
        return tuple(
            f"{name} > {_brief(value, values)}"
            for name, values in zip(self.columns, self.thresholds, strict=True)
            for value in values
        )

    @property
    def n_bits(self) -> int:
        return sum(map(len, self.thresholds))

    def transform(self, x: npt.ArrayLike) -> Signs:
        """Shape (items, n_bits) of ±1. Columns of a data frame are found by their names."""
        values = checked_values(in_order(x, self.columns), len(self.thresholds))
        parts = [values[:, [column]] > np.array(row) for column, row in enumerate(self.thresholds)]
        return np.where(np.concatenate(parts, axis=1), np.int8(1), np.int8(-1))

    def labelled(self, x: npt.ArrayLike, labels: npt.ArrayLike, classes: int | None = None) -> Dataset:
        """The bits with class labels, texts or 0, 1, …, as a data set that knows the bits' names."""
        return replace(Dataset.labelled(self.transform(x), labels, classes), input_names=self.names)

    def dataset(self, x: npt.ArrayLike, outputs: npt.ArrayLike, output_names: Sequence[str] | None = None) -> Dataset:
        """The bits with outputs or labels as ``Dataset`` takes them, as a data set that knows the bits' names."""
        names = None if output_names is None else tuple(output_names)
        return Dataset(self.transform(x), outputs, input_names=self.names, output_names=names)  # type: ignore[arg-type]

    def as_dict(self) -> dict[str, Any]:
        """Plain values, as JSON and TOML hold them."""
        return {
            "format": _FORMAT,
            "kind": self.kind,
            "columns": list(self.columns),
            "thresholds": [list(row) for row in self.thresholds],
        }

    @staticmethod
    def from_dict(values: Mapping[str, Any]) -> Binariser:
        """What ``as_dict`` gave, back as a binariser of its kind."""
        if not isinstance(values, Mapping):
            raise DataError(f"a binariser must be a table of values. Got {type(values).__name__} instead.")
        if values.get("format") != _FORMAT:
            raise DataError(f"'format' of a binariser must be {_FORMAT}. Got {values.get('format')!r} instead.")
        kinds = {kind.kind: kind for kind in (Binariser, Thermometer, Threshold)}
        kind, thresholds, columns = (values.get(key) for key in ("kind", "thresholds", "columns"))
        if not isinstance(kind, str) or kind not in kinds:
            raise DataError(f"'kind' of a binariser must be one of {', '.join(kinds)}. Got {kind!r} instead.")
        if not isinstance(thresholds, list) or not all(
            isinstance(row, list) and all(isinstance(v, int | float) and not isinstance(v, bool) for v in row)
            for row in thresholds
        ):
            raise DataError("'thresholds' of a binariser must be a list of lists of numbers.")
        if not isinstance(columns, list) or not all(isinstance(name, str) for name in columns):
            raise DataError("'columns' of a binariser must be a list of names.")
        return kinds[kind](tuple(map(tuple, thresholds)), tuple(columns))

    def save(self, path: PathLike) -> None:
        """Write a JSON file, whole or not at all."""
        write_text(path, json.dumps(self.as_dict(), indent=2, ensure_ascii=False) + "\n")

    @staticmethod
    def load(path: PathLike) -> Binariser:
        """Read what ``save`` wrote."""
        with opened(path) as stream:
            content = stream.read()
        try:
            return Binariser.from_dict(parse_json(content))
        except ValueError as error:  # DataError and ParameterError among them
            raise FileError(path, None, f"holds no binariser: {error}") from error


@dataclass(frozen=True)
class Thermometer(Binariser):
    """Several thresholds a column: the bits of a value rise like a thermometer's column."""

    kind: ClassVar[str] = "thermometer"

    @classmethod
    def fit(
        cls, x: npt.ArrayLike, bits: int = 4, by: str = "quantiles", columns: Sequence[str] | None = None
    ) -> Thermometer:
        """Choose ``bits`` thresholds for every column of an array of shape (items, columns), or of a data frame, which
        keeps its columns' names.

        by
            ``"quantiles"``: as many items between any two thresholds, as far as repeated values
            allow. ``"width"``: thresholds at equal distances between the least and the greatest value.

        Columns with few different values get fewer thresholds, at most one between any two values
        that follow each other; constant columns get none.
        """
        bits = checked_integer("bits", bits, 1, _MOST_BITS)
        checked_choice("by", by, ("quantiles", "width"))
        values = checked_values(x)
        parts = np.arange(1, bits + 1) / (bits + 1)

        def wished(column: Floats) -> Floats:
            if by == "quantiles":
                return np.quantile(column, parts)
            return np.asarray(column.min() * (1 - parts) + column.max() * parts)

        rows = [_between_values(column, wished) for column in values.T]
        return cls(tuple(rows), _names(column_names(x) if columns is None else columns, values.shape[1]))


@dataclass(frozen=True)
class Threshold(Binariser):
    """One threshold a column."""

    kind: ClassVar[str] = "threshold"

    @classmethod
    def fit(cls, x: npt.ArrayLike, by: str = "median", columns: Sequence[str] | None = None) -> Threshold:
        """Choose the threshold of every column of an array of shape (items, columns), or of a data frame, which keeps
        its columns' names.

        by
            ``"median"``: half of the items on either side. ``"clusters"``: the middle between the
            mean of the values below and the mean of those above (Ridler and Calvard, 1978).
            ``"otsu"``: the cut with the greatest variance between both sides (Otsu, 1979).
        """
        choices = {"median": _median, "clusters": _clusters, "otsu": _otsu}
        choose = choices[checked_choice("by", by, choices)]
        values = checked_values(x)
        rows = [_between_values(column, lambda values: np.array([choose(values)])) for column in values.T]
        return cls(tuple(rows), _names(column_names(x) if columns is None else columns, values.shape[1]))


def checked_values(x: npt.ArrayLike, columns: int | None = None) -> Floats:
    """Real columns, finite everywhere; ``columns`` is their number where it is known."""
    array = frame_array(x, "values", as_they_are=True) if is_frame(x) else as_array(x, "values")
    if array.dtype.kind not in "iufb":
        raise DataError(f"values must be numbers. Got {array.dtype} instead.")
    if array.ndim != 2 or not array.size:
        raise DataError(f"values must have two axes, items and columns, none empty. Got shape {array.shape} instead.")
    if columns is not None and array.shape[1] != columns:
        raise DataError(f"values must have {columns} columns. Got {array.shape[1]} instead.")
    values = array.astype(np.float64)
    if not np.isfinite(values).all():
        item, column = np.argwhere(~np.isfinite(values))[0]
        raise DataError(
            "values must be finite; fill in or leave out what is missing first. "
            f"Got {values[item, column]} at item {item}, column {column} instead."
        )
    return np.asarray(values)


def _between_values(column: Floats, choose: Callable[[Floats], Floats]) -> tuple[float, ...]:
    """Each wish moved to the middle between the values around it, so that every threshold separates some.

    A wish that is itself a value goes to the middle above it, or below it for the greatest value.
    """
    different = np.unique(column)
    if len(different) < 2:
        return ()
    scale = np.abs(column).max()  # sums and products of what is at most 1 cannot overflow
    wished = choose(column / scale)
    above = np.clip(np.searchsorted(different / scale, wished, side="right"), 1, len(different) - 1)
    low, high = different[above - 1], different[above]
    middle = low / 2 + high / 2
    middle = np.where((low <= middle) & (middle < high), middle, low)  # where no number lies between
    return tuple(float(value) for value in np.unique(middle))


def _median(column: Floats) -> float:
    return float(np.median(column))


def _clusters(column: Floats) -> float:
    threshold = float(column.mean())
    for _ in range(len(column)):  # it passes values in one direction only
        above = column > threshold
        if not above.any() or above.all():
            break
        middle = float(column[above].mean() / 2 + column[~above].mean() / 2)
        if middle == threshold:
            break
        threshold = middle
    return threshold


def _otsu(column: Floats) -> float:
    ordered = np.sort(column)
    below = np.arange(1, len(ordered))  # how many values a cut leaves below
    sums = np.cumsum(ordered - ordered.mean())[:-1]
    between = sums**2 / (below * (len(ordered) - below))
    possible = ordered[1:] > ordered[:-1]
    return float(ordered[int(np.argmax(np.where(possible, between, -1)))])


def _names(columns: Sequence[str] | None, count: int) -> tuple[str, ...]:
    return checked_names("columns", columns, count) or tuple(f"x{column}" for column in range(count))


def _number(value: Any) -> float:
    if isinstance(value, str | bytes):  # float() reads them
        raise TypeError
    return float(value)


def _brief(value: float, among: Sequence[float]) -> str:
    """The fewest digits that distinguish the thresholds of a column, at least four and those before the point."""
    before = len(f"{abs(value):.0f}") if abs(value) < 1e15 else 0
    for digits in range(max(4, before), 17):
        text = f"{value:.{digits}g}"
        if sum(f"{other:.{digits}g}" == text for other in among) == 1:
            return text
    return repr(value)
