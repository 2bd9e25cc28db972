"""From what a user passes to the ranks that are meant."""

from __future__ import annotations

from boolearn.errors import MissingExtraError, ParameterError
from boolearn.ranks.ranks import ALONE, Ranks


def as_ranks(comm: object) -> Ranks:
    """The ranks of an MPI communicator; None for a process alone."""
    if comm is None:
        return ALONE
    try:
        from mpi4py import MPI
    except ImportError:
        raise MissingExtraError("Training on several ranks", "mpi") from None
    if not isinstance(comm, MPI.Intracomm):
        raise ParameterError("comm", "None or an MPI communicator such as mpi4py.MPI.COMM_WORLD", comm)
    from boolearn.ranks.mpi import MPIRanks

    return MPIRanks(comm) if comm.size > 1 else ALONE
