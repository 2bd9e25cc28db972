"""Solver: the only loop, what it returns, and what may look on."""

from boolearn.solver.callbacks import Callback, Tick
from boolearn.solver.run import Run, Start, SuccessRate, success_rate
from boolearn.solver.status import Status
from boolearn.solver.trace import Checkpoint
from boolearn.solver.training import train
from boolearn.solver.tuning import Tried, Tuning, TuningCallback, tune

__all__ = [
    "Callback",
    "Checkpoint",
    "Run",
    "Start",
    "Status",
    "SuccessRate",
    "Tick",
    "Tried",
    "Tuning",
    "TuningCallback",
    "success_rate",
    "train",
    "tune",
]
