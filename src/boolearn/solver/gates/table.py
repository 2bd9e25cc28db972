"""The gates of a network as a table, and as weights.

A table has one row for each neuron: three positions among the neuron's senders (−1 where unused)
and three signs (0 where unused). One input is a copy, or a constant when that input is the constant
node; three are a majority, and an And or an Or when the constant node is one of them. Where there may
be majorities of five, rows have five positions and five signs. Two inputs are an exclusive or, where these
are allowed; neither is the constant node, and the second has the sign 1.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from boolearn.errors import NetworkError
from boolearn.network import CONSTANT, Network
from boolearn.problem.margins import Sigma, support_per_neuron

GateTable = npt.NDArray[np.int32]
Mask = npt.NDArray[np.bool_]
KINDS = ("constant", "copy", "and/or", "maj", "maj5", "xor")


def may_be_five(network: Network, sigma: Sigma) -> Mask:
    """Shape (n_neurons,): the neurons that may be majorities of five, because σ says so and they have five senders."""
    return np.asarray((support_per_neuron(network, sigma) >= 5) & (network.fan_in >= 5))


def most_inputs(five: Mask | None) -> int:
    """Of a gate, given which neurons may be majorities of five: half of the columns of a table."""
    return 3 if five is None or not five.any() else 5


def weights_of(network: Network, table: GateTable) -> npt.NDArray[np.float64]:
    """Shape (n_edges,): the weights of norm sqrt(m) that make every neuron its gate.

    They keep the margin sqrt(m/3), which is what σ = 3 asks for; majorities of five sqrt(m/5), for σ = 5.
    """
    weights = np.zeros(network.n_edges)
    most = table.shape[1] // 2
    for neuron, row in enumerate(table.tolist()):
        size = sum(position >= 0 for position in row[:most])
        norm = math.sqrt(int(network.fan_in[neuron]) / size)
        for position, sign in zip(row[:size], row[most : most + size], strict=True):
            weights[network.start[neuron] + position] = sign * norm
    return weights


def table_of(network: Network, weights: npt.NDArray[np.float64], five: Mask | None = None) -> GateTable:
    """The gates of weights that ``weights_of`` could have made; other weights are refused.

    Neurons may be majorities of five where ``five`` says so.
    """
    table = no_gates(network, five)
    most = table.shape[1] // 2
    for neuron in range(network.n_neurons):
        row = weights[network.start[neuron] : network.start[neuron + 1]]
        used = np.flatnonzero(row)
        sizes = (1, 3, 5) if five is not None and five[neuron] else (1, 3)
        if len(used) not in sizes or not np.allclose(np.abs(row[used]), np.abs(row[used[0]])):
            node = network.describe_node(network.first_neuron + neuron)
            or_five = " or five" if 5 in sizes else ""
            raise NetworkError(f"{node} must be a copy or a majority of three{or_five} to be a gate.")
        table[neuron, : len(used)] = used
        table[neuron, most : most + len(used)] = np.sign(row[used])
    return table


def no_gates(network: Network, five: Mask | None = None) -> GateTable:
    """A table in which nothing is used yet."""
    most = most_inputs(five)
    table = np.full((network.n_neurons, 2 * most), -1, np.int32)
    table[:, most:] = 0
    return table


def read_nodes(network: Network, table: GateTable) -> npt.NDArray[np.bool_]:
    """Shape (n_nodes,): the nodes that outputs depend on, according to the wiring of the gates."""
    read = np.zeros(network.n_nodes, bool)
    read[network.first_output :] = True
    for neuron in range(network.n_neurons - 1, -1, -1):
        if read[network.first_neuron + neuron]:
            positions = table[neuron, : table.shape[1] // 2]
            read[network.sender[network.start[neuron] + positions[positions >= 0]]] = True
    return read


def kinds_of(network: Network, table: GateTable) -> npt.NDArray[np.intp]:
    """Shape (n_neurons,): which of ``KINDS`` every gate is."""
    positions = table[:, : table.shape[1] // 2]
    senders = network.sender[network.start[:-1, None] + np.maximum(positions, 0)]
    with_constant = ((senders == CONSTANT) & (positions >= 0)).any(axis=1)
    small = np.where(positions[:, 1] < 0, np.where(with_constant, 0, 1), np.where(with_constant, 2, 3))
    size = (positions >= 0).sum(axis=1)
    return np.where(size == 5, 4, np.where(size == 2, 5, small))
