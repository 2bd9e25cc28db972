"""The forward pass of a network: what every node holds, block by block of neurons with the same senders."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boolearn.data.signs import Signs
from boolearn.network import CONSTANT, Network

Floats = npt.NDArray[np.float64]

_ONE_THREAD = 1 << 18
"""Products in a matrix product that the usual libraries leave to one thread. Those of small networks would otherwise
wait for threads, on a busy machine much longer than they compute."""
_FEWEST_ROWS = 64
"""With wider layers than leave this many rows, several threads are worth it."""


def weight_blocks(network: Network, weights: Floats) -> list[Floats]:
    """For every block of the network its weights, one column per neuron."""
    return [weights[numbers] for numbers in network.block_weights]


def with_inputs(network: Network, inputs: Signs | Floats) -> Floats:
    """Shape (items, n_nodes): the constant and the inputs are there, the neurons are still to come."""
    values = np.empty((len(inputs), network.n_nodes))
    values[:, CONSTANT] = -1
    values[:, 1 : network.first_neuron] = inputs
    return values


def pass_forward(network: Network, blocks: list[Floats], values: Floats) -> Floats:
    """Fill in what the neurons hold, and return the sums at the outputs, shape (items, n_outputs)."""
    sums = np.empty((len(values), network.n_outputs))
    for (nodes, senders), weights in zip(network.blocks, blocks, strict=True):
        activation = _sums(values, senders, weights)
        values[:, nodes.start : nodes.stop] = np.where(activation > 0, 1.0, -1.0)
        outputs = range(max(nodes.start, network.first_output), nodes.stop)
        if outputs:
            first_sum = outputs.start - network.first_output
            sums[:, first_sum : first_sum + len(outputs)] = activation[:, outputs.start - nodes.start :]
    return sums


def _sums(values: Floats, senders: npt.NDArray[np.int32], weights: Floats) -> Floats:
    """w·x of the neurons of a block."""
    rows = _ONE_THREAD // weights.size
    if len(values) <= rows or rows < _FEWEST_ROWS:
        return values.take(senders, axis=1) @ weights
    sums = np.empty((len(values), weights.shape[1]))
    for first in range(0, len(values), rows):
        some = slice(first, first + rows)
        np.matmul(values[some].take(senders, axis=1), weights, out=sums[some])
    return sums
