"""The native engine on several ranks, each with some of the items.

An iteration is a sweep over the rank's own items and one exchange: the sums of the weights and the gaps. Every rank
hands over its blocks' sums in pieces, rank k adds piece k of all blocks in their order, and the totals go to everybody.
That moves about as much as an all-reduce, and the order of additions is that of a single process: the same bits for
any number of ranks up to 64. With more than that there is one sum for each rank, and only the same number of ranks
gives the same bits.

It is an engine for all items, on every rank: what it is asked for, all ranks are.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn._native import add_rows, shares
from boolearn.engine.native import NativeEngine
from boolearn.engine.protocol import Flags, Precision, Progress, Snapshot
from boolearn.engine.replacement import checked_replacement, start_inputs
from boolearn.engine.sharded import is_sharded
from boolearn.errors import ParameterError
from boolearn.problem import Problem
from boolearn.ranks import Ranks

_TALLY = 4
_LANES = {"half": 16, "single": 16, "double": 8}
"""Items that lie side by side in the arrays of a snapshot."""

Floats = npt.NDArray[np.float64]


class DistributedEngine:
    """Same seed, same bits as the native engine alone."""

    def __init__(
        self, problem: Problem, ranks: Ranks, *, precision: Precision = "single", threads: int | None = None
    ) -> None:
        self.problem = problem
        self.ranks = ranks
        if ranks.size > problem.n_items:
            raise ParameterError("comm", f"at most {problem.n_items} ranks, one for each item", ranks.size)
        table = shares(problem.n_items, precision, ranks.size)
        self._items = [slice(int(first), int(last)) for first, last, _ in table]
        self._counts = [items.stop - items.start for items in self._items]
        self._mine = self._items[ranks.rank]
        self._holder = int(np.argmax(self._counts))
        """A rank that has items and so knows the weights and gaps. Others may be left without."""
        self._all_busy = all(self._counts)
        groups = [-(-count // _LANES[precision]) for count in self._counts]
        self._groups = np.array(groups)
        columns = len(np.unique(problem.network.tie)) + _TALLY
        self._cuts = np.array([columns * k // ranks.size for k in range(ranks.size + 1)], np.int64)
        widths = np.diff(self._cuts)
        parts = table[:, 2] * (self._groups > 0)
        self._widths = widths.tolist()
        self._sent = (int(parts[ranks.rank]) * widths).tolist()
        self._received = (parts * int(widths[ranks.rank])).tolist()
        self._longest = int(parts.max() * widths.max())
        self._open = False
        self._engine: NativeEngine | None = None
        if self._counts[ranks.rank]:
            self._engine = NativeEngine(
                problem.of_items(self._mine),
                precision=precision,
                threads=threads or 0,
                share=(problem.n_items, ranks.size, ranks.rank),
            )
        self.begin(0)
        if not self._all_busy and ranks.leads:
            idle = self._counts.count(0)
            warnings.warn(f"{idle} of {ranks.size} ranks have no items: there are too few.", RuntimeWarning, 2)

    def begin(self, seed: int) -> None:
        self._open = False
        if self._engine is None:
            self.ranks.joined(np.zeros(0), self._start_lengths())
            return
        self._engine.begin(seed)
        compiled = self._engine.compiled
        sums = self.ranks.joined(compiled.start_sums(), self._start_lengths())
        compiled.set_start(add_rows(sums.reshape(-1, self._cuts[-1] - _TALLY)))

    def begin_from(self, seed: int, weights: Floats) -> None:
        self.begin(seed)
        codes = self.input_values()
        if self._engine is not None:
            self._engine.compiled.set_weights(np.ascontiguousarray(weights, np.float64))
        self.replace(0, start_inputs(self.problem, codes), self.problem.targets)

    def iterate(self, n: int, *, beta: float, gamma: float, stop_below: float = 0.0) -> Progress:
        if not self._open:
            if self._engine is not None:
                self._engine.compiled.open()
            self._open = True
            self.concur(0.0)
        done, least = 0, math.inf
        while True:
            self._choose_flips()
            if self._engine is not None:
                self._engine.compiled.divide(beta)
            gaps = self.concur(gamma)
            done, least = done + 1, min(least, gaps[0])
            if done >= n or gaps[0] < stop_below:
                return Progress(done, *gaps, least)

    def weights(self) -> Floats:
        own = None if self._engine is None else self._engine.weights()
        weights = own if self._all_busy else self.ranks.agreed(own, self._holder)
        assert weights is not None
        return weights

    def input_values(self) -> Floats:
        return self._all_rows(
            np.zeros((0, self.problem.network.n_inputs)) if self._engine is None else self._engine.input_values()
        )

    def replace(self, first: int, inputs: npt.ArrayLike, targets: npt.ArrayLike) -> None:
        new = checked_replacement(self.problem, first, inputs, targets)
        begin, end = (min(max(place, self._mine.start), self._mine.stop) for place in (new.items.start, new.items.stop))
        rows = slice(begin - new.items.start, end - new.items.start)
        if self._engine is not None:
            place = begin - self._mine.start if end > begin else 0
            self._engine.replace(place, new.inputs[rows], new.targets[rows])
        if self._open:
            self.concur(0.0)

    def set_margins(self, margins: Floats, *, project: bool = True) -> None:
        if self._engine is not None:
            self._engine.set_margins(margins, project=project)
        if self._open and project:
            self.concur(0.0)

    def flipped(self) -> tuple[Flags, Flags]:
        network = self.problem.network
        nothing = tuple(np.zeros((0, width), np.bool_) for width in (network.n_outputs, network.n_inputs))
        outputs, inputs = nothing if self._engine is None else self._engine.flipped()
        return self._all_rows(outputs), self._all_rows(inputs)

    def snapshot(self) -> Snapshot:
        """As of the native engine alone; on ranks other than 0 without the arrays that have a part for each item."""
        own = {} if self._engine is None else dict(self._engine.snapshot())
        small = {name: array for name, array in own.items() if not is_sharded(name)}
        kinds = {name: (array.dtype, len(array)) for name, array in own.items() if is_sharded(name)}
        if not self._all_busy:
            small, kinds = self.ranks.agreed((small, kinds), self._holder)
        whole = dict(small)
        for name, (kind, length) in kinds.items():
            lengths = self._lengths(length, int(self._groups[self.ranks.rank if name in own else self._holder]))
            part = own.get(name, np.zeros(0, kind))
            everything = self.ranks.collected(part, lengths)
            if self.ranks.leads:
                whole[name] = everything
        return whole

    def restore(self, snapshot: Snapshot) -> None:
        parts = {name: array for name, array in snapshot.items() if not is_sharded(name)}
        kinds = {name: (array.dtype, len(array)) for name, array in snapshot.items() if is_sharded(name)}
        for name, (kind, length) in self.ranks.agreed(kinds).items():
            lengths = self._lengths(length, int(self._groups.sum()))
            parts[name] = self.ranks.dealt(snapshot.get(name, np.zeros(0, kind)), lengths)
        if self._engine is not None:
            self._engine.restore(parts)
        self._open = bool(snapshot["status"][0])

    @property
    def nbytes(self) -> int:
        """Memory this rank's engine keeps."""
        return 0 if self._engine is None else self._engine.nbytes

    def concur(self, gamma: float) -> tuple[float, float, float, float]:
        """The exchange: the sums of all ranks, from which each works out the same weights and gaps."""
        pieces = np.zeros(0) if self._engine is None else self._engine.compiled.cut_parts(self._cuts)
        arrived = self.ranks.turned(pieces, self._sent, self._received, self._longest)
        total = self.ranks.joined(add_rows(arrived.reshape(-1, self._widths[self.ranks.rank])), self._widths)
        if self._engine is None:
            return self._gaps(*total[-_TALLY:].tolist())
        return self._engine.compiled.concur(np.append(total, float(self.problem.n_items)), gamma)

    def _gaps(self, edges2: float, cross: float, neurons2: float, inputs2: float) -> tuple[float, float, float, float]:
        """As the compiled engine has them: for a rank without items, which must end its iterations with the others."""
        network, items = self.problem.network, self.problem.n_items
        squares = (
            (edges2 + neurons2, network.n_neurons),
            (0.5 * (edges2 + cross), network.n_edges),
            (0.5 * (edges2 - cross), network.n_edges),
            (neurons2 + inputs2, network.n_nodes),
        )
        gap, gap_w, gap_x, gap_y = (math.sqrt(max(square, 0.0) / (items * count)) for square, count in squares)
        return gap, gap_w, gap_x, gap_y

    def _choose_flips(self) -> None:
        """Noise accommodation: the bits of all ranks compete, and among equals the first in the order of items wins."""
        for outputs, allowed in ((True, self.problem.output_flips), (False, self.problem.input_flips)):
            if not allowed:
                continue
            # One more than allowed, so that it is seen where there are too many.
            own = np.zeros(0) if self._engine is None else self._engine.compiled.leans(outputs, allowed + 1)
            counts = self.ranks.each(len(own))
            leans = self.ranks.joined(own, counts)
            least, equals = 0.0, 0
            if len(leans) > allowed:
                least = float(np.partition(leans, len(leans) - allowed)[len(leans) - allowed])
                before = leans[: sum(counts[: self.ranks.rank])]
                equals = allowed - int((leans > least).sum()) - int((before == least).sum())
            if self._engine is not None:
                self._engine.compiled.hold(outputs, least, max(equals, 0))

    def _all_rows(self, own: npt.NDArray[Any]) -> npt.NDArray[Any]:
        width = own.shape[1]
        flat = self.ranks.joined(np.ascontiguousarray(own).ravel(), [count * width for count in self._counts])
        return flat.reshape(-1, width)

    def _lengths(self, length: int, groups: int) -> list[int]:
        """Of every rank's part of an array, where ``groups`` groups of items take ``length`` values."""
        return [int(own) * (length // groups) for own in self._groups]

    def _start_lengths(self) -> list[int]:
        return [int(self._cuts[-1] - _TALLY) if count else 0 for count in self._counts]
