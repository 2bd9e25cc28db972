"""The gate search as the training loop sees it: an iteration is a sweep, the gap the share of wrong bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from boolearn.data import InputKind
from boolearn.data.signs import Signs
from boolearn.engine import Progress, Snapshot, native_available
from boolearn.errors import BoolearnError, DataError, NetworkError, ParameterError
from boolearn.problem import Problem
from boolearn.solver.gate_table import PRICE, GateTable, weights_of
from boolearn.solver.status import Status

if TYPE_CHECKING:
    from boolearn.solver.gate_search import GateSearch


def check_searchable(problem: Problem, in_batches: bool = False) -> None:
    """Refuse what is not a search for gates: analog or free inputs, shared weights, batches, nothing compiled."""
    if problem.dataset.input_kind is not InputKind.BOOLEAN:
        raise DataError(f"solver='gates' needs Boolean inputs. Got {problem.dataset.input_kind.value} inputs instead.")
    if problem.network.tied:
        raise NetworkError("solver='gates' needs a network without shared weights.")
    if problem.input_noise:
        raise ParameterError("input_noise", "0 for solver='gates'", problem.input_noise)
    if in_batches:
        raise ParameterError("batch", "left out for solver='gates', which needs all items", problem.n_items)
    if not native_available():
        raise BoolearnError("solver='gates' is compiled code, which was not built when boolearn was installed.")


class GatesSolver:
    """Searches until a circuit fits and, if ``refine``, to the end of the search for a better one."""

    def __init__(self, problem: Problem, *, price: float = PRICE, refine: bool = True, threads: int = 1) -> None:
        self.problem = problem
        self.price = price
        self.refine = refine
        self.threads = threads
        self.status: Status | None = None
        self._search = self._of_seed(0)

    @property
    def fits(self) -> bool:
        return self._search.fits

    def begin(self, seed: int) -> None:
        self._search.close()
        self._search = self._of_seed(seed)
        self.status = None

    def begin_from(self, table: GateTable) -> None:
        """Go on from these gates."""
        self._search.begin_from(table)

    def _of_seed(self, seed: int) -> GateSearch:
        from boolearn.solver.gate_search import GateSearch

        return GateSearch(self.problem, seed, noise=self.problem.noise, price=self.price, threads=self.threads)

    def advance(self, n: int) -> Progress:
        search, bits = self._search, self.problem.targets.size
        before, errors = search.sweeps, search.least
        while search.sweeps - before < n and self.status is None:
            errors = search.advance().errors
            if search.finished or (search.fits and not self.refine):
                self.status, errors = Status.SOLVED, search.least
        return Progress(search.sweeps - before, errors / bits, 0.0, 0.0, errors / bits, search.least / bits)

    def weights(self) -> npt.NDArray[np.float64]:
        return weights_of(self.problem.network, self._search.best)

    def codes(self) -> Signs | None:
        return None

    def doubted_inputs(self) -> npt.NDArray[np.bool_] | None:
        return None

    def snapshot(self) -> Snapshot:
        return self._search.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        self._search.restore(snapshot)
        self.status = None

    def close(self) -> None:
        self._search.close()
