"""Definitions that may be given in any order, in an order in which they can be built."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Hashable, Iterable, Mapping
from graphlib import CycleError, TopologicalSorter
from typing import Any, TypeVar

Key = TypeVar("Key", bound=Hashable)

_MOST_SHOWN = 8


class CyclicError(Exception):
    """Definitions that depend on themselves: each of ``keys`` reads the next one, the last one the first."""

    def __init__(self, keys: list[Any]) -> None:
        super().__init__(keys)
        self.keys = keys

    def shown(self, name: Callable[[Any], str] = repr) -> str:
        """The cycle for a message: ``'a' → 'b' → 'a'``."""
        names = [name(key) for key in self.keys[:_MOST_SHOWN]]
        return " → ".join([*names, *["…"] * (len(self.keys) > _MOST_SHOWN), names[0]])


def in_order(reads: Mapping[Key, Iterable[Key]]) -> list[Key]:
    """Every key after the keys it reads; apart from that, in the order of the mapping.

    What is read and is not itself a key does not matter. Definitions that form a cycle raise ``CyclicError``.
    """
    keys = list(reads)
    place = {key: number for number, key in enumerate(keys)}
    sorter = TopologicalSorter({key: [source for source in reads[key] if source in place] for key in keys})
    try:
        sorter.prepare()
    except CycleError as error:
        cycle = error.args[1][:0:-1]
        first = min(range(len(cycle)), key=lambda k: place[cycle[k]])
        raise CyclicError(cycle[first:] + cycle[:first]) from None
    order: list[Key] = []
    ready: list[int] = []
    while sorter.is_active():
        for key in sorter.get_ready():
            heapq.heappush(ready, place[key])
        order.append(keys[heapq.heappop(ready)])
        sorter.done(order[-1])
    return order
