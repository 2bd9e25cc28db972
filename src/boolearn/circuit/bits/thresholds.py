"""A gate as bit logic, exact for integer weights of any size.

With ±1 written as bits and negative weights moved to negated bits, every threshold gate asks whether
``Σ w·x ≥ t`` with w > 0. Two constructions answer it and the cheaper one is kept: decide on one input
after the other, heaviest first (short for few inputs, whatever their weights), or add up bit-sliced
counters and compare the sum with t (short for many inputs).
"""

from __future__ import annotations

import functools
import math
from collections import defaultdict

from boolearn.circuit.bits.logic import COST, FALSE, TRUE, BitLogic, Rule
from boolearn.circuit.gate import Gate
from boolearn.circuit.threshold.binary_sum import BitAlgebra
from boolearn.circuit.threshold.diagram import Join, Majority, Node, ThresholdDiagram, threshold_diagram

_ADDER_COST = COST[Rule.XOR3] + COST[Rule.MAJ]
_NODE_COST = COST[Rule.AND]
_CLEARLY = 2
"""How many times cheaper deciding must look for adding up not to be tried as well."""

Terms = list[tuple[int, int]]
"""Pairs (weight, bit), weights positive and falling, bits of different nodes."""


def gate_bit(logic: BitLogic, gate: Gate, signals: list[int]) -> int:
    """The bit that is set when the gate holds +1; ``signals`` are the bits of the signals before it."""
    if gate.xor:
        read = (signals[signal] ^ (weight < 0) for signal, weight in zip(gate.inputs, gate.weights, strict=True))
        return functools.reduce(logic.xor, read)
    terms, bound = _as_sum(gate, signals)
    outer: list[tuple[bool, int]] = []
    total = sum(weight for weight, _ in terms)
    while 0 < bound <= total:
        weight, bit = terms[len(outer)]
        if weight >= bound:  # alone it suffices
            outer.append((True, bit))
        elif total - weight < bound:  # nothing does without it
            outer.append((False, bit))
            bound -= weight
        else:
            core = _core(logic, *_reduced(terms[len(outer) :], bound))
            break
        total -= weight
    else:
        core = TRUE if bound <= 0 else FALSE
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
    size, before = len(logic.nodes), logic.cost
    expected = _cost_of_sum(terms)
    diagram = threshold_diagram(
        [weight for weight, _ in terms], sum(weight for weight, _ in terms) - 2 * bound + 1, expected // _NODE_COST
    )
    if diagram is None:
        return _sum_at_least(logic, terms, bound)
    by_decisions = _decided(logic, terms, diagram)
    cost = logic.cost - before
    if _CLEARLY * cost <= expected:
        return by_decisions
    logic.forget_since(size)
    by_sum = _sum_at_least(logic, terms, bound)
    if logic.cost - before < cost:
        return by_sum
    logic.forget_since(size)
    return _decided(logic, terms, diagram)


def _decided(logic: BitLogic, terms: Terms, diagram: ThresholdDiagram) -> int:
    """One input after the other."""
    bits = [terms[k][1] for k in diagram.inputs]
    made = {0: FALSE, 1: TRUE}
    for number, part in diagram.parts(majorities=True):
        match part:
            case Node(literal, high, low):
                made[number] = logic.or_(made[low], logic.and_(bits[literal], made[high]))
            case Join(literals, all_needed):
                join = logic.and_ if all_needed else logic.or_
                # From the last on, so that shorter joins are found in longer ones.
                made[number] = functools.reduce(join, (bits[k] for k in reversed(literals)))
            case Majority(a, b, c):
                made[number] = logic.majority(bits[a], bits[b], bits[c])
    return made[diagram.root]


def _cost_of_sum(terms: Terms) -> int:
    """What adding up costs if nothing is found twice: an adder for every bit of the weights but one a digit."""
    total = sum(weight for weight, _ in terms)
    return _ADDER_COST * sum(weight.bit_count() for weight, _ in terms) + _NODE_COST * total.bit_length()


def _sum_at_least(logic: BitLogic, terms: Terms, bound: int) -> int:
    algebra = BitAlgebra(
        false=FALSE,
        true=TRUE,
        both=logic.and_,
        either=logic.or_,
        add=lambda a, b, c: (logic.sum_of_three(a, b, c), logic.majority(a, b, c)),
    )
    return algebra.sum_at_least(terms, bound)
