"""P_B, the projection on set B: wiring and weights agree.

Every node's output equals the inputs it sends (per item), every edge's weight is the same for all
items, every neuron's weights have squared norm m, and the outputs hold the data. Where the data leave
an output bit open (0), B asks nothing of it. The support of every neuron may be bounded. Distances count
with the metric g, so the agreed value is the g-weighted mean.

Elser & Lal, "Divide-and-concur for BTF networks".
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boolearn.network import Network
from boolearn.problem.noise import choose_flips, choose_relabelled
from boolearn.problem.point import Floats, Point
from boolearn.problem.problem import Problem
from boolearn.problem.support import narrowed


class OnB(NamedTuple):
    """The nearest point of B."""

    point: Point
    weights: Floats
    """Shape (n_weights,): those all items agree on."""
    flipped: npt.NDArray[np.bool_]
    """Shape (items, n_outputs): output bits held flipped, where noise is allowed for."""


def project_concur(problem: Problem, z: Point, g: Floats, targets: Floats) -> OnB:
    """P_B(z) in the metric ``g``, of shape (items, n_neurons), with the data ``targets`` at the outputs."""
    network = problem.network
    weights = agreed_weights(network, z.w, g, problem.support)
    flipped = np.zeros(targets.shape, np.bool_)
    if problem.output_flips:
        choose = choose_relabelled if problem.dataset.classes else choose_flips
        flipped = choose(z.y[:, network.first_output :], targets, problem.output_flips)
    y = agreed_signals(network, z.x, z.y, g, np.where(flipped, -targets, targets))
    return OnB(Point(np.broadcast_to(weights[network.tie], z.w.shape), y[:, network.sender], y), weights, flipped)


def _sum_tied(network: Network, per_edge: Floats) -> Floats:
    sums = np.zeros(network.n_weights)
    np.add.at(sums, network.tie, per_edge)
    return sums


def agreed_weights(network: Network, w: Floats, g: Floats, support: float = math.inf) -> Floats:
    """Shape (n_weights,): the g-weighted means over items and tied edges, every neuron's scaled to squared norm m.

    Before that they are narrowed to the bound on the support.
    """
    on_edges = np.repeat(g, network.fan_in, axis=1)
    mean = _sum_tied(network, (on_edges * w).sum(axis=0)) / _sum_tied(network, on_edges.sum(axis=0))
    if support < network.fan_in.max():
        mean[network.tie] = np.concatenate(
            [narrowed(row, support) for row in np.split(mean[network.tie], network.start[1:-1])]
        )
    square = np.add.reduceat(mean[network.tie] ** 2, network.start[:-1])
    scale = np.sqrt(network.fan_in / np.maximum(square, np.finfo(np.float64).tiny))
    # Neurons that share weights share whole rows, so writing the same scale several times does not conflict.
    scale_of_weight = np.empty(network.n_weights)
    scale_of_weight[network.tie] = np.repeat(scale, network.fan_in)
    return mean * scale_of_weight


def agreed_signals(network: Network, x: Floats, y: Floats, g: Floats, targets: Floats) -> Floats:
    """Shape (items, n_nodes): each node's output agrees with what its receivers read; outputs hold the data.

    Targets are ±1, 0 where open.
    """
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
    # No node reads an output, so where its bit is open nothing pulls at it and it stays.
    agreed[:, network.first_output :] = np.where(targets == 0, y[:, network.first_output :], targets)
    return agreed
