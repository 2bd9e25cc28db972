"""Ranks: what a process asks of the others that run the same program. Here it is the only one.

All ranks do the same, in the same order: what one is asked for, all are. Whatever depends on time or chance is decided
by rank 0.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

T = TypeVar("T")
Floats = npt.NDArray[np.float64]
Numbers = npt.NDArray[Any]


class Ranks:
    """One process alone."""

    rank: int = 0
    size: int = 1
    failed: int | None = None
    """The rank whose error all ranks have raised."""

    @property
    def leads(self) -> bool:
        """Is this rank 0, the only one that prints and writes?"""
        return self.rank == 0

    def agreed(self, value: T, by: int = 0) -> T:
        """The value that rank ``by`` has."""
        del by
        return value

    def each(self, value: T) -> list[T]:
        """The values of all ranks."""
        return [value]

    @contextmanager
    def together(self) -> Iterator[None]:
        """What fails on one rank fails on all. There must be no other communication inside."""
        yield

    def share(self, count: int) -> slice:
        """This rank's part of ``count`` things."""
        return slice(count * self.rank // self.size, count * (self.rank + 1) // self.size)

    def threads(self, threads: int | None) -> int | None:
        """How many threads for each rank where nobody said so: ranks on one machine share its cores."""
        return threads

    def turned(self, pieces: Floats, sent: Sequence[int], received: Sequence[int], longest: int) -> Floats:
        """Piece k of every rank goes to rank k.

        The lengths are of this rank's pieces, of those meant for it, and of the longest of all ranks.
        """
        del sent, received, longest
        return pieces

    def joined(self, part: Numbers, lengths: Sequence[int]) -> Numbers:
        """The parts of all ranks, one after another."""
        del lengths
        return part

    def collected(self, part: Numbers, lengths: Sequence[int]) -> Numbers:
        """The same on rank 0 only; on others an empty array."""
        del lengths
        return part

    def dealt(self, whole: Numbers, lengths: Sequence[int]) -> Numbers:
        """Its part for every rank of an array that rank 0 has; on others only the type of ``whole`` counts."""
        del lengths
        return whole


ALONE = Ranks()
