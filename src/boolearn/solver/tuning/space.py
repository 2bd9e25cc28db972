"""What may be tried: fixed values, choices and ranges of β, γ and σ."""

from __future__ import annotations

import itertools
import math
import numbers
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from boolearn.errors import ParameterError

if TYPE_CHECKING:
    from optuna.trial import Trial

_DECADES_TO_ZERO = 3
"""A range from 0 to h is searched by its logarithm from h/1000 on, and at 0 itself."""
_SHARE_OF_ZERO = 0.1
_DIGITS = 3


@dataclass(frozen=True)
class Fixed:
    value: Any


@dataclass(frozen=True)
class Choice:
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Range:
    """Searched by the logarithm: what matters is by which factor a value changes."""

    low: float
    high: float

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


Axis = Fixed | Choice | Range


def axis(name: str, wanted: object, rule: str, allowed: Callable[[float], bool]) -> Axis:
    """A tuple (low, high) is a range, a list is a choice, anything else is fixed."""
    if isinstance(wanted, tuple):
        ends = [float(end) for end in wanted if isinstance(end, float | int | np.number) and not isinstance(end, bool)]
        if len(wanted) != 2 or len(ends) != 2 or not ends[0] < ends[1] or not all(map(allowed, ends)):
            raise ParameterError(name, f"a range (low, high) of two numbers, low < high, {rule}", wanted)
        return Range(*ends)
    if isinstance(wanted, list):
        if not wanted:
            raise ParameterError(name, "a list of at least one value", wanted)
        return Choice(tuple(_one(name, value, rule, allowed) for value in wanted))
    return Fixed(_one(name, wanted, rule, allowed))


def _one(name: str, value: object, rule: str, allowed: Callable[[float], bool]) -> object:
    """A number is looked at here; schedules and values per layer by those who use them."""
    if isinstance(value, np.ndarray):  # settings are compared with each other, and arrays then have no truth value
        value = tuple(value.tolist()) if value.ndim else value.item()
    if callable(value) or (name == "sigma" and isinstance(value, Sequence) and not isinstance(value, str)):
        return value
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not allowed(float(value)):
        raise ParameterError(name, rule, value)
    return float(value)


Setting = dict[str, Any]
"""Values of beta, gamma and sigma, as train takes them."""


@dataclass(frozen=True)
class Space:
    """All settings that may be tried."""

    axes: dict[str, Axis]

    @property
    def size(self) -> int | None:
        """How many settings there are; None when there are ranges."""
        if any(isinstance(axis, Range) for axis in self.axes.values()):
            return None
        return math.prod(len(axis.values) for axis in self.axes.values() if isinstance(axis, Choice))

    def all_settings(self) -> list[Setting]:
        """Every one, where there are no ranges."""
        lists = [axis.values if isinstance(axis, Choice) else (_value(axis),) for axis in self.axes.values()]
        return [dict(zip(self.axes, values, strict=True)) for values in itertools.product(*lists)]

    def suggested(self, trial: Trial) -> Setting:
        """The setting that a sampler proposes."""
        setting: Setting = {}
        for name, axis in self.axes.items():
            if isinstance(axis, Range):
                setting[name] = axis.at(trial.suggest_float(name, 0.0, 1.0))
            elif isinstance(axis, Choice):
                setting[name] = axis.values[trial.suggest_categorical(name, range(len(axis.values)))]
            else:
                setting[name] = axis.value
        return setting

    def parameters_of(self, setting: Setting) -> dict[str, float | int] | None:
        """What a sampler must propose for this setting; None when it is not in the space."""
        found: dict[str, float | int] = {}
        for name, axis in self.axes.items():
            value = setting[name]
            if isinstance(axis, Range):
                if not isinstance(value, numbers.Real) or not axis.low <= float(value) <= axis.high:
                    return None
                found[name] = axis.place_of(float(value))
            elif isinstance(axis, Choice):
                if value not in axis.values:
                    return None
                found[name] = axis.values.index(value)
        return found


def _value(axis: Axis) -> Any:
    assert isinstance(axis, Fixed)
    return axis.value
