"""A threshold gate as bit logic, exact for integer weights of any size.

With ±1 written as bits and negative weights moved to negated bits, every gate asks whether
``Σ w·x ≥ t`` with w > 0. Two constructions answer it and the cheaper one is kept: decide on one input
after the other, heaviest first (short for few inputs, whatever their weights), or add up bit-sliced
counters and compare the sum with t (short for many inputs).
"""

from __future__ import annotations

import bisect
import math
from collections import defaultdict

from boolearn.circuit.bits.logic import FALSE, TRUE, BitLogic
from boolearn.circuit.gate import Gate

_MOST_DECISIONS = 200
"""Inputs beyond which deciding one by one is not tried: it would be deep, and never the cheaper way."""

Terms = list[tuple[int, int]]
"""Pairs (weight, bit), weights positive and falling, bits of different nodes."""


def gate_bit(logic: BitLogic, gate: Gate, signals: list[int]) -> int:
    """The bit that tells whether the gate holds +1; ``signals`` are the bits of the signals before it."""
    terms, bound = _as_sum(gate, signals)
    outer: list[tuple[bool, int]] = []
    while True:
        terms, bound = _reduced(terms, bound)
        total = sum(weight for weight, _ in terms)
        if bound <= 0 or bound > total:
            core = TRUE if bound <= 0 else FALSE
            break
        weight, bit = terms[0]
        if weight >= bound:  # alone it suffices
            outer.append((True, bit))
        elif total - weight < bound:  # nothing does without it
            outer.append((False, bit))
            bound -= weight
        else:
            core = _core(logic, terms, bound)
            break
        terms = terms[1:]
    for suffices, bit in reversed(outer):
        core = logic.or_(bit, core) if suffices else logic.and_(bit, core)
    return core


def _as_sum(gate: Gate, signals: list[int]) -> tuple[Terms, int]:
    """``bias + Σ weight·signal > 0`` over ±1 as ``Σ w·x ≥ t`` over bits."""
    # s = 2x − 1, hence 2 Σ w x > Σ w − bias.
    coefficient: defaultdict[int, int] = defaultdict(int)
    constant = 0
    for weight, signal in zip(gate.weights, gate.inputs, strict=True):
        bit = signals[signal]
        coefficient[bit & ~1] += -weight if bit & 1 else weight
        constant += weight if bit & 1 else 0
    bound = (sum(gate.weights) - gate.bias) // 2 + 1 - constant
    coefficient.pop(FALSE, None)
    terms = []
    for bit, weight in coefficient.items():
        if weight < 0:  # w x = w + |w| (1 − x)
            bound -= weight
            terms.append((-weight, bit ^ 1))
        elif weight:
            terms.append((weight, bit))
    return sorted(terms, key=lambda term: (-term[0], term[1])), bound


def _reduced(terms: Terms, bound: int) -> tuple[Terms, int]:
    """The same question in the smallest numbers a common divisor gives."""
    divisor = math.gcd(*(weight for weight, _ in terms)) if terms else 1
    return [(weight // divisor, bit) for weight, bit in terms], -(-bound // divisor)


def _core(logic: BitLogic, terms: Terms, bound: int) -> int:
    """Three terms or more of which none suffices and none is indispensable."""
    if len(terms) == 3:
        return logic.majority(*(bit for _, bit in terms))
    size = len(logic.nodes)
    by_sum = _sum_at_least(logic, terms, bound)
    most_cost = logic.cost
    if len(terms) > _MOST_DECISIONS:
        return by_sum
    logic.forget_since(size)
    by_decisions = _Decisions(logic, terms, most_cost).at_least(bound)
    if by_decisions is not None:
        return by_decisions
    logic.forget_since(size)
    return _sum_at_least(logic, terms, bound)


def _sum_at_least(logic: BitLogic, terms: Terms, bound: int) -> int:
    """Add the terms digit by digit with full adders, then compare with the constant."""
    columns: defaultdict[int, list[int]] = defaultdict(list)
    for weight, bit in terms:
        for digit in range(weight.bit_length()):
            if weight >> digit & 1:
                columns[digit].append(bit)
    holds = TRUE  # whether the digits so far are at least the bound's
    for digit in range(sum(weight for weight, _ in terms).bit_length()):
        column = columns[digit]
        while len(column) > 1:
            a, b = column.pop(), column.pop()
            c = column.pop() if column else FALSE
            column.append(logic.sum_of_three(a, b, c))
            columns[digit + 1].append(logic.majority(a, b, c))
        bit = column[0] if column else FALSE
        holds = logic.and_(bit, holds) if bound >> digit & 1 else logic.or_(bit, holds)
    return holds


class _Decisions:
    """Σ w·x ≥ t by one input after the other: with x₁ the rest must reach t − w₁, without it t.

    Many bounds ask the same of the rest: for each position the intervals of bounds with one answer are kept.
    """

    def __init__(self, logic: BitLogic, terms: Terms, most_cost: int) -> None:
        self._logic = logic
        self._terms = terms
        self._most_cost = most_cost
        self._totals = [sum(weight for weight, _ in terms[first:]) for first in range(len(terms) + 1)]
        self._firsts: list[list[int]] = [[] for _ in terms]
        self._answers: list[list[tuple[int, int, int]]] = [[] for _ in terms]

    def at_least(self, bound: int) -> int | None:
        """The bit, or None when it costs more than allowed."""
        answer = self._rest(0, bound)
        return None if answer is None or self._logic.cost > self._most_cost else answer[0]

    def _rest(self, position: int, bound: int) -> tuple[int, int, int] | None:
        """(bit, least bound, greatest bound): what the terms from a position on tell, and for which bounds."""
        if self._logic.cost > self._most_cost:
            return None
        total = self._totals[position]
        if bound <= 0:
            return TRUE, bound - self._totals[0], 0
        if bound > total:
            return FALSE, total + 1, bound + self._totals[0]
        known = bisect.bisect_right(self._firsts[position], bound) - 1
        if known >= 0 and bound <= self._answers[position][known][2]:
            return self._answers[position][known]
        answer = self._majority(position, bound) or self._decided(position, bound)
        if answer is None:
            return None
        self._firsts[position].insert(known + 1, answer[1])
        self._answers[position].insert(known + 1, answer)
        return answer

    def _majority(self, position: int, bound: int) -> tuple[int, int, int] | None:
        if position + 3 != len(self._terms):
            return None
        (first, a), (second, b), (third, c) = self._terms[position:]
        if not first < bound <= second + third:
            return None
        return self._logic.majority(a, b, c), first + 1, second + third

    def _decided(self, position: int, bound: int) -> tuple[int, int, int] | None:
        weight, bit = self._terms[position]
        with_it = self._rest(position + 1, bound - weight)
        without = self._rest(position + 1, bound) if with_it else None
        if with_it is None or without is None:
            return None
        return (
            self._logic.or_(without[0], self._logic.and_(bit, with_it[0])),
            max(with_it[1] + weight, without[1]),
            min(with_it[2] + weight, without[2]),
        )
