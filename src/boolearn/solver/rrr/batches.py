"""Batch mode: only some of the training items are in the solver at a time.

Items enter in the order of the data, again and again. With the rule "whole" all of them are replaced
after a fixed number of iterations; with "oldest" the one that has been in the longest makes room for the
next, evenly spread, so that every item stays for that number of iterations too.

Elser & Lal, "Batch mode".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from boolearn.checks import checked_integer
from boolearn.data import Dataset
from boolearn.errors import ParameterError

BatchRule = Literal["whole", "oldest"]
BATCH_RULES = get_args(BatchRule)
ITERATIONS_PER_ITEM = 4
"""How many iterations an item stays by default, per item of the batch: the paper's ratio."""

RENEWAL = 2000
"""Where output bits may be wrong, iterations after which all items start again from a forward pass.

RRR moves y at an output only where A and B disagree there, from the data's bit away from the flipped one, and
seldom back; a bit that is wrong in the data would hardly ever be held flipped. A forward pass puts y where
the network thinks it is.
"""


@dataclass(frozen=True)
class Batch:
    """Hold ``size`` of the training items in the solver at a time."""

    size: int
    iterations: int | None = None
    """How long each stays; by default four iterations per item of the batch."""
    rule: BatchRule = "whole"
    """"whole": all items are replaced at once. "oldest": one after another."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", checked_integer("batch", self.size, 1))
        if self.iterations is not None:
            object.__setattr__(self, "iterations", checked_integer("batch_iter", self.iterations, 1))
        if self.rule not in BATCH_RULES:
            raise ParameterError("batch_rule", "'whole' or 'oldest'", self.rule)

    @property
    def stay(self) -> int:
        """Iterations for which an item stays."""
        return ITERATIONS_PER_ITEM * self.size if self.iterations is None else self.iterations


@dataclass(frozen=True)
class Batches:
    """Which items are in the solver when. Time is counted in iterations."""

    dataset: Dataset
    size: int
    iterations: int
    rule: BatchRule = "whole"

    @classmethod
    def of(cls, batch: Batch, dataset: Dataset) -> Batches:
        if batch.size > len(dataset):
            raise ParameterError("batch", f"an integer from 1 to {len(dataset)}, the training items", batch.size)
        return cls(dataset, batch.size, batch.stay, batch.rule)

    @classmethod
    def renewing(cls, dataset: Dataset) -> Batches:
        """All items are in, and every now and then each starts again from a forward pass."""
        return cls(dataset, len(dataset), RENEWAL)

    @property
    def whole_data(self) -> bool:
        """Are all items in, each always in its own place?"""
        return self.size == len(self.dataset)

    def entered(self, time: int) -> int:
        """How many items have come in after the first batch."""
        if self.rule == "whole":
            return self.size * (time // self.iterations)
        return time * self.size // self.iterations

    def next_change(self, time: int) -> int:
        """The next time at which items come in."""
        if self.rule == "whole":
            return (time // self.iterations + 1) * self.iterations
        return -(-(self.entered(time) + 1) * self.iterations // self.size)

    def items(self, first: int, count: int) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
        """Which items of the data come in from the ``first`` on; the first batch counts as well."""
        return np.arange(first, first + count) % len(self.dataset)
