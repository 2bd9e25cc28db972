"""Budget: when a start ends without a solution, and how often it is measured."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from boolearn.checks import checked_integer, checked_number
from boolearn.errors import ParameterError
from boolearn.solver.status import Status
from boolearn.solver.stopping import Fit, StopRule, Target, stop_rules
from boolearn.solver.trace import DEFAULT_RATIO

DEFAULT_ITERATIONS = 100_000
MOST_ITERATIONS = 10**15


@dataclass(frozen=True)
class Budget:
    """Of one start."""

    max_iter: int | None = None
    max_seconds: float | None = None
    stop: tuple[StopRule, ...] = ()
    trace_ratio: float = DEFAULT_RATIO
    rung: bool = False
    """The start is compared with others at the end of ``max_iter``, so there it is measured in any case."""

    @classmethod
    def checked(
        cls,
        max_iter: int | None,
        max_seconds: float | None,
        stop: str | StopRule | Sequence[StopRule],
        trace_ratio: float,
        *,
        noise: float,
        tested: bool,
    ) -> Budget:
        """What a user asks for. ``tested``: are there items kept back to test on?"""
        if max_iter is None and max_seconds is None:
            max_iter = DEFAULT_ITERATIONS
        if max_iter is not None:
            max_iter = checked_integer("max_iter", max_iter, 1, MOST_ITERATIONS)
        if max_seconds is not None:
            max_seconds = checked_number("max_seconds", max_seconds, "finite and above 0", lambda v: 0 < v < math.inf)
        ratio = checked_number("trace_ratio", trace_ratio, "finite and above 1", lambda v: 1 < v < math.inf)
        rules = stop_rules(stop, noise)
        if not tested and any(isinstance(rule, Target) for rule in rules):
            raise ParameterError(
                "stop", "without a target where no items are kept back; say how many with 'items'", stop
            )
        return cls(max_iter, max_seconds, rules, ratio)

    @property
    def until_fit(self) -> bool:
        """Is a fit of the training items all that is asked for?"""
        return any(isinstance(rule, Fit) for rule in self.stop)

    def ended(self, done: int, seconds: float) -> Status | None:
        if self.max_iter is not None and done >= self.max_iter:
            return Status.BUDGET
        if self.max_seconds is not None and seconds >= self.max_seconds:
            return Status.TIME
        return None
