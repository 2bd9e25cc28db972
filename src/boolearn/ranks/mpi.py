"""Ranks of an MPI job, through mpi4py."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import numpy as np
from mpi4py import MPI

from boolearn.cores import available_cores
from boolearn.errors import BoolearnError
from boolearn.ranks.ranks import Floats, Numbers, Ranks

T = TypeVar("T")

_SPIN_SECONDS = 1e-4
_SLEEP_SECONDS = 2e-5
_AT_ONCE = 1 << 14
"""Numbers in a message. Longer ones are sent after an agreement, for which ranks have to wait for each other again."""


class MPIRanks(Ranks):
    """All ranks of a communicator. Its traffic does not meet that of the caller's own."""

    def __init__(self, comm: MPI.Intracomm) -> None:
        self._comm = comm.Dup()
        self.rank, self.size = comm.rank, comm.size

    def agreed(self, value: T, by: int = 0) -> T:
        self._wait(self._comm.Ibarrier())
        return self._comm.bcast(value, by)  # type: ignore[no-any-return]

    def each(self, value: T) -> list[T]:
        self._wait(self._comm.Ibarrier())
        return self._comm.allgather(value)

    @contextmanager
    def together(self) -> Iterator[None]:
        own: Exception | None = None
        try:
            yield
        except Exception as error:
            own = error
        messages = self.each(None if own is None else f"{own}")
        failed = [rank for rank, message in enumerate(messages) if message is not None]
        if failed:
            self.failed = failed[0]
            raise own or BoolearnError(f"Rank {failed[0]} cannot go on: {messages[failed[0]]}")

    def threads(self, threads: int | None) -> int | None:
        """Ranks that may use the same cores share them; a batch system may have given each its own."""
        if hasattr(os, "sched_getaffinity"):
            cores = (MPI.Get_processor_name(), frozenset(os.sched_getaffinity(0)))
            neighbours = self.each(cores).count(cores)
        else:
            neighbours = self.each(MPI.Get_processor_name()).count(MPI.Get_processor_name())
        if threads is not None or neighbours == 1:
            return threads
        return max(1, available_cores() // neighbours)

    def turned(self, pieces: Floats, sent: Sequence[int], received: Sequence[int], longest: int) -> Floats:
        arrived = np.empty(sum(received))
        for first in range(0, longest, _AT_ONCE):
            out, into = (_pieces(first, lengths) for lengths in (sent, received))
            self._wait(self._comm.Ialltoallv((pieces, out, MPI.DOUBLE), (arrived, into, MPI.DOUBLE)))
        return arrived

    def joined(self, part: Numbers, lengths: Sequence[int]) -> Numbers:
        whole = np.empty(sum(lengths), part.dtype)
        for first in range(0, max(lengths), _AT_ONCE):
            own = np.ascontiguousarray(part[first : first + _AT_ONCE])
            self._wait(self._comm.Iallgatherv(own, (whole, _pieces(first, lengths))))
        return whole

    def collected(self, part: Numbers, lengths: Sequence[int]) -> Numbers:
        whole = np.empty(sum(lengths) if self.leads else 0, part.dtype)
        self._wait(self._comm.Igatherv(part, (whole, lengths) if self.leads else None))
        return whole

    def dealt(self, whole: Numbers, lengths: Sequence[int]) -> Numbers:
        part = np.empty(lengths[self.rank], whole.dtype)
        self._wait(self._comm.Iscatterv((whole, lengths) if self.leads else None, part))
        return part

    def _wait(self, request: MPI.Request) -> None:
        """MPI itself would keep a core busy while it waits, which on a crowded machine somebody else needs."""
        begun = time.perf_counter()
        while not request.Test():
            if time.perf_counter() - begun > _SPIN_SECONDS:
                time.sleep(_SLEEP_SECONDS)


def _pieces(first: int, lengths: Sequence[int]) -> tuple[list[int], list[int]]:
    """Of parts one after another: how long the pieces that begin at ``first`` of each are, and where they begin."""
    counts = [min(max(length - first, 0), _AT_ONCE) for length in lengths]
    begins = [sum(lengths[:k]) + min(first, length) for k, length in enumerate(lengths)]
    return counts, begins
