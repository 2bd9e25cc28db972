"""Reading what people type."""

from __future__ import annotations

from boolearn.errors import ParameterError


def number_list(name: str, text: str) -> float | list[float]:
    """``3`` or ``3,3,5``."""
    try:
        numbers = [float(part) for part in text.split(",")]
    except ValueError:
        raise ParameterError(name, "a number or numbers with commas between them", text) from None
    return numbers[0] if len(numbers) == 1 else numbers


def whole_list(name: str, text: str) -> list[int]:
    """``4,4,4``."""
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise ParameterError(name, "whole numbers with commas between them", text) from None
