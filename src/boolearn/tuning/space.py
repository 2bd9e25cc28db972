"""What may be tried: every setting is a solver object and a σ."""

from __future__ import annotations

import itertools
import math
import numbers
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boolearn.problem import Sigma
from boolearn.solver.axes import Axis, Choice, Range, axes_of, filled
from boolearn.solver.contract import Solver

if TYPE_CHECKING:
    from optuna.trial import Trial

Values = dict[str, Any]
"""One value for every axis, by name."""


@dataclass(frozen=True)
class Space:
    """A solver, and a σ, in which a Range or Choice stands for some of the values."""

    solver: Solver
    sigma: Sigma | Axis

    @property
    def axes(self) -> dict[str, Axis]:
        found = axes_of(self.solver)
        if isinstance(self.sigma, Range | Choice):
            found["sigma"] = self.sigma
        return found

    def setting(self, values: Values) -> tuple[Solver, Sigma]:
        """The solver and σ with these values."""
        sigma = values["sigma"] if isinstance(self.sigma, Range | Choice) else self.sigma
        return filled(self.solver, values), sigma

    @property
    def size(self) -> int | None:
        """How many settings there are; None when there are ranges."""
        if any(isinstance(axis, Range) for axis in self.axes.values()):
            return None
        return math.prod(len(axis.values) for axis in self.axes.values() if isinstance(axis, Choice))

    def all_values(self) -> list[Values]:
        """Of every setting, where there are no ranges."""
        lists = [axis.values for axis in self.axes.values() if isinstance(axis, Choice)]
        return [dict(zip(self.axes, values, strict=True)) for values in itertools.product(*lists)]

    def first(self) -> Values:
        """The defaults, as far as the space allows them; else the first or middle value."""
        usual = _defaults(self.solver)
        return {name: _nearest_to(usual.get(name), axis) for name, axis in self.axes.items()}

    def ends(self) -> list[Values]:
        """Values among which every one that was given by hand occurs."""
        first = self.first()
        found = [first]
        for name, axis in self.axes.items():
            values = axis.values if isinstance(axis, Choice) else (axis.low, axis.high)
            found += [{**first, name: value} for value in values]
        return found

    def suggested(self, trial: Trial) -> Values:
        """What a sampler proposes."""
        return {
            name: axis.at(trial.suggest_float(name, 0.0, 1.0))
            if isinstance(axis, Range)
            else axis.values[trial.suggest_categorical(name, range(len(axis.values)))]
            for name, axis in self.axes.items()
        }

    def parameters_of(self, values: Values) -> dict[str, float | int] | None:
        """What a sampler must propose for these values; None when they are not in the space."""
        found: dict[str, float | int] = {}
        for name, axis in self.axes.items():
            value = values[name]
            if isinstance(axis, Range):
                if not isinstance(value, numbers.Real) or not axis.low <= float(value) <= axis.high:
                    return None
                found[name] = axis.place_of(float(value))
            elif value not in axis.values:
                return None
            else:
                found[name] = axis.values.index(value)
        return found


def _nearest_to(usual: object, axis: Axis) -> Any:
    if isinstance(axis, Choice):
        return usual if usual in axis.values else axis.values[0]
    inside = isinstance(usual, numbers.Real) and axis.low <= float(usual) <= axis.high
    return usual if inside else axis.at(0.5)


def _defaults(solver: Solver) -> Values:
    parts = getattr(solver, "solvers", (solver,))
    return {name: getattr(type(part)(), name) for part in parts for name in axes_of(part)}
