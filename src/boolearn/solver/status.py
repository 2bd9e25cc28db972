"""How a start ended, each with advice."""

from __future__ import annotations

import enum


class Status(enum.Enum):
    """Outcomes are values, not exceptions."""

    SOLVED = "The gap is closed; unless gap_tol was raised, every training item is right, within the noise allowed."
    FIT = "Every training bit is right, within the noise allowed; the gap is still open."
    TARGET = "The accuracy on the items kept back reached the target."
    BUDGET = (
        "The gap is still open after max_iter iterations; raise max_iter, widen the network or, for RRR, raise sigma."
    )
    TIME = "The gap is still open after max_seconds; raise max_seconds, widen the network or, for RRR, raise sigma."
    STAGNATED = "Neither accuracy nor gap improved for long; try another seed, a wider network or a larger sigma."
    DROPPED = "Abandoned for starts that were better after as many iterations."
    INTERRUPTED = "Stopped before its end; the model is the best one found so far."
    DIVERGED = "The variables are no longer finite; lower beta."

    @property
    def word(self) -> str:
        """The status in one lower-case word, for files and tables."""
        return self.name.lower()

    @property
    def solved(self) -> bool:
        return self in (Status.SOLVED, Status.FIT, Status.TARGET)

    @property
    def final(self) -> bool:
        """Would a larger budget change nothing?"""
        return self not in (Status.BUDGET, Status.TIME, Status.INTERRUPTED)
