"""Which of many candidates: the smallest that is not clearly worse than the best."""

from __future__ import annotations

import math
from collections.abc import Sequence

from boolearn.learning.found import Found

FEW_ROWS = 200
"""Validation rows below which chance has the most to say about which of dozens of candidates is the best."""


def best_of(candidates: Sequence[Found]) -> Found:
    """The one with the best score, of equals the smallest, then the first."""
    return min(candidates, key=lambda found: (found.score, found.ands))


def choose(candidates: Sequence[Found], few_rows: int = FEW_ROWS) -> Found:
    """The smallest whose score is as good as the best, up to a part of a standard error of its wrong rows.

    Many rows: half a standard error. Few rows: a whole one, as for trees (Breiman and others, 1984), and one more wrong
    row is assumed, because none wrong of forty is no certainty. Where the best is right on all rows, so must others be.
    """
    best = best_of(candidates)
    if best.right:
        candidates = [found for found in candidates if found.right]
    few = len(best.on_valid) < few_rows
    slack = math.sqrt(best.score + 1) if few else math.sqrt(best.score) / 2
    good = [found for found in candidates if found.score <= best.score + slack]
    return min(good, key=lambda found: (found.ands, found.score))
