"""What a solver is. Solver: parameters, and nothing else. Search: a solver at work on one problem.

The loop (``starts/start.py``) knows nothing else about either.
"""

from __future__ import annotations

from dataclasses import is_dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from boolearn.data.signs import Signs
from boolearn.engine import Progress, Snapshot
from boolearn.network import Network
from boolearn.problem import Problem
from boolearn.ranks import ALONE, Ranks
from boolearn.solver.status import Status


class Solver(Protocol):
    """A frozen dataclass whose fields are the parameters of one way to train."""

    @property
    def name(self) -> str:
        """As on the command line and in config.toml."""

    def leg(self, problem: Problem, turn: int) -> int:
        """Iterations before another solver has its turn; turns count from 0, and later ones are longer."""

    @property
    def compiled(self) -> bool:
        """Does it run in compiled code, so that several searches in threads of one process run at the same time?"""

    def check(self, problem: Problem) -> None:
        """Refuse a problem it cannot solve, with an error that says why."""

    def held(self, problem: Problem) -> Problem:
        """The part of the problem that a search holds at a time: less than all in batch mode."""

    def model_network(self, problem: Problem) -> Network:
        """The network of the models it finds: the problem's own, unless these need more room."""

    def search(
        self, problem: Problem, *, threads: int | None = None, until_fit: bool = False, ranks: Ranks = ALONE
    ) -> Search:
        """A search, to begin with a seed.

        threads
            At most how many; None for as many as are worth it.
        until_fit
            Whether a fit of the training items ends the search. Otherwise it may look for something better.
        ranks
            The processes that search together, each of which makes this call.
        """

    def settings(self) -> dict[str, object]:
        """The parameters in plain values, as config.toml holds them. Same settings, same search."""


def is_solver(candidate: object) -> bool:
    """Is it a solver object, and not a class or a name?"""
    return is_dataclass(candidate) and not isinstance(candidate, type) and hasattr(candidate, "search")


class Search(Protocol):
    """Same seed, same search, however it is cut into pieces."""

    @property
    def status(self) -> Status | None:
        """SOLVED, or why it cannot continue; None while it can."""

    @property
    def fits(self) -> bool:
        """Is what was found good enough, though the search may still improve it?"""

    @property
    def stage(self) -> str:
        """What it is doing, in a few words, where that is worth telling; else empty."""

    def begin(self, seed: int) -> None:
        """Take the random start of a seed."""

    def begin_from(self, weights: npt.NDArray[np.float64], seed: int) -> None:
        """Start from the weights that another search found."""

    def advance(self, n: int) -> Progress:
        """About ``n`` iterations, at least one; fewer when there is nothing more to do."""

    def weights(self) -> npt.NDArray[np.float64]:
        """Shape (n_weights,): the weights to judge the search by."""

    def codes(self) -> Signs | None:
        """Shape (items, n_inputs): for free inputs, the codes in use for all training items."""

    def doubted_inputs(self) -> npt.NDArray[np.bool_] | None:
        """Shape (items, n_inputs): input bits believed wrong, where some may be."""

    def snapshot(self) -> Snapshot:
        """The whole state."""

    def restore(self, snapshot: Snapshot) -> None:
        """Continue from a state as if nothing had happened in between."""

    def close(self) -> None:
        """Stop what runs in the background."""
