"""Which few signals determine a target as a threshold function: all smallest sets of them.

Two items with different targets must differ in some chosen signal. So pick the pair of items that differ in the
fewest signals and branch over those: what looks like a choice among all subsets is a shallow tree, since learned
signals come with items that differ in little. A set that separates all such pairs but is not a threshold function
of them has a certificate, weights on items that cancel on the chosen signals; a signal on which they do not cancel
must join, in this set and in every other, so what one failure teaches is kept. Both branchings lose nothing: within
its budget the search is exhaustive.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt

from boolearn.circuit.threshold.integer_weights import pattern_sets, signed_rows
from boolearn.circuit.threshold.small_functions import MOST_INPUTS, consistent_gates
from boolearn.data.signs import Signs

Masks = npt.NDArray[np.uint64]

_SMALL_SIZE = 3
_FEW_ITEMS = 64
_MANY_ITEMS = 250
_PACKING_ROWS = 32
_MOST_SUBSETS = 64
_LINEAR_PROGRAM = 20_000  # the cost of one, in pairs of items


class BudgetExceededError(Exception):
    """The search was given up; nothing is known about sets of the size it was at."""


class SupportSearch:
    """All sets of ``size`` columns of ``values`` of which ``target`` is a threshold function on every item."""

    def __init__(self, values: Signs, target: Signs, budget: int) -> None:
        self.values = values
        self.target = target
        self.budget = budget
        """How many pairs of items may be examined, repetitions counted."""
        self.n_columns = values.shape[1]
        self._rows = _masks(values > 0)
        self._learned: list[Masks] = []

    def supports(self, size: int) -> Iterator[tuple[int, ...]]:
        """Every set of exactly ``size`` columns that works, provided that no smaller one does."""
        nothing = np.zeros(self._rows.shape[1], np.uint64)
        # Pairs of a few items do for shallow trees; what they miss is found when a set is tested on all items.
        pairs = self._hardest_pairs(_FEW_ITEMS if size <= _SMALL_SIZE else _MANY_ITEMS)
        if self._learned:
            pairs = np.concatenate((pairs, self._learned))
        yield from self._extend((), nothing, pairs, size)

    def _extend(self, chosen: tuple[int, ...], excluded: Masks, open_: Masks, left: int) -> Iterator[tuple[int, ...]]:
        self._spend(len(open_) + 1)
        if not len(open_):
            yield from self._settle(chosen, excluded, left)
            return
        if not left:
            return
        allowed = open_ & ~excluded
        if left == 1:
            choices = np.bitwise_and.reduce(allowed, axis=0)
        else:
            counts = _popcount(allowed)
            if _disjoint_rows(allowed[np.argsort(counts, kind="stable")[:_PACKING_ROWS]]) > left:
                return
            choices = allowed[int(np.argmin(counts))]
        yield from self._branch(chosen, excluded, open_, left, choices)

    def _branch(
        self, chosen: tuple[int, ...], excluded: Masks, open_: Masks, left: int, choices: Masks
    ) -> Iterator[tuple[int, ...]]:
        excluded = excluded.copy()
        for column in _bits(choices):
            word, bit = divmod(column, 64)
            still_open = open_[(open_[:, word] >> np.uint64(bit) & np.uint64(1)) == 0]
            yield from self._extend((*chosen, column), excluded, still_open, left - 1)
            excluded[word] |= np.uint64(1 << bit)

    def _settle(self, chosen: tuple[int, ...], excluded: Masks, left: int) -> Iterator[tuple[int, ...]]:
        """No known pair is left: test the set on all items, and learn what must join when it fails."""
        columns = tuple(sorted(chosen))
        needed = self._known_missing(columns)
        if needed is None:
            needed = self._missing(columns)
            if needed is not None:
                self._learned.append(needed)
        if needed is None:
            if not left:
                yield columns
            return
        if left:
            none_open = np.empty((0, len(excluded)), np.uint64)
            yield from self._branch(chosen, excluded, none_open, left, needed & ~excluded)

    def _known_missing(self, columns: tuple[int, ...]) -> Masks | None:
        """What an earlier failure says: its certificate holds for every set without the columns it asks for."""
        if not self._learned:
            return None
        chosen = np.zeros((1, self.n_columns), np.bool_)
        chosen[0, list(columns)] = True
        learned = np.array(self._learned)
        self._spend(len(learned))
        unmet = learned[~(learned & _masks(chosen)).any(axis=1)]
        if not len(unmet):
            return None
        fewest: Masks = unmet[int(np.argmin(_popcount(unmet)))]
        return fewest

    def _missing(self, columns: tuple[int, ...]) -> Masks | None:
        """None when the columns work; else the columns of which at least one must join them."""
        self._spend(len(self.values))
        part = self.values[:, list(columns)]
        patterns, first, which = np.unique(part, axis=0, return_index=True, return_inverse=True)
        which = which.reshape(-1)
        wanted = self.target[first]
        wrong = np.flatnonzero(self.target != wanted[which])
        if wrong.size:
            other = int(first[which[wrong[0]]])
            between: Masks = self._rows[int(wrong[0])] ^ self._rows[other]
            return between
        if len(columns) <= MOST_INPUTS and columns:
            sets = pattern_sets(patterns, wanted)
            if sets is not None and consistent_gates(len(columns), *sets).size:
                return None
        self._spend(_LINEAR_PROGRAM)
        weights = _cancelling(signed_rows(patterns, wanted))
        if weights is None:
            return None
        used = np.flatnonzero(weights > 1e-9)
        remains = (weights[used] * wanted[used]) @ self.values[first[used]].astype(np.float64)
        joining: Masks = _masks(np.abs(remains)[None, :] > 1e-7)[0]
        return joining

    def _hardest_pairs(self, items: int) -> Masks:
        """Differences between items of opposite targets, without those that follow from smaller ones."""
        true = self._rows[self.target > 0][:items]
        false = self._rows[self.target <= 0][:items]
        pairs = (true[:, None, :] ^ false[None, :, :]).reshape(-1, self._rows.shape[1])
        pairs = np.unique(pairs, axis=0) if pairs.shape[1] > 1 else np.unique(pairs)[:, None]
        pairs = pairs[np.argsort(_popcount(pairs), kind="stable")]
        for k in range(_MOST_SUBSETS):
            if k >= len(pairs):
                break
            implied = ((pairs & pairs[k]) == pairs[k]).all(axis=1)
            implied[: k + 1] = False
            pairs = pairs[~implied]
        return pairs

    def _spend(self, amount: int) -> None:
        self.budget -= amount
        if self.budget < 0:
            raise BudgetExceededError


def _cancelling(rows: npt.NDArray[np.float64]) -> npt.NDArray[np.float64] | None:
    """Weights ≥ 0 on rows that sum them to zero (then no w has rows @ w > 0), few of them; None when there are none."""
    from scipy.optimize import linprog  # slow to import, and often not needed

    width = rows.shape[1]
    equal = np.vstack((rows.T, np.ones(len(rows))))
    result = linprog(np.zeros(len(rows)), A_eq=equal, b_eq=np.append(np.zeros(width), 1.0), method="highs-ds")
    return result.x if result.status == 0 else None


def _masks(bits: npt.NDArray[np.bool_]) -> Masks:
    """Every row of truth values as a row of 64-bit words."""
    packed = np.packbits(bits, axis=1, bitorder="little")
    padded = np.zeros((len(bits), -(-bits.shape[1] // 64) * 8), np.uint8)
    padded[:, : packed.shape[1]] = packed
    return padded.view("<u8").astype(np.uint64, copy=False)


def _bits(mask: Masks) -> list[int]:
    return [int(k) for k in np.flatnonzero(np.unpackbits(mask.astype("<u8").view(np.uint8), bitorder="little"))]


def _popcount(masks: Masks) -> npt.NDArray[np.int64]:
    counts: npt.NDArray[np.int64] = _count_bits(masks).sum(axis=1, dtype=np.int64)
    return counts


def _count_by_table(masks: Masks) -> npt.NDArray[np.uint8]:
    table = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1).sum(axis=1, dtype=np.uint8)
    counts: npt.NDArray[np.uint8] = table[np.ascontiguousarray(masks).view(np.uint8)]
    return counts


# NumPy counts bits itself from version 2 on.
_count_bits: Callable[[Masks], npt.NDArray[np.uint8]] = getattr(np, "bitwise_count", _count_by_table)


def _disjoint_rows(masks: Masks) -> int:
    """How many of the rows, taken greedily, share no bit: a lower bound on the columns needed to hit all rows."""
    used = np.zeros(masks.shape[1], np.uint64)
    count = 0
    for row in masks:
        if not (row & used).any():
            used |= row
            count += 1
    return count
