"""Numbers that users pass."""

from __future__ import annotations

import numbers
from collections.abc import Callable

from boolearn.errors import ParameterError


def checked_number(name: str, value: object, rule: str, allowed: Callable[[float], bool]) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not allowed(float(value)):
        raise ParameterError(name, rule, value)
    return float(value)


def checked_integer(name: str, value: object, least: int, most: int | None = None) -> int:
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):  # type: ignore[operator]
        rule = f"an integer, at least {least}" if most is None else f"an integer from {least} to {most}"
        raise ParameterError(name, rule, value)
    return int(value)  # type: ignore[call-overload,no-any-return]
