"""The simplest function of given regulators that explains a variable, as a table and as a formula.

States of the regulators that were never seen leave the function open there. They are filled in as biology suggests:
each regulator only activates or only inhibits (the function is unate) where the seen states allow that, and what
is then still open is chosen for a short formula.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Bits = npt.NDArray[np.bool_]

_MOST_FOR_SIGNS = 10
"""Regulators up to which all combinations of signs are tried; beyond it each takes the sign of its correlation."""


@dataclass(frozen=True)
class Seen:
    """What was seen of a function: for every state of its k regulators, how much spoke for 0 and for 1.

    Shape (2,) * k, the first regulator on the first axis.
    """

    zeros: npt.NDArray[np.float64]
    ones: npt.NDArray[np.float64]

    @classmethod
    def count(cls, states: Bits, values: Bits, weights: npt.NDArray[np.float64] | None = None) -> Seen:
        """From rows; ``weights`` are what each row counts."""
        k = states.shape[1]
        places = states @ (1 << np.arange(k)[::-1]) if k else np.zeros(len(states), np.int64)
        total = np.ones(len(values)) if weights is None else weights
        tables = [np.bincount(places[values == v], total[values == v], 1 << k).reshape((2,) * k) for v in (False, True)]
        return cls(tables[0], tables[1])

    @property
    def unseen(self) -> int:
        """States of the regulators about which nothing is known."""
        return int(((self.zeros == 0) & (self.ones == 0)).sum())


@dataclass(frozen=True)
class Function:
    """A Boolean function of k regulators, on all states of theirs."""

    table: Bits
    """Shape (2,) * k, the first regulator on the first axis."""
    terms: tuple[tuple[int, ...], ...]
    """An Or of Ands: for each of them, +1 or −1 for every regulator that it asks for, 0 for the others."""

    @property
    def literals(self) -> int:
        return sum(sum(map(abs, term)) for term in self.terms)

    @property
    def signs(self) -> tuple[int, ...]:
        """For every regulator +1 where it activates, −1 where it inhibits, 0 where it does both or nothing."""
        found = []
        for axis in range(self.table.ndim):
            low, high = np.moveaxis(self.table, axis, 0)
            found.append(int((~low & high).any()) - int((low & ~high).any()))
        return tuple(found)

    @property
    def unate(self) -> bool:
        return 0 not in self.signs

    def formula(self, names: list[str]) -> str:
        """With ``&``, ``|``, ``!`` and brackets; what all terms share stands outside."""
        return factored(self.terms, names)


def simplest_function(seen: Seen) -> Function:
    """Right wherever more speaks for one value than for the other, and simple elsewhere."""
    one, zero = seen.ones > seen.zeros, seen.zeros > seen.ones
    signs = _possible_signs(seen, one, zero)
    if signs is not None:
        one, zero = _closed(one, signs), _closed(zero, tuple(-sign for sign in signs))
    terms = _short_cover(one, zero, signs)
    return Function(_table_of(terms, one.ndim), terms)


def _possible_signs(seen: Seen, one: Bits, zero: Bits) -> tuple[int, ...] | None:
    """The signs with which a unate function is right, nearest to the correlations; None where there are none."""
    k = one.ndim
    lean = []
    for axis in range(k):
        low, high = np.moveaxis(seen.ones - seen.zeros, axis, 0)
        weights_low, weights_high = np.moveaxis(seen.ones + seen.zeros, axis, 0)
        lean.append(high.sum() / max(weights_high.sum(), 1e-9) - low.sum() / max(weights_low.sum(), 1e-9))
    if k > _MOST_FOR_SIGNS:
        choices = [tuple(1 if value >= 0 else -1 for value in lean)]
    else:
        combinations = [tuple(1 - 2 * (number >> axis & 1) for axis in range(k)) for number in range(1 << k)]
        choices = sorted(combinations, key=lambda signs: -float(np.dot(signs, lean)) if k else 0.0)
    for signs in choices:
        if not (_closed(one, signs) & zero).any():
            return signs
    return None


def _closed(one: Bits, signs: tuple[int, ...]) -> Bits:
    """Where a unate function with these signs must be true because it is true for less.

    With opposite signs: where it must be false because it is false for more.
    """
    closed = one.copy()
    for axis, sign in enumerate(signs):
        low, high = np.moveaxis(closed, axis, 0)
        if sign > 0:
            high |= low
        else:
            low |= high
    return closed


def _short_cover(one: Bits, zero: Bits, signs: tuple[int, ...] | None) -> tuple[tuple[int, ...], ...]:
    """Few large cubes that hold every one and no zero. A cube fixes some regulators to 0 or 1 and leaves the others."""
    k = one.ndim
    if not one.any():
        return ()
    holds_zero, holds_one = zero, one
    for axis in range(k):  # index 2 of an axis: both values
        holds_zero, holds_one = (
            np.concatenate([part, part.any(axis=axis, keepdims=True)], axis=axis) for part in (holds_zero, holds_one)
        )
    possible = ~holds_zero & holds_one
    if signs is not None:
        for axis, sign in enumerate(signs):
            np.moveaxis(possible, axis, 0)[0 if sign > 0 else 1] = False
    prime = possible.copy()
    for axis in range(k):
        fixed, larger = np.moveaxis(prime, axis, 0)[:2], np.moveaxis(possible, axis, 0)[2]
        fixed &= ~larger
    cubes = np.argwhere(prime)
    cells = np.argwhere(one)
    within = ((cubes[:, None] == 2) | (cubes[:, None] == cells[None])).all(axis=2)
    cost = (cubes != 2).sum(axis=1)
    chosen: list[int] = []
    left = np.ones(len(cells), bool)
    while left.any():
        gain = within[:, left].sum(axis=1)
        alone = within[:, left].sum(axis=0) == 1
        if alone.any():  # the only cube for some cell has to be taken
            best = int(within[:, left][:, int(np.argmax(alone))].argmax())
        else:
            best = int(np.lexsort((cost, -gain))[0])
        chosen.append(best)
        left &= ~within[best]
    for cube in sorted(chosen, key=lambda cube: -int(cost[cube])):
        others = [other for other in chosen if other != cube]
        if others and within[others].any(axis=0).all():
            chosen = others
    return tuple(sorted(tuple((2 * cubes[c] - 1) * (cubes[c] != 2)) for c in chosen))[::-1]


def _table_of(terms: tuple[tuple[int, ...], ...], k: int) -> Bits:
    table = np.zeros((2,) * k, bool)
    for term in terms:
        table[tuple(slice(None) if sign == 0 else int(sign > 0) for sign in term)] = True
    return table


def factored(terms: tuple[tuple[int, ...], ...], names: list[str]) -> str:
    """An Or of Ands as a formula in which the literal that most terms share is taken out, again and again."""
    text, _ = _factored([{(k, sign) for k, sign in enumerate(term) if sign} for term in terms], names)
    return text


def _factored(terms: list[set[tuple[int, int]]], names: list[str]) -> tuple[str, bool]:
    """The text, and whether it is an Or, which needs brackets inside an And."""
    if not terms:
        return "0", False
    if not all(terms):
        return "1", False
    every = sorted({literal for term in terms for literal in term})
    counts = [sum(literal in term for term in terms) for literal in every]
    if len(terms) == 1:
        return " & ".join(_literal(literal, names) for literal in every), False
    most = max(counts)
    if most == 1:
        return " | ".join(_factored([term], names)[0] for term in terms), True
    literal = every[counts.index(most)]
    inner, is_or = _factored([term - {literal} for term in terms if literal in term], names)
    shared = (
        _literal(literal, names) if inner == "1" else f"{_literal(literal, names)} & {f'({inner})' if is_or else inner}"
    )
    rest = [term for term in terms if literal not in term]
    if not rest:
        return shared, False
    return f"{shared} | {_factored(rest, names)[0]}", True


def _literal(literal: tuple[int, int], names: list[str]) -> str:
    place, sign = literal
    return names[place] if sign > 0 else f"!{names[place]}"
