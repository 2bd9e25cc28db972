"""Ranks: processes that train together. Alone, there is one; MPI makes several of the same program."""

from boolearn.ranks.of_comm import as_ranks
from boolearn.ranks.ranks import ALONE, Ranks

__all__ = ["ALONE", "Ranks", "as_ranks"]
