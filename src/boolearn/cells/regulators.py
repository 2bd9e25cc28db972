"""The smallest sets of regulators that explain what a variable does next.

Two states after which the variable differs must differ in a regulator. So a set of regulators explains all
transitions exactly when it hits, for every pair of such states, the variables in which they differ. Pairs are bits:
each candidate has a row of bits, set for the pairs that it tells apart, and a set explains everything when its
rows together have no bit clear. A sample of the pairs is enough to find sets; each is then checked on all states.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np
import numpy.typing as npt

from boolearn.circuit.bits.packing import pack

Bits = npt.NDArray[np.bool_]
Words = npt.NDArray[np.uint64]
Sets = npt.NDArray[np.int64]

_PAIRS = 2048
"""How many pairs are looked at first. Half of them are pairs of the most similar states, which say most."""
_MOST_SETS = 2000
_EXHAUSTIVE = 6_000_000
"""Sets of one size up to this number are all tried; beyond it the search follows the best ones only."""
_BEAM = 128
_AT_A_TIME = 1 << 21


@dataclass(frozen=True)
class Explanations:
    """Sets of candidates, all of the same least size, that explain a variable."""

    sets: Sets
    """Shape (sets, size); candidates in rising order."""
    complete: bool
    """Whether these are all there are, and no smaller set was missed."""

    @property
    def size(self) -> int:
        return int(self.sets.shape[1])


def smallest_explanations(states: Bits, values: Bits, most: int, seed: int = 0) -> Explanations | None:
    """All smallest sets of columns of ``states`` of which ``values`` is a function; None beyond ``most`` columns."""
    if values.all() or not values.any():
        return Explanations(np.empty((1, 0), np.int64), complete=True)
    useful = np.flatnonzero((states != states[0]).any(axis=0))
    if not len(useful) or not explains(states[:, useful], values):
        return None
    pairs = _Pairs(states[:, useful], values, np.random.default_rng(seed))
    complete = True
    for size in range(1, min(most, len(useful)) + 1):
        exhaustive = comb(len(useful), size) <= _EXHAUSTIVE
        complete &= exhaustive
        found = pairs.sets_of(size, exhaustive)
        if len(found):
            return Explanations(useful[found], complete and len(found) < _MOST_SETS)
    return None


def explains(states: Bits, values: Bits) -> bool:
    """Whether the values are a function of these columns."""
    return not len(_conflicts(states, values)[0])


def _conflicts(states: Bits, values: Bits) -> tuple[Sets, Sets]:
    """Rows that are equal and yet have different values: for each such state one row with each value."""
    order = np.lexsort((*np.packbits(states, axis=1).T, values))
    order = order[np.argsort(_groups(states)[order], kind="stable")]
    group = _groups(states)[order]
    border = (group[1:] == group[:-1]) & (values[order][1:] != values[order][:-1])
    return order[:-1][border], order[1:][border]


def _groups(states: Bits) -> Sets:
    """A number for every row, the same for equal rows."""
    if states.shape[1] <= 62:
        return np.asarray(states @ (1 << np.arange(states.shape[1], dtype=np.int64)))
    return np.unique(np.packbits(states, axis=1), axis=0, return_inverse=True)[1].ravel()


class _Pairs:
    """Pairs of rows with different values, and which candidates tell them apart."""

    def __init__(self, states: Bits, values: Bits, rng: np.random.Generator) -> None:
        self.states, self.values = states, values
        ones, zeros = np.flatnonzero(values), np.flatnonzero(~values)
        first, second = _sample(states, ones, zeros, rng)
        self.apart = np.ascontiguousarray(states[first] != states[second])

    @property
    def open(self) -> Words:
        """Shape (candidates, words): the pairs that a candidate leaves together."""
        return pack(~self.apart)

    def sets_of(self, size: int, exhaustive: bool) -> Sets:
        """Sets of this size that explain everything, at most ``_MOST_SETS``; smaller ones are known not to."""
        while True:
            found = _disjoint(self.open, size) if exhaustive else _beam(self.open, size)
            right, missed = [], []
            for chosen in found:
                first, second = _conflicts(self.states[:, chosen], self.values)
                if len(first):
                    missed.append(self.states[first[:8]] != self.states[second[:8]])
                else:
                    right.append(chosen)
                if len(missed) > 100 or len(right) >= _MOST_SETS:
                    break
            if len(right) >= _MOST_SETS or not missed:
                return np.array(right, np.int64).reshape(len(right), size)
            self.apart = np.concatenate([*missed, self.apart])  # first, where they rule out most


def _sample(states: Bits, ones: Sets, zeros: Sets, rng: np.random.Generator) -> tuple[Sets, Sets]:
    total = len(ones) * len(zeros)
    if total <= _PAIRS:
        return np.repeat(ones, len(zeros)), np.tile(zeros, len(ones))
    signs = np.where(states, np.float32(1), np.float32(-1))
    alike = (signs[ones] @ signs[zeros].T).ravel()
    near = np.argpartition(alike, total - _PAIRS // 2)[total - _PAIRS // 2 :]
    near = near[np.argsort(-alike[near], kind="stable")]
    chosen = np.concatenate([near, rng.integers(0, total, _PAIRS // 2)])
    return ones[chosen // len(zeros)], zeros[chosen % len(zeros)]


def _disjoint(open_pairs: Words, size: int) -> Sets:
    """All sets whose open pairs have no pair in common; at most a few more than ``_MOST_SETS``."""
    n = len(open_pairs)
    if size == 1:
        return np.flatnonzero(~open_pairs.any(axis=1))[:, None]
    low, high = np.triu_indices(n, 1)
    if size == 2:
        return _checked(open_pairs, np.stack([low, high], axis=1))
    # Sets of size − 2 candidates, each met with the two-sets of higher numbers.
    order = np.argsort(low, kind="stable")
    low, high = low[order], high[order]
    tails = open_pairs[low, 0] & open_pairs[high, 0]
    begins = np.searchsorted(low, np.arange(n + 1))
    heads = _combinations(n, size - 2)
    head_words = np.bitwise_and.reduce(open_pairs[heads, 0], axis=1)
    found: list[Sets] = []
    count = 0
    for last in range(size - 3, n - 2):
        of_last = heads[heads[:, -1] == last]
        words = head_words[heads[:, -1] == last]
        begin = begins[last + 1]
        step = max(1, _AT_A_TIME // max(1, len(tails) - begin))
        for first in range(0, len(of_last), step):
            head, tail = np.nonzero((words[first : first + step, None] & tails[None, begin:]) == 0)
            chosen = of_last[first : first + step][head]
            sets = _checked(open_pairs, np.column_stack([chosen, low[begin + tail], high[begin + tail]]))
            count += len(sets)
            found.append(sets)
            if count > _MOST_SETS:
                return np.concatenate(found)
    return np.concatenate(found) if found else np.empty((0, size), np.int64)


def _combinations(n: int, size: int) -> Sets:
    sets = np.arange(n)[:, None]
    for _ in range(size - 1):
        grown = [np.column_stack([sets[sets[:, -1] < k], np.full((sets[:, -1] < k).sum(), k)]) for k in range(n)]
        sets = np.concatenate(grown)
    return sets


def _checked(open_pairs: Words, sets: Sets) -> Sets:
    """Those of the sets that leave no pair open, a word of pairs after the other."""
    for word in range(open_pairs.shape[1]):
        if not len(sets):
            break
        left = open_pairs[sets[:, 0], word]
        for column in range(1, sets.shape[1]):
            left = left & open_pairs[sets[:, column], word]
        sets = sets[left == 0]
    return sets


def _beam(open_pairs: Words, size: int) -> Sets:
    """Sets that leave no pair open, found from the best smaller ones: those that leave the fewest pairs open."""
    n = len(open_pairs)
    sets = np.arange(n)[:, None]
    left = open_pairs
    for reached in range(2, size + 1):
        grown = left[:, None] & open_pairs[None]
        count = _count_bits(grown)
        owned = np.zeros((len(sets), n), bool)
        np.put_along_axis(owned, sets, True, axis=1)
        count[owned] = np.iinfo(np.int64).max
        if reached == size:
            kept = np.flatnonzero(count.ravel() == 0)
        else:
            kept = np.argsort(count.ravel(), kind="stable")[: _BEAM * reached]
            kept = kept[count.ravel()[kept] < np.iinfo(np.int64).max]
        grown_sets = np.sort(np.column_stack([sets[kept // n], kept % n]), axis=1)
        _, first = np.unique(grown_sets, axis=0, return_index=True)
        first = np.sort(first)[:_BEAM] if reached < size else np.sort(first)[:_MOST_SETS]
        sets, left = grown_sets[first], grown.reshape(-1, grown.shape[-1])[kept[first]]
    return sets


def _count_bits(words: Words) -> npt.NDArray[np.int64]:
    """How many bits are set in the last axis."""
    if hasattr(np, "bitwise_count"):
        return np.asarray(np.bitwise_count(words).sum(axis=-1, dtype=np.int64))
    octets = words.view(np.uint8)
    return np.asarray(np.unpackbits(octets, axis=-1).sum(axis=-1, dtype=np.int64))
