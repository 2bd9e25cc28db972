"""Training: the way in. ``train`` checks what the user asks for, runs the starts and returns a Run."""

from boolearn.runs import Checkpoints
from boolearn.training.parameters import Noise
from boolearn.training.stages import train_in_stages
from boolearn.training.train import train

__all__ = ["Checkpoints", "Noise", "train", "train_in_stages"]
