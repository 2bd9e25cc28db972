"""Every error a user of boolearn can meet. Their messages name the thing, the rule and the value."""

from __future__ import annotations

import os
from pathlib import Path

_LONGEST_VALUE = 200


class BoolearnError(Exception):
    """The base of all errors raised on purpose by this package."""


class FileError(BoolearnError, ValueError):
    """A file cannot be read or written, or does not hold what its kind promises."""

    def __init__(self, path: str | os.PathLike[str], line: int | None, message: str) -> None:
        self.path = Path(path)
        self.line = line
        self.message = message
        where = f"{self.path}:{line}" if line is not None else f"{self.path}"
        super().__init__(f"{where}: {message}")


class DataError(BoolearnError, ValueError):
    """Arrays that cannot be a data set, or do not fit the network they are used with."""


class NetworkError(BoolearnError, ValueError):
    """Wiring that is not a legal network."""


class CircuitError(BoolearnError, ValueError):
    """A circuit that cannot be made from what is given, or an expression that is not one."""


class ParameterError(BoolearnError, ValueError):
    """A parameter outside its range."""

    def __init__(self, name: str, rule: str, value: object) -> None:
        self.name = name
        super().__init__(f"The {name!r} parameter must be {rule}. Got {_brief(value)} instead.")


def _brief(value: object) -> str:
    """A value as a message shows it: on one line, and never too long."""
    text = repr(value)
    text = " ".join(text.split()) if "\n" in text else text
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


class UnknownParameterError(ParameterError):
    """A parameter that nobody has, or that somebody else has."""

    def __init__(self, name: str, message: str) -> None:
        self.name = name
        Exception.__init__(self, message)


class MissingExtraError(BoolearnError, ImportError):
    """A feature needs packages that come with an extra."""

    def __init__(self, feature: str, extra: str) -> None:
        self.extra = extra
        super().__init__(f"{feature} needs an extra: pip install 'boolearn[{extra}]'.")
