"""Tuning: which β, γ and σ solve a problem at the least cost."""

from boolearn.solver.tuning.progress import TuningCallback, describe
from boolearn.solver.tuning.tried import Tried, Tuning
from boolearn.solver.tuning.tuning import tune

__all__ = ["Tried", "Tuning", "TuningCallback", "describe", "tune"]
