"""The decision diagram of a threshold function: exact for weights of any size, small when the function is simple.

A node tests one literal and continues with ``high`` or ``low``. Inputs that cannot matter never appear, functions that
are equal from some level on share their nodes, and since all literals are taken with positive weights the function
rises with every one of them: ``low`` implies ``high``, so a node is just ``low | (literal & high)``.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

FALSE, TRUE = 0, 1


@dataclass(frozen=True)
class Node:
    """Which literal is asked, and the nodes (by number, 0 false and 1 true) for its two answers."""

    literal: int
    high: int
    low: int


@dataclass(frozen=True)
class Join:
    """Several nodes in one: And of the literals if all are needed, else Or."""

    literals: tuple[int, ...]
    all_needed: bool


@dataclass(frozen=True)
class Majority:
    """Several nodes in one: at least two of three literals."""

    a: int
    b: int
    c: int


@dataclass(frozen=True)
class ThresholdDiagram:
    """Nodes 2, 3, … in an order where a node's successors come first; ``root`` is the function.

    Literal k is input ``inputs[k]``, negated when ``signs[k]`` is −1.
    """

    inputs: tuple[int, ...]
    signs: tuple[int, ...]
    nodes: tuple[Node, ...]
    root: int

    def parts(self, majorities: bool = False) -> Iterator[tuple[int, Node | Join | Majority]]:
        """What the root needs, with numbers and in order, where several nodes that are And or Or of literals alone,
        or on request a majority of three, are taken as one part."""
        found: dict[int, Node | Join | Majority] = {}
        needed = {self.root}
        any_of, all_of = self._joins()
        for number in range(len(self.nodes) + 1, TRUE, -1):
            if number not in needed:
                continue
            node = self.nodes[number - 2]
            if number in any_of or number in all_of:
                found[number] = Join(self._chain(number), number in all_of)
                continue
            if majorities and node.high in any_of and node.low in all_of:
                pair = self._chain(node.high)
                if len(pair) == 2 and pair == self._chain(node.low):
                    found[number] = Majority(node.literal, *pair)
                    continue
            found[number] = node
            needed.update((node.high, node.low))
        return reversed(found.items())

    def _joins(self) -> tuple[set[int], set[int]]:
        """The nodes that are Or of literals alone, and those that are And; a single literal is both."""
        any_of, all_of = {FALSE}, {TRUE}
        for number, node in enumerate(self.nodes, 2):
            if node.high == TRUE and node.low in any_of:
                any_of.add(number)
            if node.low == FALSE and node.high in all_of:
                all_of.add(number)
        return any_of, all_of

    def _chain(self, number: int) -> tuple[int, ...]:
        literals = []
        while number > TRUE:
            node = self.nodes[number - 2]
            literals.append(node.literal)
            number = node.low if node.high == TRUE else node.high
        return tuple(literals)


def threshold_diagram(weights: Sequence[int], bias: int, most_nodes: int = 100_000) -> ThresholdDiagram | None:
    """The diagram of ``bias + Σ weight·x > 0`` over x = ±1, or None when it has more than ``most_nodes`` nodes."""
    order = sorted((k for k, weight in enumerate(weights) if weight), key=lambda k: -abs(weights[k]))
    sizes = [abs(weights[k]) for k in order]
    # With literals in {0, 1} the sum is positive when Σ |w|·l is more than half of Σ|w| − bias.
    builder = _Builder(sizes, most_nodes)
    root = builder.build((sum(sizes) - bias) // 2 + 1)
    if root is None:
        return None
    signs = tuple(1 if weights[k] > 0 else -1 for k in order)
    return ThresholdDiagram(tuple(order), signs, tuple(builder.nodes), root)


class _Builder:
    """Decides Σ wᵢ·lᵢ ≥ need, large weights first, without recursion: there may be thousands of inputs.

    Needs between which the rest of the sum cannot fall lead to the same node, so each node is kept with the interval
    of needs it serves (Abío et al., "A new look at BDDs for pseudo-Boolean constraints").
    """

    def __init__(self, weights: list[int], most_nodes: int) -> None:
        self.weights = weights
        self.most_nodes = most_nodes
        self.rest = [0] * (len(weights) + 1)
        for level in range(len(weights) - 1, -1, -1):
            self.rest[level] = self.rest[level + 1] + weights[level]
        self.nodes: list[Node] = []
        self._numbers: dict[Node, int] = {}
        self._served: list[list[tuple[int, int, int]]] = [[] for _ in weights]

    def build(self, need: int) -> int | None:
        """The root, or None when there are too many nodes."""
        waiting = [(0, need)]
        while waiting:
            level, wanted = waiting[-1]
            if self._find(level, wanted):
                waiting.pop()
                continue
            weight = self.weights[level]
            low, high = self._find(level + 1, wanted), self._find(level + 1, wanted - weight)
            if low is None:
                waiting.append((level + 1, wanted))
            elif high is None:
                waiting.append((level + 1, wanted - weight))
            else:
                interval = max(low[0], high[0] + weight), min(low[1], high[1] + weight)
                insort(self._served[level], (*interval, self._node(level, high[2], low[2])))
                if len(self.nodes) > self.most_nodes:
                    return None
        found = self._find(0, need)
        return found and found[2]

    def _find(self, level: int, need: int) -> tuple[int, int, int] | None:
        """(least need, greatest need, node) for the literals from a level on, if it is known yet."""
        if need <= 0:
            return -self.rest[0], 0, TRUE
        if need > self.rest[level]:
            return self.rest[level] + 1, 2 * self.rest[0], FALSE
        known = self._served[level]
        place = bisect_left(known, need, key=lambda entry: entry[1])
        return known[place] if place < len(known) and known[place][0] <= need else None

    def _node(self, level: int, high: int, low: int) -> int:
        if high == low:
            return high
        node = Node(level, high, low)
        number = self._numbers.setdefault(node, len(self.nodes) + 2)
        if number == len(self.nodes) + 2:
            self.nodes.append(node)
        return number
