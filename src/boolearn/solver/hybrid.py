"""RRR and the gate search in turns.

Each works for a leg, the next legs are twice as long, and the first to be solved ends it. So what only
one of them can solve costs a small multiple of what that one needs, and nobody has to know which it is.
The gate search has the first leg: where small gates are enough it is much the quicker.

solver="auto" leaves it at that. With solver="hybrid" what one found is where the other goes on, when it
is better than its own: the gates nearest to RRR's weights, or the weights of the best circuit.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boolearn.data.signs import Signs
from boolearn.engine import Progress, Snapshot
from boolearn.model import BoolNet
from boolearn.solver.gate_table import may_be_five
from boolearn.solver.gates import GatesSolver
from boolearn.solver.nearest_gates import nearest_gates
from boolearn.solver.rrr_search import RrrSearch
from boolearn.solver.search import Search
from boolearn.solver.status import Status

SWEEPS = 1000
"""Of the first leg."""
ITERATIONS_A_SWEEP = 5
"""RRR iterations that take about as long as a sweep. What is fixed makes same seeds give same results."""

_GATES, _RRR = 0, 1


class HybridSearch:
    """Two searches for the same problem. An iteration is one of either."""

    def __init__(self, rrr: RrrSearch, gates: GatesSolver, *, handover: bool) -> None:
        self._searches: tuple[GatesSolver, RrrSearch] = (gates, rrr)
        self._handover = handover
        self._turn = _GATES
        self._leg = 0
        self._done = 0
        self._seed = 0

    @property
    def status(self) -> Status | None:
        return self._current.status

    @property
    def fits(self) -> bool:
        return self._current.fits

    @property
    def _current(self) -> Search:
        return self._searches[self._turn]

    def begin(self, seed: int) -> None:
        for search in self._searches:
            search.begin(seed)
        self._turn, self._leg, self._done, self._seed = _GATES, 0, 0, seed

    def advance(self, n: int) -> Progress:
        if self._done >= self._length():
            self._change_over()
        progress = self._current.advance(min(n, self._length() - self._done))
        # Once a circuit fits, the search for a better one is brought to its end.
        if not self._current.fits:
            self._done += progress.iterations
        return progress

    def weights(self) -> npt.NDArray[np.float64]:
        return self._current.weights()

    def codes(self) -> Signs | None:
        return None

    def doubted_inputs(self) -> npt.NDArray[np.bool_] | None:
        return self._current.doubted_inputs()

    def snapshot(self) -> Snapshot:
        own = {"hybrid": np.array([self._turn, self._leg, self._done])}
        for name, search in self._named():
            own |= {f"{name}:{key}": array for key, array in search.snapshot().items()}
        return own

    def restore(self, snapshot: Snapshot) -> None:
        for name, search in self._named():
            search.restore(
                {key.removeprefix(f"{name}:"): array for key, array in snapshot.items() if key.startswith(f"{name}:")}
            )
        self._turn, self._leg, self._done = (int(number) for number in snapshot["hybrid"])

    def close(self) -> None:
        for search in self._searches:
            search.close()

    def _named(self) -> tuple[tuple[str, Search], ...]:
        return ("gates", self._searches[_GATES]), ("rrr", self._searches[_RRR])

    def _length(self) -> int:
        """Of this leg, in the iterations of whose turn it is."""
        return (SWEEPS if self._turn == _GATES else ITERATIONS_A_SWEEP * SWEEPS) << self._leg

    def _change_over(self) -> None:
        gates, rrr = self._searches
        before = self._turn
        self._turn = _RRR if before == _GATES else _GATES
        self._leg += self._turn == _GATES
        self._done = 0
        if not self._handover:
            return
        network, dataset = rrr.problem.network, rrr.problem.dataset
        of_gates, of_rrr = (
            BoolNet(network, search.weights(), classes=dataset.classes).accuracy(dataset, by="bits")
            for search in self._searches
        )
        if self._turn == _GATES and of_rrr > of_gates:
            gates.begin_from(nearest_gates(network, rrr.weights(), may_be_five(network, rrr.problem.sigma)))
        elif self._turn == _RRR and of_gates > of_rrr:
            rrr.begin_from(gates.weights(), self._seed)
