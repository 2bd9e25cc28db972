"""The forward pass of a network: what every node holds, block by block of neurons with the same senders."""

from __future__ import annotations

import math

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
_ROUNDING = float(np.finfo(np.float64).eps)
_WHOLE = 2.0**53
"""Whole numbers up to here are exact."""


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
    """w·x of the neurons of a block, each with the sign that it has without rounding errors."""
    rows = _ONE_THREAD // weights.size
    if rows < _FEWEST_ROWS:
        rows = max(1, len(values))
    sums = np.empty((len(values), weights.shape[1]))
    for first in range(0, len(values), rows):
        some = slice(first, first + rows)
        received = values[some].take(senders, axis=1)
        np.matmul(received, weights, out=sums[some])
        _settle(received, weights, sums[some])
    return sums


def _settle(received: Floats, weights: Floats, sums: Floats) -> None:
    """Compute sums again that are as small as rounding errors, since those depend on how many items there are at once.

    For signs the result is exact. For analog inputs only the products are rounded, for any number of items alike.
    """
    sizes, total = np.abs(received), np.abs(weights).sum(axis=0)
    error = 4 * len(weights) * _ROUNDING * sizes.max(initial=0.0) * total
    if (sizes == 1).all():  # whole weights have no rounding errors, and often sums of 0
        error[(weights == np.rint(weights)).all(axis=0) & (total < _WHOLE)] = -1.0
    for item, neuron in np.argwhere(np.abs(sums) <= error):
        sums[item, neuron] = math.fsum(received[item] * weights[:, neuron])
