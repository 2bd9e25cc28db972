"""Where the nodes of a layered picture go, so that few lines cross and lines run straight.

Sugiyama's way: lines that span several layers get a bend in each, layers are sorted by the barycentres of their
neighbours, up and down until nothing is gained, and then every layer is moved as near to its neighbours as the
order and the room allow. That takes its time, so very large graphs are placed in one pass, with straight lines.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass

_SWEEPS = 24
_ALIGNMENTS = 12
_MOST_PLACED = 30_000
"""Nodes and bends up to which crossings are avoided; in a larger picture nobody follows a single line."""
_MOST_PAIRS = 100_000
"""Pairs of lines compared to decide whether two neighbours change places."""


@dataclass(frozen=True)
class Layout:
    """x of every node, and for every edge the nodes it passes, its two ends included."""

    x: tuple[float, ...]
    layer: tuple[int, ...]
    routes: tuple[tuple[int, ...], ...]
    crossings: int | None
    """None where they were not counted: in very large graphs."""

    @property
    def width(self) -> float:
        return max(self.x, default=0.0) - min(self.x, default=0.0)

    def spans(self) -> list[float]:
        """How far the longest line goes sideways between each layer and the next."""
        spans = [0.0] * max(self.layer, default=0)
        for route in self.routes:
            for low, high in itertools.pairwise(route):
                spans[self.layer[low]] = max(spans[self.layer[low]], abs(self.x[high] - self.x[low]))
        return spans


def lay_out(
    layers: Sequence[int], edges: Sequence[tuple[int, int, object]], fixed: Sequence[int] = (), room: float = 0.4
) -> Layout:
    """Place nodes, given their layers, and edges (from, to, kind), which lead to higher layers.

    Nodes stand at distance 1 or more, bends at ``room`` or more. Edges of one kind from one node share their bends.
    The order of the nodes in the layers ``fixed`` is kept.
    """
    if len(layers) + _count_bends(layers, edges) > _MOST_PLACED:
        return _laid_out_quickly(layers, edges, set(fixed))
    node_layer = list(layers)
    routes = _routes(node_layer, edges)
    real = len(layers)
    segments = sorted({pair for route in routes for pair in itertools.pairwise(route)})
    order = _order(node_layer, segments, set(fixed))
    x = _without_gaps(_positions(order, segments, real, room), segments)
    return Layout(tuple(x), tuple(node_layer), tuple(routes), sum(_crossings(order, segments)))


def _count_bends(layers: Sequence[int], edges: Sequence[tuple[int, int, object]]) -> int:
    """How many bends routes would have."""
    highest: dict[tuple[int, object], int] = {}
    for sender, receiver, kind in edges:
        highest[sender, kind] = max(highest.get((sender, kind), 0), layers[receiver])
    return sum(max(0, top - layers[sender] - 1) for (sender, _), top in highest.items())


def _laid_out_quickly(layers: Sequence[int], edges: Sequence[tuple[int, int, object]], fixed: set[int]) -> Layout:
    """One pass from the bottom: layers evenly spaced and sorted by where their inputs stand, lines straight."""
    below: list[list[int]] = [[] for _ in layers]
    for sender, receiver, _ in edges:
        below[receiver].append(sender)
    x = [0.0] * len(layers)
    for level, nodes in enumerate(_by_layer(layers)):
        if level not in fixed:
            centre = {node: _centre([x[other] for other in below[node]], 0.0) for node in nodes}
            nodes.sort(key=centre.__getitem__)
        for place, node in enumerate(nodes):
            x[node] = place - (len(nodes) - 1) / 2
    return Layout(tuple(x), tuple(layers), tuple((sender, receiver) for sender, receiver, _ in edges), None)


def _by_layer(layers: Sequence[int]) -> list[list[int]]:
    nodes: list[list[int]] = [[] for _ in range(max(layers, default=-1) + 1)]
    for node, level in enumerate(layers):
        nodes[level].append(node)
    return nodes


def _routes(layer: list[int], edges: Sequence[tuple[int, int, object]]) -> list[tuple[int, ...]]:
    bends: dict[tuple[int, object, int], int] = {}
    routes = []
    for sender, receiver, kind in edges:
        route = [sender]
        for level in range(layer[sender] + 1, layer[receiver]):
            if (sender, kind, level) not in bends:
                bends[sender, kind, level] = len(layer)
                layer.append(level)
            route.append(bends[sender, kind, level])
        routes.append((*route, receiver))
    return routes


def _order(layer: list[int], segments: list[tuple[int, int]], fixed: set[int]) -> list[list[int]]:
    """The nodes of every layer from left to right."""
    below: list[list[int]] = [[] for _ in layer]
    above: list[list[int]] = [[] for _ in layer]
    for low, high in segments:
        below[high].append(low)
        above[low].append(high)
    order = _by_layer(layer)
    best, fewest = [list(nodes) for nodes in order], sum(_crossings(order, segments))
    for sweep in range(_SWEEPS):
        up = sweep % 2 == 0
        for level in range(1, len(order)) if up else range(len(order) - 2, -1, -1):
            if level in fixed:
                continue
            neighbours, beside = (below, order[level - 1]) if up else (above, order[level + 1])
            place = {node: index for index, node in enumerate(beside)}
            old = {node: index / max(len(order[level]), 1) * len(beside) for index, node in enumerate(order[level])}
            key = {node: _centre([place[other] for other in neighbours[node]], old[node]) for node in order[level]}
            order[level].sort(key=key.__getitem__)
        crossings = sum(_crossings(order, segments))
        if crossings < fewest:
            best, fewest = [list(nodes) for nodes in order], crossings
    return _exchanged(best, fixed, below, above)


def _centre(places: Sequence[float], default: float) -> float:
    return sum(places) / len(places) if places else default


def _exchanged(
    order: list[list[int]], fixed: set[int], below: list[list[int]], above: list[list[int]]
) -> list[list[int]]:
    """Exchange neighbours in a layer as long as that removes crossings."""
    improved, rounds = True, 0
    while improved and rounds < _SWEEPS:
        improved, rounds = False, rounds + 1
        for level, nodes in enumerate(order):
            if level in fixed:
                continue
            place = {
                node: position
                for other in (level - 1, level + 1)
                if 0 <= other < len(order)
                for position, node in enumerate(order[other])
            }
            for index in range(len(nodes) - 1):
                left, right = nodes[index], nodes[index + 1]
                if max(len(near[left]) * len(near[right]) for near in (below, above)) > _MOST_PAIRS:
                    continue
                change = sum(
                    (place[q] > place[p]) - (place[q] < place[p])
                    for neighbours in (below, above)
                    for p in neighbours[left]
                    for q in neighbours[right]
                )
                if change < 0:
                    nodes[index], nodes[index + 1] = right, left
                    improved = True
    return order


def _crossings(order: list[list[int]], segments: list[tuple[int, int]]) -> list[int]:
    """How many pairs of lines cross between each layer and the next."""
    place = {node: (level, index) for level, nodes in enumerate(order) for index, node in enumerate(nodes)}
    between: list[list[tuple[int, int]]] = [[] for _ in order]
    for low, high in segments:
        between[place[low][0]].append((place[low][1], place[high][1]))
    counts = []
    for pairs in between:
        seen: list[int] = []
        count = 0
        for _, high in sorted(pairs):
            count += len(seen) - bisect_right(seen, high)
            insort(seen, high)
        counts.append(count)
    return counts


def _positions(order: list[list[int]], segments: list[tuple[int, int]], real: int, room: float) -> list[float]:
    total = sum(len(nodes) for nodes in order)
    neighbours: list[list[int]] = [[] for _ in range(total)]
    for low, high in segments:
        neighbours[low].append(high)
        neighbours[high].append(low)
    x = [0.0] * total
    offsets = [_offsets(nodes, real, room) for nodes in order]
    for nodes, offset in zip(order, offsets, strict=True):
        for node, place in zip(nodes, offset, strict=True):
            x[node] = place - (offset[-1] / 2 if offset else 0)
    for _ in range(_ALIGNMENTS):
        for nodes, offset in [*zip(order, offsets, strict=True), *reversed(list(zip(order, offsets, strict=True)))]:
            wanted = [sum(x[other] for other in neighbours[node]) / max(len(neighbours[node]), 1) for node in nodes]
            # Bends pull harder: a straight line through a layer matters more than a node above its inputs.
            weights = [4.0 if node >= real else 1.0 for node in nodes]
            _join_the_lonely([neighbours[node] for node in nodes], wanted, offset, weights)
            for node, value in zip(nodes, _spread(wanted, offset, weights), strict=True):
                x[node] = value
    return x


def _join_the_lonely(
    neighbours: list[list[int]], wanted: list[float], offsets: list[float], weights: list[float]
) -> None:
    """Nodes without lines go where the next node with lines goes, and do not push others aside."""
    anchors = [index for index, found in enumerate(neighbours) if found]
    for index, found in enumerate(neighbours):
        if not found and anchors:
            after = bisect_right(anchors, index)
            anchor = min(anchors[max(0, after - 1) : after + 1], key=lambda other: abs(other - index))
            wanted[index] = wanted[anchor] + offsets[index] - offsets[anchor]
            weights[index] = 1e-6


def _without_gaps(x: list[float], segments: list[tuple[int, int]]) -> list[float]:
    """Close every gap from top to bottom that neither a node nor a line crosses: parts with no line between them."""
    covered = sorted([(place, place + 1) for place in x] + [tuple(sorted((x[a], x[b]))) for a, b in segments])
    moved: list[tuple[float, float]] = []  # from this x on, move left by so much
    reach, shift = covered[0][0] if covered else 0.0, 0.0
    for begin, end in covered:
        if begin > reach:
            shift += begin - reach
            moved.append((begin, shift))
        reach = max(reach, end)
    places = [begin for begin, _ in moved]
    return [place - (moved[bisect_right(places, place) - 1][1] if places and place >= places[0] else 0) for place in x]


def _offsets(nodes: list[int], real: int, room: float) -> list[float]:
    """How far each node must at least be from the first of its layer."""
    offsets: list[float] = []
    for left, right in zip([None, *nodes], nodes, strict=False):
        if left is None:
            offsets.append(0.0)
        else:
            offsets.append(offsets[-1] + ((1 if left < real else room) + (1 if right < real else room)) / 2)
    return offsets


def _spread(wanted: list[float], offsets: list[float], weights: list[float]) -> list[float]:
    """The places nearest to those wanted, in the sum of squares, that keep the order and the distances."""
    blocks: list[tuple[float, float, int]] = []  # mean, weight, length; means must rise
    for value, offset, weight in zip(wanted, offsets, weights, strict=True):
        blocks.append((value - offset, weight, 1))
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            mean, heavy, length = blocks.pop()
            other, weight_before, length_before = blocks.pop()
            total = heavy + weight_before
            blocks.append(((mean * heavy + other * weight_before) / total, total, length + length_before))
    means = [mean for mean, _, length in blocks for _ in range(length)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]
