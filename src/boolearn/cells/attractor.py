"""Attractors: the states in which a network ends, and stays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import breadth_first_order, connected_components

from boolearn.cells.network import CellNetwork
from boolearn.checks import checked_choice
from boolearn.errors import ParameterError

Bits = npt.NDArray[np.bool_]

_MOST_VARIABLES = {"synchronous": 20, "asynchronous": 16}


@dataclass(frozen=True, eq=False)
class Attractor:
    """States that lead to each other and to no others."""

    states: Bits
    """Shape (states, variables). Those of a synchronous attractor stand in their order of time."""
    basin: int
    """States from which this attractor can be reached."""

    @property
    def fixed(self) -> bool:
        """Whether it is a single state that stays as it is."""
        return len(self.states) == 1


def attractors(network: CellNetwork, update: str = "synchronous") -> list[Attractor]:
    """All attractors of a small network, found by trying every state; the largest basin first.

    update
        ``"synchronous"``: all variables change at the same time; at most 20 variables. ``"asynchronous"``: one at a
        time, whichever; at most 16 variables.
    """
    checked_choice("update", update, _MOST_VARIABLES)
    n = len(network.names)
    if n > _MOST_VARIABLES[update]:
        rule = f"a network of at most {_MOST_VARIABLES[update]} variables for {update} attractors"
        raise ParameterError("network", rule, n)
    numbers = np.arange(1 << n)
    states = ((numbers[:, None] >> np.arange(n)) & 1).astype(bool)
    after = network.step(states)
    found = _cycles(after @ (1 << np.arange(n))) if update == "synchronous" else _terminal(numbers, states != after)
    found.sort(key=lambda pair: (-pair[1], int(pair[0][0])))
    return [Attractor(states[where], basin) for where, basin in found]


def _cycles(successor: npt.NDArray[np.int64]) -> list[tuple[npt.NDArray[np.int64], int]]:
    """The cycles of a function, and how many states end in each."""
    size = len(successor)
    graph = coo_array((np.ones(size, np.int8), (np.arange(size), successor)), (size, size))
    count, component = connected_components(graph, directed=True, connection="weak")
    basins = np.bincount(component, minlength=count)
    reached = successor
    for _ in range(size.bit_length()):  # as many steps as there are states lead to a cycle from anywhere
        reached = reached[reached]
    first_of = np.unique(component, return_index=True)[1]
    cycles = []
    for start in reached[first_of].tolist():
        cycle, state = [start], int(successor[start])
        while state != start:
            cycle.append(state)
            state = int(successor[state])
        first = int(np.argmin(cycle))
        cycles.append((np.array(cycle[first:] + cycle[:first]), int(basins[component[start]])))
    return cycles


def _terminal(numbers: npt.NDArray[np.int64], unstable: Bits) -> list[tuple[npt.NDArray[np.int64], int]]:
    """Strong components that no step leaves, and from how many states each can be reached."""
    begin, variable = np.nonzero(unstable)
    end = begin ^ (1 << variable)
    size = len(numbers)
    count, component = connected_components(
        coo_array((np.ones(len(begin), np.int8), (begin, end)), (size, size)), directed=True, connection="strong"
    )
    leaves = np.zeros(count, bool)
    leaves[component[begin[component[begin] != component[end]]]] = True
    backwards = coo_array((np.ones(len(begin), np.int8), (end, begin)), (size, size)).tocsr()
    found = []
    for label in np.flatnonzero(~leaves):
        members = np.flatnonzero(component == label)
        basin = breadth_first_order(backwards, int(members[0]), return_predecessors=False)
        found.append((members, len(basin)))
    return found
