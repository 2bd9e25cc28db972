"""The gate search as the training loop sees it: an iteration is a sweep, the gap the share of wrong bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from boolearn.data.signs import Signs
from boolearn.engine import Progress, Snapshot
from boolearn.problem import Problem
from boolearn.ranks import ALONE, Ranks
from boolearn.solver.gates.annealing import Annealing
from boolearn.solver.gates.nearest import nearest_gates
from boolearn.solver.gates.table import may_be_five, weights_of
from boolearn.solver.gates.xors import XorNetwork
from boolearn.solver.status import Status

if TYPE_CHECKING:
    from boolearn.solver.gates.annealer import GateAnnealer


class GatesSearch:
    """Searches until a circuit fits and, if ``refine``, to the end of the search for a better one."""

    def __init__(
        self,
        problem: Problem,
        *,
        price: float = 0.3,
        replicas: int = 2,
        xors: XorNetwork | None = None,
        annealing: Annealing | None = None,
        refine: bool = True,
        threads: int = 1,
        ranks: Ranks = ALONE,
    ) -> None:
        self.problem = problem
        self.price = price
        self.replicas = replicas
        self.xors = xors
        """The network of the models, where neurons may be exclusive ors."""
        self.annealing = annealing or Annealing()
        self.refine = refine
        self.threads = threads
        self.ranks = ranks
        self.status: Status | None = None
        self._annealer = self._of_seed(0)

    @property
    def fits(self) -> bool:
        return self._annealer.fits

    @property
    def stage(self) -> str:
        return self._annealer.describe_stage()

    def begin(self, seed: int) -> None:
        self._annealer.close()
        self._annealer = self._of_seed(seed)
        self.status = None

    def begin_from(self, weights: npt.NDArray[np.float64], seed: int) -> None:  # noqa: ARG002
        """Continue from the gates nearest to these weights. The random numbers continue too, whatever the seed."""
        network = self.problem.network
        five = may_be_five(network, self.problem.sigma)
        nearest = self.xors.nearest_gates(weights, five) if self.xors else nearest_gates(network, weights, five)
        self._annealer.begin_from(nearest)

    def advance(self, n: int) -> Progress:
        annealer, bits = self._annealer, self.problem.dataset.specified_bits
        before, errors = annealer.sweeps, annealer.least
        while annealer.sweeps - before < n and self.status is None:
            errors = annealer.advance().errors
            if annealer.finished or (annealer.fits and not self.refine):
                self.status = Status.SOLVED
        if annealer.fits:
            # From here on the best circuit is what counts, not where the samplers wander in search of a better one.
            errors = annealer.least
        return Progress(annealer.sweeps - before, errors / bits, 0.0, 0.0, errors / bits, annealer.least / bits)

    def weights(self) -> npt.NDArray[np.float64]:
        best = self._annealer.best
        return self.xors.weights_of(best) if self.xors else weights_of(self.problem.network, best)

    def codes(self) -> Signs | None:
        return None

    def doubted_inputs(self) -> npt.NDArray[np.bool_] | None:
        return None

    def snapshot(self) -> Snapshot:
        return self._annealer.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        self._annealer.restore(snapshot)
        self.status = None

    def close(self) -> None:
        self._annealer.close()

    def _of_seed(self, seed: int) -> GateAnnealer:
        # Imported here: it needs the compiled part, which a solver object does not.
        from boolearn.solver.gates.annealer import GateAnnealer

        return GateAnnealer(
            self.problem,
            seed,
            price=self.price,
            replicas=self.replicas,
            xor=self.xors is not None,
            annealing=self.annealing,
            threads=self.threads,
            ranks=self.ranks,
        )
