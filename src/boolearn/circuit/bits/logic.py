"""BitLogic: a growing net of And, Xor and majority over bits, in which nothing is stored twice.

A *bit* here is a number: twice the node that computes it, plus one when it is negated. Negation is
therefore free, and a node that was asked for before, in whatever order or polarity, is found again.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

FALSE, TRUE = 0, 1


class Rule(enum.IntEnum):
    """How a node follows from its operands."""

    CONSTANT = 0
    INPUT = 1
    AND = 2
    XOR = 3
    XOR3 = 4
    MAJ = 5


@dataclass(frozen=True)
class Node:
    rule: Rule
    operands: tuple[int, ...] = ()
    """Bits. Those of Xor are never negated; of a Maj at most one is."""


_COST = {Rule.CONSTANT: 0, Rule.INPUT: 0, Rule.AND: 3, Rule.XOR: 4, Rule.XOR3: 4, Rule.MAJ: 5}
"""Quarters of the time of one pass over a word: loads and stores weigh more than the logic itself,
and two Ands usually become one instruction, as do the sum and the carry of an adder."""


@dataclass
class BitLogic:
    n_inputs: int
    nodes: list[Node] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.nodes = [Node(Rule.CONSTANT), *[Node(Rule.INPUT)] * self.n_inputs]
        self._known: dict[Node, int] = {}
        self.cost = 0

    def input(self, index: int) -> int:
        return 2 * (1 + index)

    def and_(self, a: int, b: int) -> int:
        a, b = min(a, b), max(a, b)
        if a == FALSE or a == b ^ 1:
            return FALSE
        if a in (TRUE, b):
            return b
        for x, y in ((a, b), (b, a)):
            below = self.nodes[y >> 1]
            if below.rule is not Rule.AND:
                continue
            if x ^ 1 in below.operands:  # x & (~x & q), x & ~(~x & q)
                return x if y & 1 else FALSE
            if x in below.operands:  # x & (x & q), x & ~(x & q)
                (q,) = (bit for bit in below.operands if bit != x)
                return self.and_(x, q ^ 1) if y & 1 else y
        return self._node(Rule.AND, a, b)

    def or_(self, a: int, b: int) -> int:
        return self.and_(a ^ 1, b ^ 1) ^ 1

    def xor(self, a: int, b: int) -> int:
        parity = (a ^ b) & 1
        a, b = sorted((a & ~1, b & ~1))
        if a == b:
            return parity
        return (b if a == FALSE else self._node(Rule.XOR, a, b)) ^ parity

    def sum_of_three(self, a: int, b: int, c: int) -> int:
        """a ⊕ b ⊕ c, the lower bit of a + b + c."""
        parity = (a ^ b ^ c) & 1
        x, y, z = sorted((a & ~1, b & ~1, c & ~1))
        if x in (FALSE, y) or y == z:
            return self.xor(self.xor(x, y), z) ^ parity
        return self._node(Rule.XOR3, x, y, z) ^ parity

    def majority(self, a: int, b: int, c: int) -> int:
        """The upper bit of a + b + c."""
        a, b, c = sorted((a, b, c))
        if a == FALSE:
            return self.and_(b, c)
        if a == TRUE:
            return self.or_(b, c)
        if a == b or b == c:
            return b
        if a == b ^ 1 or b == c ^ 1:
            return c if a == b ^ 1 else a
        flip = 1 if (a & 1) + (b & 1) + (c & 1) >= 2 else 0
        return self._node(Rule.MAJ, a ^ flip, b ^ flip, c ^ flip) ^ flip

    def forget_since(self, size: int) -> None:
        """Drop all but the first ``size`` nodes; nothing may use the others any more."""
        for node in self.nodes[size:]:
            del self._known[node]
            self.cost -= _COST[node.rule]
        del self.nodes[size:]

    def _node(self, rule: Rule, *operands: int) -> int:
        node = Node(rule, operands)
        if node not in self._known:
            self._known[node] = len(self.nodes)
            self.nodes.append(node)
            self.cost += _COST[rule]
        return 2 * self._known[node]
