"""Schedules: β and γ as functions of the iteration.

A schedule is looked at every hundred iterations, at multiples of a hundred, so what is computed does
not depend on how a run is cut into pieces.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from dataclasses import dataclass

from boolearn.checks import checked_integer, checked_number
from boolearn.errors import ParameterError

EVERY = 100
"""Iterations for which a scheduled value stays the same."""

Schedule = float | Callable[[int], float]
"""A number, or a function of the iteration."""


@dataclass(frozen=True)
class Linear:
    """From ``first`` to ``last`` in equal steps over so many iterations, and ``last`` from then on."""

    first: float
    last: float
    over: int

    def __post_init__(self) -> None:
        _check(self.first, self.last, self.over, least=0)

    def __call__(self, iteration: int) -> float:
        return self.last if iteration >= self.over else self.first + (self.last - self.first) * iteration / self.over

    def __str__(self) -> str:
        return f"linear:{float(self.first)!r}:{float(self.last)!r}:{self.over}"


@dataclass(frozen=True)
class Geometric:
    """From ``first`` to ``last`` in equal ratios over so many iterations, and ``last`` from then on."""

    first: float
    last: float
    over: int

    def __post_init__(self) -> None:
        _check(self.first, self.last, self.over, least=math.nextafter(0, 1))

    def __call__(self, iteration: int) -> float:
        if iteration >= self.over:
            return self.last
        return float(self.first * (self.last / self.first) ** (iteration / self.over))

    def __str__(self) -> str:
        return f"geometric:{float(self.first)!r}:{float(self.last)!r}:{self.over}"


def value_at(schedule: Schedule, iteration: int) -> float:
    """What a schedule says for an iteration."""
    return float(schedule(iteration - iteration % EVERY)) if callable(schedule) else schedule


def checked_schedule(name: str, schedule: object, rule: str, allowed: Callable[[float], bool]) -> Schedule:
    """The schedule; what it says is checked, now for the first iteration and later as it is used."""
    if callable(schedule):
        guarded = _Guarded(name, schedule, rule, allowed)
        guarded(0)  # a wrong one is better refused now than after an hour
        if isinstance(schedule, Linear | Geometric):
            guarded(schedule.over)
        return guarded
    if isinstance(schedule, bool) or not isinstance(schedule, numbers.Real) or not allowed(float(schedule)):
        raise ParameterError(name, rule, schedule)
    return float(schedule)


def parse_schedule(name: str, text: str) -> Schedule:
    """A number, or kind:first:last:over as a command line has it."""
    kinds: dict[str, type[Linear] | type[Geometric]] = {"linear": Linear, "geometric": Geometric}
    kind, *parts = text.split(":")
    try:
        if not parts:
            return float(kind)
        first, last, over = parts
        return kinds[kind](float(first), float(last), int(over))
    except (KeyError, ValueError):
        rule = "a number, linear:FIRST:LAST:ITERATIONS or geometric:FIRST:LAST:ITERATIONS"
        raise ParameterError(name, rule, text) from None


def describe(schedule: Schedule) -> float | str:
    """A schedule as a configuration file can hold it."""
    if not callable(schedule):
        return schedule
    wanted = schedule.schedule if isinstance(schedule, _Guarded) else schedule
    return str(wanted) if isinstance(wanted, Linear | Geometric) else getattr(wanted, "__qualname__", "a function")


@dataclass(frozen=True)
class _Guarded:
    """A schedule of which every value is checked before it is used."""

    name: str
    schedule: Callable[[int], float]
    rule: str
    allowed: Callable[[float], bool]

    def __call__(self, iteration: int) -> float:
        value: object = self.schedule(iteration)
        if not isinstance(value, numbers.Real) or not self.allowed(float(value)):
            raise ParameterError(self.name, f"{self.rule}, also at iteration {iteration}", value)
        return float(value)


def _check(first: float, last: float, over: int, least: float) -> None:
    rule = "finite and at least 0" if least == 0 else "finite and above 0"
    for name, value in (("first", first), ("last", last)):
        checked_number(name, value, rule, lambda v: least <= v < math.inf)
    checked_integer("over", over, 1)
