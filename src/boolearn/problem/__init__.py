"""Problem: the constraint sets A (divide) and B (concur) of a training task with their projections, one idea a file."""

from boolearn.problem.margins import Sigma, margins
from boolearn.problem.problem import Problem, check_fit

__all__ = ["Problem", "Sigma", "check_fit", "margins"]
