"""Definitions that may stand in any order in a file, in the order in which they can be built."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)


def in_order(reads: Mapping[Key, Sequence[Key]]) -> tuple[list[Key], list[Key]]:
    """Every key after those it reads, and a cycle, which is empty when the order is complete.

    What is read and is no key of the mapping stands outside it. Without recursion: files can be deep.
    """
    order: list[Key] = []
    state: dict[Key, bool] = {}  # False while a key is being followed, True when it is placed
    for root in reads:
        if root in state:
            continue
        state[root] = False
        path: list[tuple[Key, Iterator[Key]]] = [(root, iter(reads[root]))]
        while path:
            key, remaining = path[-1]
            for source in remaining:
                if source not in reads or state.get(source):
                    continue
                if source in state:
                    keys = [key for key, _ in path]
                    return order, keys[keys.index(source) :]
                state[source] = False
                path.append((source, iter(reads[source])))
                break
            else:
                state[key] = True
                order.append(key)
                path.pop()
    return order, []
