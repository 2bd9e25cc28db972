"""A command on several ranks: each runs it, rank 0 speaks, and what fails on one ends them all."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

from boolearn.cli.failures import message_of, print_failure
from boolearn.errors import MissingExtraError
from boolearn.ranks import Ranks, as_ranks

if TYPE_CHECKING:
    from mpi4py.MPI import Intracomm


def world(distributed: bool) -> Intracomm | None:
    """All ranks that mpiexec started; None where the command is not one of several."""
    if not distributed:
        _warn_of_ranks_apart()
        return None
    try:
        from mpi4py import MPI
    except ImportError:
        raise MissingExtraError("--distributed", "mpi") from None
    return MPI.COMM_WORLD


def _warn_of_ranks_apart() -> None:
    """MPICH and Open MPI tell a process by these variables how many there are, and which one it is."""
    for size, rank in (("PMI_SIZE", "PMI_RANK"), ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK")):
        if os.environ.get(size, "1") != "1" and os.environ.get(rank) == "0":
            number = os.environ[size]
            warnings.warn(
                f"{number} ranks were started, and each trains by itself; --distributed lets them train together",
                stacklevel=2,
            )


@contextmanager
def all_or_none(comm: Intracomm | None) -> Iterator[Ranks]:
    """The ranks. An error that all know of is told once; one that only this rank knows of ends the job at once."""
    ranks = as_ranks(comm)
    try:
        yield ranks
    except typer.Exit:
        raise
    except Exception as error:
        if comm is None or ranks.size == 1:
            raise
        if ranks.failed is None:
            print_failure(f"boolearn: rank {ranks.rank}: {message_of(error)}")
            comm.Abort(2)  # others wait for this rank, and would do so forever
        if ranks.failed == ranks.rank:
            raise
        raise typer.Exit(2) from None
