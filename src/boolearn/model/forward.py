"""The forward pass of a network: what every node holds, block by block of neurons with the same senders."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boolearn.data.signs import Signs
from boolearn.network import CONSTANT, Network

Floats = npt.NDArray[np.float64]


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
        activation = values.take(senders, axis=1) @ weights
        values[:, nodes.start : nodes.stop] = np.where(activation > 0, 1.0, -1.0)
        outputs = range(max(nodes.start, network.first_output), nodes.stop)
        if outputs:
            first_sum = outputs.start - network.first_output
            sums[:, first_sum : first_sum + len(outputs)] = activation[:, outputs.start - nodes.start :]
    return sums
