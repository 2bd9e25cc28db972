"""Checkpoint: where a start stands. All that is needed to resume it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from boolearn.engine import Progress, Snapshot
from boolearn.errors import DataError
from boolearn.solver.starts.budget import Budget
from boolearn.solver.starts.measure import Measured
from boolearn.solver.status import Status
from boolearn.solver.trace import TraceLine


@dataclass(frozen=True)
class Checkpoint:
    """The state of a start between two iterations."""

    seed: int
    status: Status | None
    """None while it is running."""
    seconds: float
    progress: Progress
    """The gaps of the last iteration, and the number of iterations in all."""
    trace: tuple[TraceLine, ...]
    best: Measured | None
    search: Snapshot
    """Empty when the start has ended and no budget would change that."""
    max_iter: int | None = None
    """The budget it was running with."""

    def passed(self, limit: int) -> bool:
        """Has it continued, with a larger budget, from where it was measured after ``limit`` iterations?"""
        further = self.max_iter is not None and self.max_iter > limit
        return further and self.best is not None and any(line.iteration >= limit for line in self.trace)

    def cut_short(self, budget: Budget) -> bool:
        """Did it end for lack of a budget that it now has, with no state to resume? Then it is run again."""
        # Older checkpoints of several starts have no state of one that its time has cut off.
        used_up = self.status in (Status.BUDGET, Status.TIME)
        return used_up and not self.search and budget.ended(self.progress.iterations, self.seconds) is None


def check_alike(snapshot: Snapshot, own: Snapshot) -> None:
    """Refuse a snapshot whose arrays are not those that a search of this problem has."""
    for name in sorted({*snapshot, *own}):
        theirs, mine = (f"{a[name].dtype} {a[name].shape}" if name in a else "nothing" for a in (snapshot, own))
        if theirs != mine:
            raise DataError(f"{name!r} must be {mine}. Got {theirs} instead.")


class Keeper(Protocol):
    """Keeps the checkpoints of one start, on disk for example."""

    @property
    def extendable(self) -> bool:
        """Is a start that used up its iterations kept so that it can be resumed with more? One that its time has cut
        off always is, for where it then stands depends on the machine."""

    def due(self) -> bool:
        """Is it time for the next checkpoint?"""

    def keep(self, checkpoint: Checkpoint) -> None: ...


class Keepers(Protocol):
    """Keeps the checkpoints of all starts of a run."""

    def keeper(self, number: int, extendable: bool) -> Keeper:
        """What keeps those of one start."""

    def load(self, number: int, seed: int) -> Checkpoint | None:
        """The last one of a start; None where there is none yet."""

    def refuse(self, number: int, error: Exception) -> Exception:
        """The error to raise for a checkpoint that does not belong to this run."""
