"""Solver: the only loop, what it returns, what may look on, and what may end or steer it."""

from boolearn.solver.callbacks import Callback, Tick
from boolearn.solver.recorders import CsvTable, JsonLines
from boolearn.solver.run import Run, Start, SuccessRate, success_rate
from boolearn.solver.schedules import Geometric, Linear
from boolearn.solver.status import Status
from boolearn.solver.stopping import Fit, Stagnation, Target
from boolearn.solver.tensorboard import TensorBoard
from boolearn.solver.trace import Checkpoint
from boolearn.solver.training import train
from boolearn.solver.tuning import Tried, Tuning, TuningCallback, tune

__all__ = [
    "Callback",
    "Checkpoint",
    "CsvTable",
    "Fit",
    "Geometric",
    "JsonLines",
    "Linear",
    "Run",
    "Stagnation",
    "Start",
    "Status",
    "SuccessRate",
    "Target",
    "TensorBoard",
    "Tick",
    "Tried",
    "Tuning",
    "TuningCallback",
    "success_rate",
    "train",
    "tune",
]
