"""RRR, the paper's solver: reflect–reflect–relax on all items, or on batches of them."""

from boolearn.solver.rrr.batches import Batch
from boolearn.solver.rrr.schedules import Geometric, Inverse, Linear, Schedule
from boolearn.solver.rrr.solver import RRR

__all__ = ["RRR", "Batch", "Geometric", "Inverse", "Linear", "Schedule"]
