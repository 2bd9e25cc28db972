"""Set B: wiring and weights agree.

Every node's output equals the inputs it sends (per item), every edge's weight is the same for all
items, every neuron's weights have squared norm m, and the outputs hold the data. Distances count
with the metric g, so the agreed value is the g-weighted mean.

Elser & Lal, "Divide-and-concur for BTF networks".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boolearn.network import Network

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class WeightSums:
    """What the concurrence of weights needs of a set of items; sums of several sets add up."""

    weighted: Floats
    """Shape (n_weights,): Σ g·w over items and over the edges that use the weight."""
    metric: Floats
    """Shape (n_weights,): Σ g over the same."""


def weight_sums(network: Network, w: Floats, g: Floats) -> WeightSums:
    """Sum weights and metric over items; ``g`` has shape (items, n_neurons)."""
    on_edges = np.repeat(g, network.fan_in, axis=1)
    per_edge = (on_edges * w).sum(axis=0)
    metric = on_edges.sum(axis=0)
    return WeightSums(
        _sum_tied(network, per_edge),
        _sum_tied(network, metric),
    )


def _sum_tied(network: Network, per_edge: Floats) -> Floats:
    sums = np.zeros(network.n_weights)
    np.add.at(sums, network.tie, per_edge)
    return sums


def concur_weights(network: Network, sums: WeightSums) -> Floats:
    """Shape (n_weights,): the agreed weights, every neuron's scaled to squared norm m."""
    mean = sums.weighted / sums.metric
    square = np.add.reduceat(mean[network.tie] ** 2, network.start[:-1])
    scale = np.sqrt(network.fan_in / np.maximum(square, np.finfo(np.float64).tiny))
    # Neurons that share weights share whole rows, so writing the same scale several times is no conflict.
    scale_of_weight = np.empty(network.n_weights)
    scale_of_weight[network.tie] = np.repeat(scale, network.fan_in)
    return mean * scale_of_weight


def concur_signals(network: Network, x: Floats, y: Floats, g: Floats, targets: Floats) -> Floats:
    """Shape (items, n_nodes): each node's output agrees with what its receivers read; outputs hold the data."""
    g_nodes = np.ones_like(y)
    g_nodes[:, network.first_neuron :] = g
    total, metric = g_nodes * y, g_nodes.copy()
    pull = np.repeat(g, network.fan_in, axis=1) * x
    for nodes, senders in network.blocks:
        # A block's neurons all read the same nodes, each once.
        by_neuron = pull[:, network.edges_into_run(nodes)].reshape(len(y), len(nodes), len(senders))
        total[:, senders] += by_neuron.sum(axis=1)
        metric[:, senders] += g_nodes[:, nodes.start : nodes.stop].sum(axis=1, keepdims=True)
    agreed = total / metric
    agreed[:, network.first_output :] = targets
    return agreed
