"""Which of many circuits that fit to believe: the one the others agree with most.

Every circuit that fits is evaluated on synthetic inputs. The one that disagrees least with all that were visited,
each weighed by how likely it is, is expected to be wrong least often; the shortest may stand alone.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from boolearn._native import GateSampler, GateTask
from boolearn.data.crossed import UNSEEN, crossed
from boolearn.data.signs import Signs, signs_of
from boolearn.engine import Snapshot
from boolearn.network import Network
from boolearn.solver.gates.table import GateTable, Mask, no_gates

_KEPT = 64
_ONES = np.array([number.bit_count() for number in range(256)], np.uint8)


class Votes:
    """Collects circuits that fit and their votes on unseen inputs.

    A sampler that follows its distribution visits circuits as often as they are likely: one visit, one vote. Where it
    is made to fit by other means, a visit says little, and its vote is weighed ``by_length``, as exp(−length). Votes of
    both sorts do not mix: forget the ones before the others begin.

    All circuits vote. Of the circuits themselves only some are kept: when there are too many, the half that agrees
    least with the votes is dropped.
    """

    def __init__(
        self, network: Network, inputs: Signs, seed: int, *, five: Mask | None = None, xor: bool = False
    ) -> None:
        n_outputs = network.n_outputs
        unseen = np.ascontiguousarray(crossed(inputs, UNSEEN, seed) > 0)
        nothing = np.zeros((UNSEEN, n_outputs), bool)
        task = GateTask(network.n_inputs, n_outputs, network.start, network.sender, unseen, nothing, five=five, xor=xor)
        self._evaluator = GateSampler(task, 0)
        self._votes = np.zeros((n_outputs, UNSEEN))
        """Σ weight · (±1 that a circuit says)"""
        self.shortest = math.inf
        """Votes weighed by length are relative to those of a circuit of this length."""
        self._tables = np.zeros((_KEPT, *no_gates(network, five).shape), np.int32)
        self._said = np.zeros((_KEPT, n_outputs * UNSEEN // 8), np.uint8)
        self._agreement = np.zeros(_KEPT)
        """Σ votes · (±1 that the circuit says)"""
        self._lengths = np.zeros(_KEPT)
        self._errors = np.zeros(_KEPT, np.int64)
        self._kept = 0

    def add(self, table: GateTable, errors: int, length: float, *, by_length: bool) -> None:
        signs = self._outputs(table)
        said = np.packbits(signs > 0)
        weight = self._weight(length) if by_length else 1.0
        self._votes += weight * signs
        differ = _ONES[self._said[: self._kept] ^ said].sum(axis=1, dtype=np.int64)
        self._agreement[: self._kept] += weight * (signs.size - 2 * differ)
        if self._kept == _KEPT:
            self._keep(self._order()[: _KEPT // 2])
        k = self._kept
        self._tables[k], self._said[k], self._lengths[k], self._errors[k] = table, said, length, errors
        self._agreement[k] = (signs * self._votes).sum()
        self._kept += 1

    @property
    def unanimous(self) -> bool:
        """There were votes, and all for the same answers."""
        agreed = np.abs(self._votes)
        most = agreed.max()
        return bool(most > 0 and (agreed == most).all())

    def forget(self) -> None:
        """All votes so far, and all circuits but the best: it stays in the running."""
        self._keep(self._order()[:1])
        self._votes[:] = 0
        self._agreement[:] = 0
        self.shortest = math.inf

    def best(self) -> tuple[GateTable, int]:
        """The circuit that agrees most with all votes, of equals the shortest; and its wrong training bits."""
        first = self._order()[0]
        return self._tables[first].copy(), int(self._errors[first])

    def snapshot(self) -> Snapshot:
        # "typical_" is their name in checkpoint files.
        return {f"typical_{name}": np.array(getattr(self, attribute)) for name, attribute in _STATE.items()}

    def restore(self, snapshot: Snapshot) -> None:
        """Shapes have been checked; what does not fit otherwise raises ValueError before anything is changed."""
        kept = int(snapshot["typical_kept"].item())
        if not 0 <= kept <= _KEPT:
            raise ValueError(f"the kept circuits must number 0 to {_KEPT}")
        tables = np.array(snapshot["typical_tables"], np.int32)
        said = [np.packbits(self._outputs(table) > 0) for table in tables[:kept]]
        for name, attribute in _STATE.items():
            setattr(self, attribute, np.array(snapshot[f"typical_{name}"], np.asarray(getattr(self, attribute)).dtype))
        self._kept, self.shortest = kept, float(self.shortest)
        for k, of_table in enumerate(said):
            self._said[k] = of_table

    def _weight(self, length: float) -> float:
        if length < self.shortest:
            fading = math.exp(length - self.shortest)
            self._votes *= fading
            self._agreement *= fading
            self.shortest = length
        return math.exp(self.shortest - length)

    def _outputs(self, table: GateTable) -> Signs:
        self._evaluator.gates = table
        return signs_of(self._evaluator.outputs)

    def _order(self) -> npt.NDArray[np.intp]:
        """The kept circuits, best first. Rounded, so that circuits that say the same are equals."""
        agreement = self._agreement[: self._kept]
        most = np.abs(agreement).max() or 1.0
        return np.lexsort((self._lengths[: self._kept], -np.round(agreement / most, 9)))

    def _keep(self, chosen: npt.NDArray[np.intp]) -> None:
        # They stay in the order they came, and of two equals the first is still the first.
        chosen = np.sort(chosen)
        for kept in (self._tables, self._said, self._agreement, self._lengths, self._errors):
            kept[: len(chosen)] = kept[chosen]
        self._kept = len(chosen)


_STATE = {
    "shortest": "shortest",
    **{name: f"_{name}" for name in ("votes", "tables", "agreement", "lengths", "errors", "kept")},
}
