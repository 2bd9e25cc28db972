"""Order and reach in a directed graph given as arrays of edges."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Nodes = npt.NDArray[np.integer]


def topological_order(sender: Nodes, receiver: Nodes, n_nodes: int) -> npt.NDArray[np.int64]:
    """Nodes ordered so that senders come before receivers; those on or behind a cycle are left out.

    Among nodes that are free to go next the lowest number goes first, so an order that is
    already topological is kept.
    """
    import heapq

    waiting = np.bincount(receiver, minlength=n_nodes)
    by_sender = np.argsort(sender, kind="stable")
    first = np.searchsorted(sender[by_sender], np.arange(n_nodes + 1))
    ready = np.flatnonzero(waiting == 0).tolist()
    order = []
    while ready:
        node = heapq.heappop(ready)
        order.append(node)
        for target in receiver[by_sender[first[node] : first[node + 1]]]:
            waiting[target] -= 1
            if not waiting[target]:
                heapq.heappush(ready, int(target))
    return np.array(order, np.int64)


def find_cycle(sender: Nodes, receiver: Nodes, n_nodes: int) -> list[int]:
    """The nodes of one cycle, the first repeated at the end; empty when there is none."""
    placed = np.zeros(n_nodes, bool)
    placed[topological_order(sender, receiver, n_nodes)] = True
    if placed.all():
        return []
    # Every node left over has a sender that is left over: walking back from one must repeat a node.
    path: list[int] = []
    node = int(np.flatnonzero(~placed)[0])
    while node not in path:
        path.append(node)
        node = next(int(s) for s, r in zip(sender, receiver, strict=True) if r == node and not placed[s])
    return [*path[path.index(node) :], node][::-1]


def reaches(sender: Nodes, receiver: Nodes, origin: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """Which nodes can be reached from ``origin`` along edges sorted by their receiving end."""
    reached = origin.copy()
    for s, r in zip(sender.tolist(), receiver.tolist(), strict=True):
        if reached[s]:
            reached[r] = True
    return reached
