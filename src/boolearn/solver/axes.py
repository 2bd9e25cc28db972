"""Range and Choice: values to search, in the place of one field of a solver object. For tune."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, TypeVar

import numpy as np

from boolearn.checks import checked_number
from boolearn.errors import ParameterError

_DECADES_TO_ZERO = 3
"""A range from 0 to h is searched by its logarithm from h/1000 on, and at 0 itself."""
_SHARE_OF_ZERO = 0.1
_DIGITS = 3


@dataclass(frozen=True)
class Range:
    """All numbers from ``low`` to ``high``, searched by their logarithm: what matters is a factor."""

    low: float
    high: float

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            value = checked_number(name, getattr(self, name), "finite and at least 0", lambda v: 0 <= v < math.inf)
            object.__setattr__(self, name, value)
        if not self.low < self.high:
            raise ParameterError("low", f"below 'high', which is {self.high}", self.low)

    def at(self, place: float) -> float:
        """The value at a place from 0 to 1, with three digits."""
        low = self.low
        if low == 0:
            if place < _SHARE_OF_ZERO:
                return 0.0
            low = self.high / 10**_DECADES_TO_ZERO
            place = (place - _SHARE_OF_ZERO) / (1 - _SHARE_OF_ZERO)
        value = low * math.pow(self.high / low, place)
        digits = _DIGITS - 1 - math.floor(math.log10(value))
        return min(max(round(value, digits), low), self.high)

    def place_of(self, value: float) -> float:
        """Where a value of the range lies."""
        if self.low > 0:
            return math.log(value / self.low) / math.log(self.high / self.low)
        share = 1 + math.log10(value / self.high) / _DECADES_TO_ZERO if value > 0 else -1.0
        return _SHARE_OF_ZERO + (1 - _SHARE_OF_ZERO) * share if share >= 0 else 0.0


class Choice:
    """One of several values."""

    def __init__(self, *values: Any) -> None:
        if not values:
            raise ParameterError("values", "at least one value", values)
        # Settings are compared with each other, and arrays then have no truth value.
        self.values = tuple(_hashable(value) for value in values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Choice) and self.values == other.values

    def __hash__(self) -> int:
        return hash(self.values)

    def __repr__(self) -> str:
        return f"Choice({', '.join(map(repr, self.values))})"


def _hashable(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value.tolist()
    return tuple(map(_hashable, value)) if isinstance(value, list) else value


Axis = Range | Choice
T = TypeVar("T")


def checked_field(check: Callable[[Any], T], value: Any) -> T | Axis:
    """A field's value, checked; of an axis every value that was written down."""
    if isinstance(value, Range):
        check(value.low), check(value.high)
        return value
    if isinstance(value, Choice):
        return Choice(*(check(one) for one in value.values))
    return check(value)


def axes_of(part: object) -> dict[str, Axis]:
    """The axes among the fields of a solver, and of the solvers it is made of, by their names."""
    return dict(_axes(part))


def check_no_axes(solver: object) -> None:
    """Refuse a Range or Choice where one value is needed."""
    for name, axis in axes_of(solver).items():
        raise ParameterError(name, "one value; a Range or Choice is for tune", axis)


def filled(part: T, values: dict[str, Any]) -> T:
    """The same solver with these values in the place of its axes."""
    if isinstance(part, tuple):
        return type(part)(filled(one, values) for one in part)
    if not is_dataclass(part) or isinstance(part, type | Range):
        return part
    changed = {}
    for field in fields(part):
        old = getattr(part, field.name)
        new = values[field.name] if isinstance(old, Range | Choice) else filled(old, values)
        if new is not old:
            changed[field.name] = new
    return replace(part, **changed) if changed else part


def _axes(part: object) -> Iterator[tuple[str, Axis]]:
    parts = list(part) if isinstance(part, tuple) else []
    if is_dataclass(part) and not isinstance(part, type):
        for field in fields(part):
            value = getattr(part, field.name)
            if isinstance(value, Range | Choice):
                yield field.name, value
            else:
                parts.append(value)
    for one in parts:
        yield from _axes(one)
