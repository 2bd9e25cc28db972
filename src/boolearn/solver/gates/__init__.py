"""Gates: a search among circuits of small gates instead of weights."""

from boolearn.solver.gates.annealing import Annealing
from boolearn.solver.gates.solver import Gates

__all__ = ["Annealing", "Gates"]
