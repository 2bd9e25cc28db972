"""Restarts: how many random starts, and how they share the budget and the cores."""

from __future__ import annotations

import math
from dataclasses import dataclass

from boolearn.checks import checked_integer, checked_number
from boolearn.errors import ParameterError
from boolearn.problem import Problem
from boolearn.solver.contract import Solver
from boolearn.solver.starts.budget import MOST_ITERATIONS

_SMALL = 200_000
"""Edges times items below which a start is better off with one core of its own."""

FIRST_PER_EDGE = 64
"""With growing limits: iterations of the first start for each edge of the network."""


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
    growing: float | None = None
    """With a factor: the first start gets few iterations, 64 for each edge of the network, and each further one gets
    this many times as many as the one before, up to ``max_iter``."""

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
        if self.growing is not None:
            growing = checked_number("growing", self.growing, "finite and at least 1", lambda v: 1 <= v < math.inf)
            object.__setattr__(self, "growing", growing)
            if self.halving is not None:
                raise ParameterError("growing", "None with 'halving', which has limits of its own", growing)

    def limit(self, number: int, edges: int, max_iter: int | None) -> int | None:
        """The most iterations of a start, counted from 0."""
        if self.growing is None:
            return max_iter
        most = MOST_ITERATIONS if max_iter is None else max_iter
        limit = float(FIRST_PER_EDGE * edges)
        for _ in range(number):
            if limit >= most or self.growing == 1:
                break
            limit *= self.growing
        return min(most, round(limit))

    def workers(self, solver: Solver, problem: Problem, cores: int) -> int:
        """How many starts run at the same time. Small problems gain nothing from several threads each."""
        if self.count == 1 or self.side_by_side is False or not solver.compiled:
            return 1
        if self.side_by_side is None and problem.network.n_edges * solver.held(problem).n_items > _SMALL:
            return 1
        return min(self.count, cores)
