"""From weights to gates: every neuron becomes the gate whose weights point most nearly where its own do."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from boolearn.errors import NetworkError
from boolearn.network import Network
from boolearn.solver.gate_table import GateTable


def nearest_gates(network: Network, weights: npt.NDArray[np.float64]) -> GateTable:
    """For every neuron the copy, constant or majority of three nearest in angle to its weights.

    The cosine of the angle is |w_p| / |w| for a copy of p and (|w_p| + |w_q| + |w_r|) / √3 |w| for a majority, with
    the signs of its weights. So only the three largest weights matter, and the sum of the two smaller ones decides:
    a majority where it is above (√3 − 1) times the largest. The constant's weight is one among the others; where it is
    among the three, the majority is an And or an Or. Among equals the first senders are taken; no weight counts as +1.
    """
    weights = np.asarray(weights, np.float64)
    if weights.shape != (network.n_edges,) or not np.isfinite(weights).all():
        raise NetworkError(f"weights must be {network.n_edges} finite numbers, one for each edge of the network.")
    table = np.full((network.n_neurons, 6), -1, np.int32)
    table[:, 3:] = 0
    for fan_in in np.unique(network.fan_in).tolist():
        neurons = np.flatnonzero(network.fan_in == fan_in)
        rows = weights[network.start[neurons, None] + np.arange(fan_in)]
        sizes = np.abs(rows)
        largest = np.argsort(-sizes, axis=1, kind="stable")[:, :3]
        copies = largest[:, :1]
        table[neurons, :1] = copies
        table[neurons, 3:4] = _signs(rows, copies)
        if fan_in < 3:
            continue
        first, second, third = np.take_along_axis(sizes, largest, axis=1).T
        is_majority = second + third > (math.sqrt(3) - 1) * first
        triples = np.sort(largest[is_majority], axis=1)
        table[neurons[is_majority], :3] = triples
        table[neurons[is_majority], 3:] = _signs(rows[is_majority], triples)
    return table


def _signs(rows: npt.NDArray[np.float64], chosen: npt.NDArray[np.intp]) -> npt.NDArray[np.int32]:
    return np.where(np.take_along_axis(rows, chosen, axis=1) < 0, -1, 1).astype(np.int32)
