"""Tuning: which settings of a solver solve a problem at the least cost."""

from boolearn.tuning.progress import TuningCallback, describe
from boolearn.tuning.tried import Tried, Tuning
from boolearn.tuning.tuning import tune

__all__ = ["Tried", "Tuning", "TuningCallback", "describe", "tune"]
