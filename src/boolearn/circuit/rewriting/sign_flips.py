"""The paper's symmetry at hidden nodes (Elser & Lal, "Symmetries"): negate a gate and everything that reads it.

It changes no function, only where the Nots stand, and is De Morgan's law when the gate is an And or an Or. Choosing
which gates to negate so that the fewest Nots are left is a problem of two colours: every edge between gates wants
its two ends equal or different. Exclusive ors keep their sign; the Nots that reach one cancel in pairs.
"""

from __future__ import annotations

import heapq
import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from boolearn.circuit.circuit import Circuit, Literal

_MOST_EXACT = 60
_MOST_NODES = 50
"""Where the integer program gives up. Nodes, not seconds, so that every machine finds the same circuit."""
_STARTS = 30


def with_fewest_nots(circuit: Circuit) -> Circuit:
    """The same circuit with gates negated where that saves Nots.

    For up to 60 gates their number is the least possible (but for the hardest cases, where an integer program gives
    up); for more, one that negating any single gate does not lower. Exclusive ors are not negated.
    """
    ends, signs = _edges(circuit)
    flips = _local_search(len(circuit.gates), ends, signs)
    if 0 < len(circuit.gates) <= _MOST_EXACT:
        exact = _exact(len(circuit.gates), ends, signs)
        if exact is not None and _nots(exact, ends, signs) < _nots(flips, ends, signs):
            flips = exact
    return flipped(circuit, np.where([gate.xor for gate in circuit.gates], 1, flips))


def flipped(circuit: Circuit, flips: npt.NDArray[np.int64]) -> Circuit:
    """Negate the gates where ``flips`` is −1, and every reading of them."""
    n_inputs = len(circuit.inputs)
    sign = [1] * n_inputs + [int(flip) for flip in flips]
    gates = []
    for index, gate in enumerate(circuit.gates, n_inputs):
        weights = tuple(
            weight * sign[index] * sign[signal] for signal, weight in zip(gate.inputs, gate.weights, strict=True)
        )
        if gate.xor:  # only the product of its signs matters, and one Not is enough to say it
            product = sign[index] * math.prod(sign[signal] for signal in gate.inputs) * math.prod(gate.weights)
            weights = (product, *[1] * (len(gate.inputs) - 1))
        gates.append(replace(gate, weights=weights, bias=gate.bias * sign[index]))
    outputs = tuple(
        (name, Literal(literal.signal, literal.sign * sign[literal.signal])) for name, literal in circuit.outputs
    )
    return Circuit(circuit.inputs, tuple(gates), outputs)


def _edges(circuit: Circuit) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Pairs of gates (number 0 stands for what keeps its sign: inputs, outputs, Xors) and the edges' signs."""
    n_inputs = len(circuit.inputs)
    number = [0] * n_inputs + [0 if gate.xor else index for index, gate in enumerate(circuit.gates, 1)]
    ends, signs = [], []
    for index, gate in enumerate(circuit.gates, n_inputs):
        for signal, weight in zip(gate.inputs, gate.weights, strict=True):
            ends.append((number[index], number[signal]))
            signs.append(1 if weight > 0 else -1)
    for _, literal in circuit.outputs:
        if literal.signal >= n_inputs:
            ends.append((number[literal.signal], 0))
            signs.append(literal.sign)
    return np.array(ends, np.int64).reshape(-1, 2), np.array(signs, np.int64)


def _nots(flips: npt.NDArray[np.int64], ends: npt.NDArray[np.int64], signs: npt.NDArray[np.int64]) -> int:
    colour = np.concatenate(([1], flips))
    return int((signs * colour[ends[:, 0]] * colour[ends[:, 1]] < 0).sum())


def _local_search(n_gates: int, ends: npt.NDArray[np.int64], signs: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Flip what saves most until nothing saves; then from other starts. Always the same answer."""
    rng = np.random.default_rng(0)
    neighbours = _neighbours(n_gates, ends, signs)
    best = np.ones(n_gates, np.int64)
    fewest = _nots(best, ends, signs)
    for start in range(_STARTS if n_gates else 0):
        colour = np.concatenate(([1], best))
        if start:
            colour[1:] = np.where(rng.random(n_gates) < 0.2, -colour[1:], colour[1:])
        unwanted = -signs * colour[ends[:, 0]] * colour[ends[:, 1]]
        gain = np.zeros(n_gates + 1, np.int64)
        for side in (0, 1):
            np.add.at(gain, ends[:, side], unwanted)
        found = np.array(_descended(colour.tolist(), gain.tolist(), neighbours)[1:], np.int64)
        nots = _nots(found, ends, signs)
        if nots < fewest:
            best, fewest = found, nots
    return best


def _neighbours(n_gates: int, ends: npt.NDArray[np.int64], signs: npt.NDArray[np.int64]) -> list[list[tuple[int, int]]]:
    """For every gate the gates it has edges with, and the edges' signs. Number 0 never flips and is left out."""
    neighbours: list[list[tuple[int, int]]] = [[] for _ in range(n_gates + 1)]
    for (a, b), sign in zip(ends.tolist(), signs.tolist(), strict=True):
        if a and b:
            neighbours[a].append((b, sign))
            neighbours[b].append((a, sign))
    return neighbours


def _descended(colour: list[int], gain: list[int], neighbours: list[list[tuple[int, int]]]) -> list[int]:
    """Flip the gate that saves most Nots, of equals the first, as long as one saves any.

    ``gain`` is how many more Nots than other edges each gate has. The heap also holds gains that have changed since;
    these are skipped.
    """
    heap = [(-saved, gate) for gate, saved in enumerate(gain) if saved > 0 and gate]
    heapq.heapify(heap)
    while heap:
        saved, gate = heapq.heappop(heap)
        if -saved != gain[gate]:
            continue
        colour[gate] = -colour[gate]
        gain[gate] = saved
        for other, sign in neighbours[gate]:
            gain[other] -= 2 * sign * colour[gate] * colour[other]
            if gain[other] > 0:
                heapq.heappush(heap, (-gain[other], other))
    return colour


def _exact(n_gates: int, ends: npt.NDArray[np.int64], signs: npt.NDArray[np.int64]) -> npt.NDArray[np.int64] | None:
    """Integer programming: one unknown per gate (negated or not) and one per edge (a Not or none)."""
    from scipy.optimize import Bounds, LinearConstraint, milp  # slow to import, and often not needed
    from scipy.sparse import coo_array

    n_edges = len(ends)
    edge = np.arange(n_edges)
    target = np.where(signs > 0, 0.0, 1.0)
    # not_e ≥ |f_a − f_b| when the edge is plain and ≥ |1 − f_a − f_b| when it is negated; f of number 0 is 0.
    rows, columns, entries, least = [], [], [], []
    for direction in (1.0, -1.0):
        first = 0 if direction > 0 else n_edges
        rows += [edge + first, edge + first, edge + first]
        columns += [n_gates + 1 + edge, ends[:, 0], ends[:, 1]]
        entries += [np.ones(n_edges), -direction * np.ones(n_edges), direction * np.where(signs > 0, 1.0, -1.0)]
        least.append(-direction * target)
    matrix = coo_array(
        (np.concatenate(entries), (np.concatenate(rows), np.concatenate(columns))),
        shape=(2 * n_edges, n_gates + 1 + n_edges),
    )
    upper = np.ones(n_gates + 1 + n_edges)
    upper[0] = 0
    integrality = np.concatenate((np.ones(n_gates + 1, np.int64), np.zeros(n_edges, np.int64)))
    result = milp(
        np.concatenate((np.zeros(n_gates + 1), np.ones(n_edges))),
        integrality=integrality,
        bounds=Bounds(np.zeros_like(upper), upper),
        constraints=LinearConstraint(matrix.tocsr(), np.concatenate(least), np.inf),
        options={"node_limit": _MOST_NODES, "mip_rel_gap": 0.0},
    )
    if result.x is None:
        return None
    return np.where(result.x[1 : n_gates + 1] > 0.5, -1, 1)
