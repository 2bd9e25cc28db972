"""Which of many circuits that fit to believe: the one most of the others agree with.

A sampler visits circuits about as often as they are likely. On inputs nobody has seen, each says what it
says; the circuit that disagrees least with all that were visited is expected to be wrong least often. The
shortest one may be a lucky find that stands alone.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boolearn._native import GateSampler, GateTask
from boolearn.data.signs import Signs, signs_of
from boolearn.engine import Snapshot
from boolearn.network import Network
from boolearn.solver.gate_table import GateTable

UNSEEN = 1024
_KEPT = 64
_ONES = np.array([number.bit_count() for number in range(256)], np.uint8)


class TypicalCircuit:
    """Collects circuits that fit and their votes on unseen inputs.

    All circuits vote. Of the circuits themselves only some are kept: when there are too many, the half that agrees
    least with the votes is dropped.
    """

    def __init__(self, network: Network, inputs: Signs, seed: int) -> None:
        n_outputs = network.n_outputs
        unseen = crossed(inputs, UNSEEN, seed) > 0
        task = GateTask(
            network.n_inputs, n_outputs, network.start, network.sender, unseen, np.zeros((UNSEEN, n_outputs), bool)
        )
        self._evaluator = GateSampler(task, 0)
        self._votes = np.zeros((n_outputs, UNSEEN), np.int64)
        """How many circuits say +1 more than say −1."""
        self._tables = np.zeros((_KEPT, network.n_neurons, 6), np.int32)
        self._said = np.zeros((_KEPT, n_outputs * UNSEEN // 8), np.uint8)
        self._agreement = np.zeros(_KEPT, np.int64)
        """Σ over the votes of ±1: those agreed with less those not."""
        self._lengths = np.zeros(_KEPT)
        self._errors = np.zeros(_KEPT, np.int64)
        self._kept = 0

    def add(self, table: GateTable, errors: int, length: float) -> None:
        signs = self._outputs(table)
        said = np.packbits(signs > 0)
        self._votes += signs
        differ = _ONES[self._said[: self._kept] ^ said].sum(axis=1, dtype=np.int64)
        self._agreement[: self._kept] += signs.size - 2 * differ
        if self._kept == _KEPT:
            self._drop_half()
        k = self._kept
        self._tables[k], self._said[k], self._lengths[k], self._errors[k] = table, said, length, errors
        self._agreement[k] = (signs * self._votes).sum()
        self._kept += 1

    def best(self) -> tuple[GateTable, int]:
        """The circuit that agrees most with all votes, of equals the shortest; and its wrong training bits."""
        first = self._order()[0]
        return self._tables[first].copy(), int(self._errors[first])

    def snapshot(self) -> Snapshot:
        names = ("votes", "tables", "lengths", "errors", "kept")
        return {f"typical_{name}": np.array(getattr(self, f"_{name}")) for name in names}

    def restore(self, snapshot: Snapshot) -> None:
        """Nothing is checked but the tables, and those before anything is changed."""
        kept = int(snapshot["typical_kept"].item())
        tables, votes = np.array(snapshot["typical_tables"], np.int32), np.array(snapshot["typical_votes"], np.int64)
        signs = [self._outputs(table) for table in tables[:kept]]
        self._kept, self._tables, self._votes = kept, tables, votes
        self._lengths = np.array(snapshot["typical_lengths"], np.float64)
        self._errors = np.array(snapshot["typical_errors"], np.int64)
        for k, of_table in enumerate(signs):
            self._said[k], self._agreement[k] = np.packbits(of_table > 0), (of_table * votes).sum()

    def _outputs(self, table: GateTable) -> Signs:
        self._evaluator.gates = table
        return signs_of(self._evaluator.outputs)

    def _order(self) -> npt.NDArray[np.intp]:
        """The kept circuits, best first."""
        return np.lexsort((self._lengths[: self._kept], -self._agreement[: self._kept]))

    def _drop_half(self) -> None:
        # The others stay in the order they came, and of two equals the first is still the first.
        best = np.sort(self._order()[: _KEPT // 2])
        for kept in (self._tables, self._said, self._agreement, self._lengths, self._errors):
            kept[: len(best)] = kept[best]
        self._kept = len(best)


def crossed(inputs: Signs, n: int, seed: int) -> Signs:
    """n new items, each bit of which is that of one of two random items: as like the given ones as can be had."""
    rng = np.random.default_rng([seed, 1])
    one, other = inputs[rng.integers(len(inputs), size=(2, n))]
    return np.asarray(np.where(rng.random(one.shape) < 0.5, one, other))
