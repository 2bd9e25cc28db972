"""Batch mode: only some of the training items are in the solver at a time.

Items enter in the order of the data, over and over. In the protocol "whole" all of them are replaced
after every so many iterations; in "oldest" the one that has been in the longest makes room for the
next, evenly spread, so that every item stays for that many iterations too.

Elser & Lal, "Batch mode".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from boolearn.data import Dataset
from boolearn.errors import ParameterError

BatchRule = Literal["whole", "oldest"]
BATCH_RULES = get_args(BatchRule)
ITERATIONS_PER_ITEM = 4
"""For how many iterations an item stays, per item of the batch, unless told otherwise: the paper's ratio."""

RENEWAL = 2000
"""With an allowance for wrong output bits, all items begin anew after so many iterations.

RRR moves y at an output only where A and B disagree there, from the data's bit away from the flipped one, and
seldom back; a bit that is wrong in the data would hardly ever come to be held flipped. A forward pass puts y where
the network thinks it is.
"""


@dataclass(frozen=True)
class Batches:
    """Which items are in when. Time is counted in iterations."""

    dataset: Dataset
    size: int
    iterations: int
    rule: BatchRule = "whole"

    def __post_init__(self) -> None:
        if not 1 <= self.size <= len(self.dataset):
            raise ParameterError("batch", f"from 1 to {len(self.dataset)}, the training items", self.size)
        if self.iterations < 1:
            raise ParameterError("batch_iter", "an integer of at least 1", self.iterations)

    @classmethod
    def renewing(cls, dataset: Dataset) -> Batches:
        """All items are in, and from time to time all begin anew."""
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
