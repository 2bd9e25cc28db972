"""How many answers are right. What the data leave open is not counted."""

from __future__ import annotations

from typing import NamedTuple

from boolearn.data.signs import Signs


class Score(NamedTuple):
    """Right answers among those that are specified."""

    right_bits: int
    bits: int
    right_items: int
    """Items with every specified bit right."""
    items: int
    """Items with a specified bit."""

    def __add__(self, other: Score) -> Score:  # type: ignore[override]
        return Score(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))


def score(answers: Signs, targets: Signs) -> Score:
    """Compare answers of ±1 with targets of the same shape, ±1 or 0 where open."""
    right = answers == targets
    if targets.all():
        return Score(int(right.sum()), right.size, int(right.all(axis=1).sum()), len(right))
    known = targets != 0
    counted = known.any(axis=1)
    right_items = (right | ~known).all(axis=1) & counted
    return Score(int(right.sum()), int(known.sum()), int(right_items.sum()), int(counted.sum()))
