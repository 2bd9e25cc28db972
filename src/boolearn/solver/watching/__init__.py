"""Watching: callbacks, the progress line, and recorders that write what happens to files."""

from boolearn.solver.watching.callbacks import Callback, Tick
from boolearn.solver.watching.progress import ProgressLine
from boolearn.solver.watching.recorders import CsvTable, JsonLines
from boolearn.solver.watching.tensorboard import TensorBoard

__all__ = ["Callback", "CsvTable", "JsonLines", "ProgressLine", "TensorBoard", "Tick"]
