"""Stop rules: reasons, seen in a start's trace, to end it before its budget does.

A rule is a function of the trace so far, and of nothing else: a run that is resumed stops where it would have
stopped.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from boolearn.checks import checked_integer, checked_number
from boolearn.errors import ParameterError
from boolearn.solver.status import Status
from boolearn.solver.trace import TraceLine

Trace = Sequence[TraceLine]
StopRule = Callable[[Trace], Status | None]


@dataclass(frozen=True)
class Fit:
    """Every training bit (but a share ``allowed``) was right at the last ``times`` trace lines."""

    times: int = 1
    allowed: float = 0.0

    def __post_init__(self) -> None:
        checked_integer("times", self.times, 1)
        checked_number("allowed", self.allowed, "at least 0 and below 1", lambda v: 0 <= v < 1)

    def __call__(self, trace: Trace) -> Status | None:
        last = trace[-self.times :]
        right = all(line.train_accuracy >= 1 - self.allowed - 1e-12 for line in last)
        return Status.FIT if right and len(last) == self.times else None

    def __str__(self) -> str:
        text = "fit" if self.times == 1 else f"fit={self.times}"
        return text if not self.allowed else f"{text} allowing {float(self.allowed)!r}"


@dataclass(frozen=True)
class Target:
    """The accuracy on the items kept back from training reached a target."""

    accuracy: float

    def __post_init__(self) -> None:
        checked_number("accuracy", self.accuracy, "above 0 and at most 1", lambda v: 0 < v <= 1)

    def __call__(self, trace: Trace) -> Status | None:
        found = trace[-1].test_accuracy
        return Status.TARGET if found is not None and found >= self.accuracy else None

    def __str__(self) -> str:
        return f"target={float(self.accuracy)!r}"


@dataclass(frozen=True)
class Stagnation:
    """Neither the best training accuracy nor the least gap improved while iterations grew by a factor.

    A gap that shrinks by less than a hundredth counts as no better. The first thousand iterations are free.
    """

    factor: float = 3.0

    def __post_init__(self) -> None:
        checked_number("factor", self.factor, "finite and above 1", lambda v: 1 < v < math.inf)

    def __call__(self, trace: Trace) -> Status | None:
        since = max(trace[-1].iteration / self.factor, 1000)
        early = [line for line in trace if line.iteration <= since]
        late = [line for line in trace if line.iteration > since]
        if not early or not late:
            return None
        better = max(line.train_accuracy for line in late) > max(line.train_accuracy for line in early)
        closer = late[-1].least_gap < 0.99 * early[-1].least_gap
        enough = trace[-1].iteration >= self.factor * 1000
        return Status.STAGNATED if enough and not better and not closer else None

    def __str__(self) -> str:
        return f"stagnation={float(self.factor)!r}"


def stop_rules(stop: str | StopRule | Sequence[StopRule], allowed: float = 0.0) -> tuple[StopRule, ...]:
    """The rules that are meant: rules, or words such as "fit", "fit=3", "target=0.99" or "fit,stagnation=3"."""
    if isinstance(stop, str):
        words = [_rule(word.strip(), stop, allowed) for word in stop.split(",")]
        return tuple(rule for rule in words if rule is not None)
    rules: tuple[StopRule, ...] | None = None
    if callable(stop):
        rules = (stop,)
    elif isinstance(stop, list | tuple):
        rules = tuple(stop)
    if rules is None or not all(callable(rule) for rule in rules):
        raise ParameterError("stop", "words, a rule or several rules", stop)
    return rules


def describe_rule(rule: StopRule) -> str:
    """A rule as a configuration file can hold it."""
    return str(rule) if isinstance(rule, Fit | Target | Stagnation) else getattr(rule, "__qualname__", "a rule")


def checked_verdict(rule: StopRule, verdict: object) -> Status:
    """What a rule said, if it is a way for a start to end."""
    if not isinstance(verdict, Status) or not verdict.final:
        endings = ", ".join(f"Status.{status.name}" for status in Status if status.final)
        raise ParameterError("stop", f"rules that return None or one of {endings}", f"{describe_rule(rule)}: {verdict}")
    return verdict


def _rule(word: str, stop: str, allowed: float) -> StopRule | None:
    name, _, number = word.partition("=")
    try:
        if word == "gap":  # always in force
            return None
        if name == "fit":
            return Fit(int(number) if number else 1, allowed)
        if name == "target":
            return Target(float(number))
        if name == "stagnation":
            return Stagnation(float(number)) if number else Stagnation()
    except ValueError:  # no number, or one outside its range
        pass
    words = "'gap', 'fit', 'fit=TIMES', 'target=ACCURACY', 'stagnation=FACTOR' or several with commas"
    raise ParameterError("stop", words, stop)
