"""Transitions: states of a cell and the states that followed them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt

from boolearn.data.contradictions import Contradictions, find_contradictions
from boolearn.data.dataset import checked_names
from boolearn.data.frames import column_names, in_order
from boolearn.data.signs import as_signs, signs_of
from boolearn.errors import DataError, ParameterError

Bits = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Transitions:
    """Pairs of states, one row a pair, one column a variable.

    asynchronous
        Whether at most one variable is updated in a transition. What stays the same in one may then merely not have
        been its turn.
    series
        The series of every transition, by number; transitions of a series stand together, in the order of time. By
        default each transition is a series of its own.
    """

    names: tuple[str, ...]
    before: Bits
    after: Bits
    asynchronous: bool = False
    series: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))

    def __post_init__(self) -> None:
        for when in ("before", "after"):
            states = as_signs(getattr(self, when), f"states {when}")
            if states.ndim != 2 or not states.size:
                raise DataError(f"states {when} must have two axes, none empty. Got shape {states.shape} instead.")
            object.__setattr__(self, when, np.ascontiguousarray(states > 0))
        if self.before.shape != self.after.shape:
            shapes = f"{self.before.shape} and {self.after.shape}"
            raise DataError(f"states before and after must have the same shape. Got {shapes} instead.")
        object.__setattr__(self, "names", checked_names("names", self.names, self.before.shape[1]))
        series = np.asarray(self.series, np.int64)
        object.__setattr__(self, "series", series if series.size else np.arange(len(self.before)))
        if len(self.series) != len(self.before):
            raise DataError(f"series must be one number a transition. Got {len(self.series)} for {len(self.before)}.")
        changed = (self.before != self.after).sum(axis=1)
        if self.asynchronous and changed.max() > 1:
            row = int(changed.argmax())
            raise DataError(
                f"in asynchronous transitions at most 1 variable changes. Got {changed[row]} changes in number {row}."
            )

    @classmethod
    def from_series(
        cls, series: Iterable[npt.ArrayLike], names: Sequence[str] | None = None, *, asynchronous: bool = False
    ) -> Transitions:
        """From several time series, each of shape (times, variables): every state leads to the next one.

        Data frames give their columns' names to the variables, and are matched by them.
        """
        series = list(series)
        if names is None:
            names = next((found for one in series if (found := column_names(one)) is not None), None)
        states = [_checked_series(in_order(one, names), number) for number, one in enumerate(series)]
        if not states or len({one.shape[1] for one in states}) > 1:
            raise ParameterError("series", "one or more series of the same variables", [one.shape for one in states])
        before, after = (np.concatenate([one[part] for one in states]) for part in (slice(-1), slice(1, None)))
        known = tuple(names) if names is not None else tuple(f"x{k}" for k in range(before.shape[1]))
        number = np.repeat(np.arange(len(states)), [len(one) - 1 for one in states])
        return cls(known, before, after, asynchronous, number)

    def __len__(self) -> int:
        return len(self.before)

    def take(self, rows: npt.NDArray[np.intp] | slice) -> Transitions:
        return Transitions(self.names, self.before[rows], self.after[rows], self.asynchronous, self.series[rows])

    @cached_property
    def contradictions(self) -> Contradictions:
        """Transitions whose state is also followed by another one, which no function explains.

        Asynchronous ones contradict nothing: a state has several successors there.
        """
        if self.asynchronous:
            return Contradictions(0, 0)
        return find_contradictions(signs_of(self.before), signs_of(self.after))

    @cached_property
    def constant(self) -> tuple[str, ...]:
        """Variables that never change their value."""
        both = np.concatenate([self.before, self.after])
        return tuple(np.array(self.names)[(both == both[0]).all(axis=0)].tolist())

    def __repr__(self) -> str:
        kind = "asynchronous " if self.asynchronous else ""
        return f"Transitions({len(self)} {kind}transitions of {len(self.names)} variables)"


def _checked_series(states: npt.ArrayLike, number: int) -> Bits:
    signs = as_signs(states, f"series {number}")
    if signs.ndim != 2 or len(signs) < 2:
        raise DataError(f"a series must have at least 2 states, one a row. Got shape {signs.shape} in series {number}.")
    return np.asarray(signs > 0)
