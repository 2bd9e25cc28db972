"""From weights to gates: every neuron becomes the gate whose weights point most nearly where its own do."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from boolearn.errors import NetworkError
from boolearn.network import Network
from boolearn.solver.gates.table import GateTable, Mask, no_gates


def nearest_gates(network: Network, weights: npt.NDArray[np.float64], five: Mask | None = None) -> GateTable:
    """For every neuron the copy, constant or majority of three nearest in angle to its weights.

    The cosine of the angle is |w_p| / |w| for a copy of p and (|w_p| + |w_q| + |w_r|) / √3 |w| for a majority, with
    the signs of its weights. So only the three largest weights matter, and the sum of the two smaller ones decides:
    a majority where it is above (√3 − 1) times the largest. The constant's weight is one among the others; where it is
    among the three, the majority is an And or an Or. Among equals the first senders are taken; no weight counts as +1.

    Where ``five`` says so a neuron may be the majority of its five largest weights, if these make a larger cosine,
    the sum of them / √5 |w|.
    """
    weights = np.asarray(weights, np.float64)
    if weights.shape != (network.n_edges,) or not np.isfinite(weights).all():
        raise NetworkError(f"weights must be {network.n_edges} finite numbers, one for each edge of the network.")
    table = no_gates(network, five)
    for fan_in in np.unique(network.fan_in).tolist():
        neurons = np.flatnonzero(network.fan_in == fan_in)
        rows = weights[network.start[neurons, None] + np.arange(fan_in)]
        sizes = np.abs(rows)
        largest = np.argsort(-sizes, axis=1, kind="stable")[:, :5]
        _choose(table, neurons, rows, largest[:, :1])
        if fan_in < 3:
            continue
        ordered = np.take_along_axis(sizes, largest, axis=1)
        first, second, third = ordered[:, :3].T
        three = second + third > (math.sqrt(3) - 1) * first
        _choose(table, neurons[three], rows[three], largest[three, :3])
        if fan_in < 5 or five is None or not five[neurons].any():
            continue
        others = np.maximum(first, ordered[:, :3].sum(axis=1) / math.sqrt(3))
        nearer = five[neurons] & (ordered.sum(axis=1) / math.sqrt(5) > others)
        _choose(table, neurons[nearer], rows[nearer], largest[nearer])
    return table


def _choose(
    table: GateTable, neurons: npt.NDArray[np.intp], rows: npt.NDArray[np.float64], positions: npt.NDArray[np.intp]
) -> None:
    """Make the neurons, whose weights are the rows, gates of these positions."""
    most, size = table.shape[1] // 2, positions.shape[1]
    chosen = np.sort(positions, axis=1)
    table[neurons, :size] = chosen
    table[neurons, most : most + size] = _signs(rows, chosen)


def _signs(rows: npt.NDArray[np.float64], chosen: npt.NDArray[np.intp]) -> npt.NDArray[np.int32]:
    return np.where(np.take_along_axis(rows, chosen, axis=1) < 0, -1, 1).astype(np.int32)
