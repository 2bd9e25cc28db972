"""Restarts: how many random starts, and how they share the budget and the cores."""

from __future__ import annotations

from dataclasses import dataclass

from boolearn.checks import checked_integer
from boolearn.errors import ParameterError
from boolearn.problem import Problem
from boolearn.solver.contract import Solver

_SMALL = 200_000
"""Edges times items below which a start is better off with one core of its own."""


@dataclass(frozen=True)
class Restarts:
    """Up to ``count`` starts, with the seeds ``seed``, ``seed + 1``, …; the first that is solved ends the run."""

    count: int = 1
    all: bool = False
    """Run all of them, also after one is solved."""
    halving: int | None = None
    """With η: give all starts a small budget, continue with the better 1/η of them, and so on."""
    side_by_side: bool | None = None
    """Whether starts share the cores, one each; by default they do when the problem is small. The outcome is
    the same."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "count", checked_integer("restarts", self.count, 1))
        if not isinstance(self.all, bool):
            raise ParameterError("all", "True or False", self.all)
        if self.side_by_side is not None and not isinstance(self.side_by_side, bool):
            raise ParameterError("side_by_side", "True, False or None", self.side_by_side)
        if self.halving is not None:
            object.__setattr__(self, "halving", checked_integer("halving", self.halving, 2))
            if self.all:
                raise ParameterError("all", "False with 'halving', which abandons most starts", self.all)

    def workers(self, solver: Solver, problem: Problem, cores: int) -> int:
        """How many starts run at the same time. Small problems gain nothing from several threads each."""
        if self.count == 1 or self.side_by_side is False or not solver.compiled:
            return 1
        if self.side_by_side is None and problem.network.n_edges * solver.held(problem).n_items > _SMALL:
            return 1
        return min(self.count, cores)
