"""Ranks of an MPI job, through mpi4py."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar, cast

import numpy as np
import numpy.typing as npt
from mpi4py import MPI

from boolearn.cores import available_cores
from boolearn.errors import BoolearnError
from boolearn.ranks.ranks import Floats, Numbers, Ranks

T = TypeVar("T")

_SPIN_SECONDS = 1e-4
_SLEEP_SHARE, _LONGEST_SLEEP = 0.1, 1e-3
"""Of the time already waited, and in seconds: no wait becomes much longer, and a long one costs little."""
AT_ONCE = 1 << 14
"""Numbers in a message. Longer ones are sent after an agreement, for which ranks have to wait for each other again."""
_OPENING, _LENGTH = 256, 8
"""Bytes with which an object that is sent begins: its length, and all of it if it is as short as most are."""
_NOTHING = np.zeros(0, np.uint8)


class MPIRanks(Ranks):
    """All ranks of a communicator. Its traffic does not meet that of the caller's own.

    Python objects travel as mpi4py's own methods send them, but these keep a core busy while they wait.
    """

    def __init__(self, comm: MPI.Intracomm) -> None:
        self._comm = comm.Dup()
        self.rank, self.size = comm.rank, comm.size

    def agreed(self, value: T, by: int = 0) -> T:
        own = _packed(value) if self.rank == by else _NOTHING
        first = _opening(own)
        self._wait(self._comm.Ibcast(first, by))
        whole = _content(first)
        if whole is None:
            length = int(first[:_LENGTH].view(np.int64)[0])
            whole = own if self.rank == by else np.empty(length, np.uint8)
            for begin in range(0, length, AT_ONCE):
                self._wait(self._comm.Ibcast(whole[begin : begin + AT_ONCE], by))
        return cast("T", MPI.pickle.loads(whole))

    def each(self, value: T) -> list[T]:
        own = _packed(value)
        firsts = np.empty((self.size, _OPENING), np.uint8)
        self._wait(self._comm.Iallgather(_opening(own), firsts))
        short = [whole for first in firsts if (whole := _content(first)) is not None]
        if len(short) == self.size:
            return [MPI.pickle.loads(whole) for whole in short]
        lengths = firsts[:, :_LENGTH].copy().view(np.int64)[:, 0]
        wholes = np.split(self.joined(own, lengths.tolist()), np.cumsum(lengths)[:-1])
        return [MPI.pickle.loads(whole) for whole in wholes]

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
        for first in range(0, longest, AT_ONCE):
            out, into = (_pieces(first, lengths) for lengths in (sent, received))
            self._wait(self._comm.Ialltoallv((pieces, out, MPI.DOUBLE), (arrived, into, MPI.DOUBLE)))
        return arrived

    def joined(self, part: Numbers, lengths: Sequence[int]) -> Numbers:
        whole = np.empty(sum(lengths), part.dtype)
        for first in range(0, max(lengths), AT_ONCE):
            own = np.ascontiguousarray(part[first : first + AT_ONCE])
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
            waited = time.perf_counter() - begun
            if waited > _SPIN_SECONDS:
                time.sleep(min(_SLEEP_SHARE * waited, _LONGEST_SLEEP))


def _pieces(first: int, lengths: Sequence[int]) -> tuple[list[int], list[int]]:
    """Of parts one after another: how long the pieces that begin at ``first`` of each are, and where they begin."""
    counts = [min(max(length - first, 0), AT_ONCE) for length in lengths]
    begins = [sum(lengths[:k]) + min(first, length) for k, length in enumerate(lengths)]
    return counts, begins


def _packed(value: object) -> npt.NDArray[np.uint8]:
    return np.frombuffer(MPI.pickle.dumps(value), np.uint8)


def _opening(whole: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    first = np.zeros(_OPENING, np.uint8)
    first[:_LENGTH].view(np.int64)[0] = len(whole)
    short = whole[: _OPENING - _LENGTH]
    first[_LENGTH : _LENGTH + len(short)] = short
    return first


def _content(first: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8] | None:
    """The object that begins so; None where there is more of it."""
    length = int(first[:_LENGTH].view(np.int64)[0])
    return first[_LENGTH : _LENGTH + length] if length <= _OPENING - _LENGTH else None
