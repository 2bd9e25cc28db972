"""BoolNet: a network with its weights, and the files that hold one."""

from boolearn.model.boolnet import BoolNet

__all__ = ["BoolNet"]
