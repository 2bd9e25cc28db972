"""Starts: the only loop, and how several starts share the budget and the cores."""

from boolearn.solver.starts.budget import Budget
from boolearn.solver.starts.restarts import Restarts

__all__ = ["Budget", "Restarts"]
