"""What an iteration on several ranks costs: a model of four numbers, and the memory that each rank needs.

A rank sweeps its items, hands over the sums of its blocks, adds one piece of all blocks' sums, and gets the total:

    sweep     t · edges · items of the busiest rank
    exchange  latency · (messages) + bytes / bandwidth
    add       bytes of the piece / memory bandwidth

An iteration is as slow as the busiest rank. Blocks are not cut, so 64 of them on 48 ranks are two for some and one for
others.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

_DOUBLE = 8
_KEPT = {"half": 2, "single": 4, "double": 8}
_BLOCKS = 64


@dataclass(frozen=True)
class Cluster:
    """Seconds and bytes a second, of one rank."""

    edge_item: float = 1e-9
    """Seconds for an edge and item in the sweep, on all threads of a rank."""
    latency: float = 2e-6
    """Seconds for a message, however short."""
    bandwidth: float = 10e9
    """Bytes a second between two ranks."""
    memory: float = 10e9
    """Bytes a second that are read and added."""


@dataclass(frozen=True)
class Size:
    """Of a problem."""

    edges: int
    weights: int
    nodes: int
    neurons: int
    items: int


class Seconds(NamedTuple):
    """Of one iteration."""

    sweep: float
    exchange: float
    add: float

    @property
    def total(self) -> float:
        return sum(self)


class Share(NamedTuple):
    """Of the busiest rank."""

    items: int
    parts: int
    """Rows of sums that it hands over."""
    all_parts: int


def share_of(size: Size, ranks: int, precision: str = "single") -> Share:
    """How many items the busiest rank holds; as native/engine/layout.h deals them out."""
    lanes = 64 // max(_KEPT[precision], 4)
    tiles = max(1, math.ceil(size.items / (4 * lanes)))
    blocks = min(tiles, _BLOCKS)
    if ranks <= blocks or blocks < _BLOCKS:
        own = math.ceil(blocks / ranks)
        return Share(min(size.items, math.ceil(tiles * own / blocks) * 4 * lanes), own, blocks)
    return Share(min(size.items, math.ceil(tiles / ranks) * 4 * lanes), 1, ranks)


def seconds_of_iteration(size: Size, ranks: int, cluster: Cluster, precision: str = "single") -> Seconds:
    """Of the busiest rank. One rank has nothing to exchange."""
    share = share_of(size, ranks, precision)
    sweep = cluster.edge_item * size.edges * share.items
    row = _DOUBLE * size.weights
    add = share.all_parts * row / ranks / cluster.memory
    if ranks == 1:
        return Seconds(sweep, 0.0, add)
    others = (ranks - 1) / ranks
    messages = ranks - 1 + math.ceil(math.log2(ranks))
    # Pieces of its rows to every other rank, then everybody's piece of the total.
    moved = (share.parts + 1) * row * others
    return Seconds(sweep, cluster.latency * messages + moved / cluster.bandwidth, add)


def memory_per_rank(size: Size, ranks: int, precision: str = "single") -> int:
    """Bytes that the busiest rank keeps: variables, sums of its blocks, and what is on its way."""
    share = share_of(size, ranks, precision)
    real = 8 if precision == "double" else 4
    of_item = 2 * _KEPT[precision] * size.edges + real * (3 * size.nodes + 4 * size.neurons)
    own_blocks = share.parts if share.all_parts <= _BLOCKS else min(_BLOCKS, math.ceil(share.items / (256 // real)))
    rows = own_blocks + share.parts + share.all_parts / ranks + 4
    return int(of_item * share.items + rows * _DOUBLE * size.weights + real * size.edges)


def efficiency(size: Size, ranks: int, cluster: Cluster, precision: str = "single") -> float:
    """Of the time of all ranks, the share that one rank's work would need: 1 is perfect."""
    alone = seconds_of_iteration(size, 1, cluster, precision).total
    return alone / (ranks * seconds_of_iteration(size, ranks, cluster, precision).total)


def most_gained_by_overlap(size: Size, ranks: int, cluster: Cluster, precision: str = "single") -> float:
    """How many times faster an iteration would be, at best, if the sums travelled during the sweep.

    The sums of a block are complete only when it is swept, so those of the last, or only, one cannot.
    """
    sweep, exchange, add = seconds_of_iteration(size, ranks, cluster, precision)
    parts = share_of(size, ranks, precision).parts
    total, hidden = sweep + exchange + add, min(sweep, exchange + add) * (parts - 1) / parts
    return total / (total - hidden)
