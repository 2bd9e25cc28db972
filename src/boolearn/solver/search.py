"""Search: whatever looks for weights. The training loop knows nothing else about it."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from boolearn.data.signs import Signs
from boolearn.engine import Progress, Snapshot
from boolearn.solver.status import Status


class Search(Protocol):
    """One way to train. Same seed, same search, however it is cut into pieces."""

    @property
    def status(self) -> Status | None:
        """SOLVED, or why it cannot go on; None while it can."""

    @property
    def fits(self) -> bool:
        """Is what was found good enough, though the search goes on to better it?"""

    def begin(self, seed: int) -> None:
        """Take the random start of a seed."""

    def advance(self, n: int) -> Progress:
        """About ``n`` iterations, at least one; fewer when there is nothing more to do."""

    def weights(self) -> npt.NDArray[np.float64]:
        """Shape (n_weights,): the weights to judge the search by."""

    def codes(self) -> Signs | None:
        """Shape (items, n_inputs): for free inputs, the codes in use for all training items."""

    def doubted_inputs(self) -> npt.NDArray[np.bool_] | None:
        """Shape (items, n_inputs): input bits believed wrong, where some may be."""

    def snapshot(self) -> Snapshot:
        """The whole state."""

    def restore(self, snapshot: Snapshot) -> None:
        """Continue from a state as if nothing had happened in between."""

    def close(self) -> None:
        """Stop what runs in the background."""
