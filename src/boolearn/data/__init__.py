"""Dataset: what is to be learned. Generators, loaders and data files."""

from boolearn.data.dataset import Dataset, InputKind, OutputKind

__all__ = ["Dataset", "InputKind", "OutputKind"]
