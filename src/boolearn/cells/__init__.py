"""Boolean networks of cells: each variable's next state is a Boolean function of a few others.

Each module imports only from those above it in this list.

expressions, network, bnet, sbml
    Formulas, networks of update functions and their files.
transitions, series
    States and the states after them, from arrays and from CSV files.
regulators, best_fit, delays, rule, many
    Which variables regulate one, without and with errors in the data, and by which function.
inference, infer, page
    All of it together.
attractor, drawing
    Where a network ends, and pictures.
"""

from boolearn.cells.attractor import Attractor, attractors
from boolearn.cells.bnet import read_bnet, write_bnet
from boolearn.cells.drawing import draw_attractors, draw_regulations
from boolearn.cells.infer import infer_network
from boolearn.cells.inference import Inference, InferredRule
from boolearn.cells.network import CellNetwork
from boolearn.cells.series import read_possible, read_series
from boolearn.cells.transitions import Transitions

__all__ = [
    "Attractor",
    "CellNetwork",
    "Inference",
    "InferredRule",
    "Transitions",
    "attractors",
    "draw_attractors",
    "draw_regulations",
    "infer_network",
    "read_bnet",
    "read_possible",
    "read_series",
    "write_bnet",
]
