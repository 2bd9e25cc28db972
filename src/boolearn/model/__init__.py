"""BoolNet: a network with its weights, and the files that hold one."""

from boolearn.model.boolnet import BoolNet
from boolearn.model.random_circuit import random_circuit

__all__ = ["BoolNet", "random_circuit"]
