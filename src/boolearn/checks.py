"""Checks of parameters, with errors that say what they must be."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Collection, Iterable
from typing import TypeGuard

import numpy as np

from boolearn.errors import ParameterError

MOST_VALUES = 1 << 28
"""The most values that a generator makes; a larger number is probably a mistake."""


def checked_number(name: str, value: object, rule: str, allowed: Callable[[float], bool]) -> float:
    """The value as a plain float, or a ParameterError with the rule."""
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not allowed(float(value)):
        raise ParameterError(name, rule, value)
    return float(value)


def is_integer(value: object) -> TypeGuard[int]:
    """Is this a whole number, Python's or NumPy's? A truth value is not."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def checked_integer(name: str, value: object, least: int, most: int | None = None) -> int:
    """The value as a plain int, or a ParameterError that says what it must be."""
    rule = f"an integer of at least {least}" if most is None else f"an integer from {least} to {most}"
    if not is_integer(value) or value < least or (most is not None and value > most):
        raise ParameterError(name, rule, value)
    return int(value)


def checked_integers(name: str, values: Iterable[int], least: int, rule: str) -> tuple[int, ...]:
    """Several values as plain ints; ``rule`` says what they must be, in the error for a single value."""
    try:
        several = tuple(values)
    except TypeError:
        raise ParameterError(name, rule, values) from None
    return tuple(checked_integer(name, one, least) for one in several)


def checked_room(name: str, value: int, times: int) -> int:
    """The value, if data with ``times`` values for each fit into an ordinary memory."""
    if value * times > MOST_VALUES:
        raise ParameterError(name, f"small enough for {MOST_VALUES} values in all, at {times} for each", value)
    return value


def checked_choice(name: str, value: str, choices: Collection[str]) -> str:
    """The value, if it is one of the choices."""
    if not isinstance(value, str) or value not in choices:
        raise ParameterError(name, "one of " + ", ".join(repr(choice) for choice in choices), value)
    return value


def generator(seed: int) -> np.random.Generator:
    """All randomness comes from the seed, so that the same seed gives the same data anywhere."""
    return np.random.default_rng(checked_integer("seed", seed, 0))
