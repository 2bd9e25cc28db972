"""Solver: what searches for weights, the loop that drives it, and what that returns.

``contract`` says what a solver is; ``rrr``, ``gates`` and ``turns`` are the solvers; ``starts`` holds the only loop;
``watching`` what is told of its progress.
"""

from boolearn.solver.axes import Choice, Range
from boolearn.solver.contract import Search, Solver
from boolearn.solver.gates import Annealing, Gates
from boolearn.solver.rrr import RRR, Batch, Geometric, Inverse, Linear
from boolearn.solver.run import Outcome, Run, StartSummary, SuccessRate, success_rate
from boolearn.solver.starts import Restarts
from boolearn.solver.status import Status
from boolearn.solver.stopping import Fit, Stagnation, Target
from boolearn.solver.trace import TraceLine
from boolearn.solver.turns import Turns
from boolearn.solver.watching import Callback, CsvTable, JsonLines, ProgressLine, TensorBoard, Tick

__all__ = [
    "RRR",
    "Annealing",
    "Batch",
    "Callback",
    "Choice",
    "CsvTable",
    "Fit",
    "Gates",
    "Geometric",
    "Inverse",
    "JsonLines",
    "Linear",
    "Outcome",
    "ProgressLine",
    "Range",
    "Restarts",
    "Run",
    "Search",
    "Solver",
    "Stagnation",
    "StartSummary",
    "Status",
    "SuccessRate",
    "Target",
    "TensorBoard",
    "Tick",
    "TraceLine",
    "Turns",
    "success_rate",
]
