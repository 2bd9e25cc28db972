"""BoolNet: a network with its weights, and the files that hold one."""

from boolearn.model.boolnet import BoolNet
from boolearn.model.generator import Generator
from boolearn.model.growing import grow
from boolearn.model.random_model import random_model

__all__ = ["BoolNet", "Generator", "grow", "random_model"]
