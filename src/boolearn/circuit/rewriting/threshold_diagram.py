"""The decision diagram of a threshold function: exact for weights of any size, small when the function is simple.

A node asks one literal and goes on to ``high`` or ``low``. Inputs that cannot matter never appear, functions that
are equal from some level on share their nodes, and since all literals are taken with positive weights the function
rises with every one of them: ``low`` implies ``high``, so a node is just ``low | (literal & high)``.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass

FALSE, TRUE = 0, 1
_MOST_INPUTS = 800  # the construction recurses once per input


@dataclass(frozen=True)
class Node:
    """Which literal is asked, and the nodes (by number, 0 false and 1 true) for its two answers."""

    literal: int
    high: int
    low: int


@dataclass(frozen=True)
class ThresholdDiagram:
    """Nodes 2, 3, … in an order where a node's successors come first; ``root`` is the function.

    Literal k is input ``inputs[k]``, negated when ``signs[k]`` is −1.
    """

    inputs: tuple[int, ...]
    signs: tuple[int, ...]
    nodes: tuple[Node, ...]
    root: int


def threshold_diagram(weights: Sequence[int], bias: int, most_nodes: int = 100_000) -> ThresholdDiagram | None:
    """The diagram of ``bias + Σ weight·x > 0`` over x = ±1, or None when it has more than ``most_nodes`` nodes.

    Large weights are asked first. Thresholds between which the rest of the sum cannot fall lead to the same node,
    so each node is kept with the interval of thresholds it serves (Abío et al., "A new look at BDDs for
    pseudo-Boolean constraints").
    """
    order = sorted((k for k, weight in enumerate(weights) if weight), key=lambda k: -abs(weights[k]))
    if len(order) > _MOST_INPUTS:
        return None
    # With literals in {0, 1}: Σ 2|w|·l > Σ|w| − bias.
    step = [2 * abs(weights[k]) for k in order]
    rest = [0] * (len(step) + 1)
    for level in range(len(step) - 1, -1, -1):
        rest[level] = rest[level + 1] + step[level]
    nodes: list[Node] = []
    numbers: dict[Node, int] = {}
    served: list[list[tuple[int, int, int]]] = [[] for _ in step]

    def build(level: int, threshold: int) -> tuple[int, int | None, int | None]:
        """(node, least, most): the node serves thresholds from ``least`` to ``most``; None is unbounded."""
        if threshold < 0:
            return TRUE, None, -1
        if threshold >= rest[level]:
            return FALSE, rest[level], None
        known = served[level]
        place = bisect_left(known, threshold, key=lambda entry: entry[1])
        if place < len(known) and known[place][0] <= threshold:
            least, most, number = known[place]
            return number, least, most
        high, least_high, most_high = build(level + 1, threshold - step[level])
        low, least_low, most_low = build(level + 1, threshold)
        least = max(
            -1 if least_low is None else least_low,
            -1 if least_high is None else least_high + step[level],
        )
        most = min(
            rest[level] if most_low is None else most_low,
            rest[level] if most_high is None else most_high + step[level],
        )
        if high == low:
            number = high
        else:
            node = Node(level, high, low)
            number = numbers.setdefault(node, len(nodes) + 2)
            if number == len(nodes) + 2:
                nodes.append(node)
                if len(nodes) > most_nodes:
                    raise _TooLargeError
        insort(known, (least, most, number))
        return number, least, most

    try:
        root, _, _ = build(0, sum(step) // 2 - bias)
    except _TooLargeError:
        return None
    return ThresholdDiagram(
        inputs=tuple(order), signs=tuple(1 if weights[k] > 0 else -1 for k in order), nodes=tuple(nodes), root=root
    )


class _TooLargeError(Exception):
    """The diagram grew past what was asked for."""
