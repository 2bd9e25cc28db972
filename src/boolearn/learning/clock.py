"""How much there is to do, and when to stop."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

_GATE = 40
"""What a visit of a neuron costs besides its rows, in words of 64 rows."""
_FOR_THE_END = 0.1
"""The share of the time that is kept for votes and for training again."""


def cost(rounds: float, neurons: int, rows: int, sweeps: int) -> float:
    """Of a gate search in units of work: visits of neurons times words of rows."""
    return rounds * sweeps * neurons * (_GATE + rows / 64)


def _never() -> bool:
    return False


def _always() -> bool:
    return True


class Clock:
    """Time and Ctrl-C. Nothing is decided by it except to stop."""

    def __init__(self, max_seconds: float | None, interrupted: Callable[[], bool] = _never) -> None:
        self.max_seconds = math.inf if max_seconds is None else max_seconds
        self.interrupted = interrupted
        self.begun = time.perf_counter()
        self.cut = False
        """Something was stopped before its end, and the result depends on when."""

    def __getstate__(self) -> dict[str, Any]:
        """For another process, which has another clock, and which signals to this one do not reach."""
        return {**vars(self), "interrupted": _never, "begun": None, "elapsed": self.seconds}

    def __setstate__(self, state: dict[str, Any]) -> None:
        elapsed = state.pop("elapsed")
        vars(self).update(state, begun=time.perf_counter() - elapsed)

    def interrupt(self) -> None:
        """As Ctrl-C would: for a run inside that has taken it for itself."""
        self.interrupted = _always
        self.cut = True

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.begun

    @property
    def left(self) -> float:
        return self.max_seconds - self.seconds

    def over(self) -> bool:
        """Is there no more time to search? What was found has to be put together yet."""
        if self.interrupted() or self.seconds >= (1 - _FOR_THE_END) * self.max_seconds:
            self.cut = True
            return True
        return False

    @property
    def ended(self) -> bool:
        """Is there no more time for anything?"""
        return self.interrupted() or self.left <= 0


def two_digits(work: float) -> int:
    """Rounded, so that a number of work can be written down and asked for again."""
    if work < 100:
        return max(1, int(work))
    digits = 1 - math.floor(math.log10(work))
    return int(round(work, digits))
