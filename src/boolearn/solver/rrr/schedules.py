"""Schedules: β and γ as functions of the iteration.

A schedule is evaluated every hundred iterations, at multiples of a hundred, so the result does not depend
on how a run is cut into pieces.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from boolearn.checks import checked_integer, checked_number
from boolearn.errors import ParameterError

EVERY = 100
"""Iterations for which a scheduled value stays the same."""

Schedule = float | Callable[[int], float]
"""A number, or a function of the iteration."""


@dataclass(frozen=True)
class Linear:
    """From ``first`` to ``last`` in equal steps over a number of iterations, and ``last`` from then on."""

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
    """From ``first`` to ``last`` in equal ratios over a number of iterations, and ``last`` from then on."""

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


@dataclass(frozen=True)
class Inverse:
    """``first`` for a number of iterations, then falling as the inverse of the iteration, no lower than ``last``."""

    first: float
    last: float
    over: int

    def __post_init__(self) -> None:
        _check(self.first, self.last, self.over, least=0)
        if self.last > self.first:
            raise ParameterError("last", f"at most 'first', which is {self.first}", self.last)

    def __call__(self, iteration: int) -> float:
        return self.first if iteration <= self.over else max(self.first * self.over / iteration, self.last)

    def __str__(self) -> str:
        return f"inverse:{float(self.first)!r}:{float(self.last)!r}:{self.over}"


_KINDS: dict[str, type[Linear | Geometric | Inverse]] = {"linear": Linear, "geometric": Geometric, "inverse": Inverse}


_RULES: dict[str, tuple[str, Callable[[float], bool]]] = {
    "beta": ("between 0 and 2, both excluded", lambda v: 0 < v < 2),
    "gamma": ("at least 0 and below 1", lambda v: 0 <= v < 1),
}


def value_at(name: str, schedule: Schedule, iteration: int) -> float:
    """What a schedule says for an iteration, checked; ``name`` is "beta" or "gamma"."""
    if not callable(schedule):
        return schedule
    now = iteration - iteration % EVERY
    rule, allowed = _RULES[name]
    return checked_number(name, schedule(now), f"{rule}, also at iteration {now}", allowed)


def checked_schedule(name: str, schedule: Any) -> Schedule:
    """The schedule; a wrong one is better refused now than after an hour."""
    if not callable(schedule):
        return checked_number(name, schedule, *_RULES[name])
    wanted: Schedule = schedule
    try:
        value_at(name, wanted, 0)
    except TypeError as error:
        raise ParameterError(name, f"a number or a function of the iteration ({error})", schedule) from error
    if isinstance(schedule, Linear | Geometric | Inverse):
        checked_number(name, schedule.last, *_RULES[name])
    return wanted


def parse_schedule(name: str, text: str) -> Schedule | Literal["auto"]:
    """A number, "auto", or kind:first:last:over as a command line has it."""
    if text == "auto":
        return "auto"
    kind, *parts = text.split(":")
    try:
        if not parts:
            return float(kind)
        first, last, over = parts
        return _KINDS[kind](float(first), float(last), int(over))
    except (KeyError, ValueError):
        rule = f"a number, auto, or KIND:FIRST:LAST:ITERATIONS with KIND one of {', '.join(_KINDS)}"
        raise ParameterError(name, rule, text) from None


def describe(schedule: Schedule | Literal["auto"]) -> float | str:
    """A schedule as a configuration file can hold it."""
    if not callable(schedule):
        return schedule
    return (
        str(schedule)
        if isinstance(schedule, Linear | Geometric | Inverse)
        else getattr(schedule, "__qualname__", "a function")
    )


def _check(first: float, last: float, over: int, least: float) -> None:
    rule = "finite and at least 0" if least == 0 else "finite and above 0"
    for name, value in (("first", first), ("last", last)):
        checked_number(name, value, rule, lambda v: least <= v < math.inf)
    checked_integer("over", over, 1)
