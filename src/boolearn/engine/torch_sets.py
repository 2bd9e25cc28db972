"""The projections to A and B on torch tensors: ``problem/divide.py`` and ``problem/concur.py`` on any device.

Sums over a neuron's edges go block by block of the network: the edges of a block are a table (neurons, senders).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import torch

from boolearn.data import InputKind
from boolearn.network import Network
from boolearn.problem import Problem
from boolearn.problem.support import EQUAL

_FLOOR = 1e-24
_STEPS = 4


class Block(NamedTuple):
    """Neurons that read the same nodes."""

    neurons: slice
    """Among the neurons, so without constant and inputs."""
    senders: torch.Tensor
    edges: slice
    shape: tuple[int, int, int]
    """(items, neurons, senders), with −1 for the items."""


class Wiring:
    """The network as tensors of a device."""

    def __init__(self, network: Network, device: torch.device) -> None:
        self.network = network
        self.tie = torch.as_tensor(np.asarray(network.tie, np.int64), device=device)
        self.sender = torch.as_tensor(np.asarray(network.sender, np.int64), device=device)
        self.fan_in = torch.as_tensor(np.asarray(network.fan_in, np.int64), device=device)
        self.blocks = []
        for nodes, senders in network.blocks:
            first, last = nodes.start - network.first_neuron, nodes.stop - network.first_neuron
            edges = slice(int(network.start[first]), int(network.start[last]))
            where = torch.as_tensor(np.asarray(senders, np.int64), device=device)
            self.blocks.append(Block(slice(first, last), where, edges, (-1, len(nodes), len(senders))))

    def sum_rows(self, on_edges: torch.Tensor) -> torch.Tensor:
        """Shape (items, n_neurons): sums over the edges of every neuron."""
        return torch.cat([on_edges[:, b.edges].reshape(b.shape).sum(2) for b in self.blocks], dim=1)

    def to_edges(self, of_neurons: torch.Tensor) -> torch.Tensor:
        """Shape (items, n_edges): what every edge's neuron has."""
        return torch.repeat_interleave(of_neurons, self.fan_in, dim=1)

    def sum_tied(self, per_edge: torch.Tensor) -> torch.Tensor:
        return per_edge.new_zeros(self.network.n_weights).index_add_(0, self.tie, per_edge)


def margin_root(s: torch.Tensor, d: torch.Tensor, mu: torch.Tensor) -> torch.Tensor:
    """As in ``problem/bilinear.py``."""
    s = torch.maximum(s, _FLOOR * (2 * mu + d))
    start = torch.sqrt(s / (2 * mu + d)).clamp(max=1.0)
    v = start
    for _ in range(_STEPS):
        near, far = 1 / v, 1 / (2 - v)
        f = s * near**2 - d * far**2 - 2 * mu
        df = -2 * (s * near**3 + d * far**3)
        ddf = 6 * (s * near**4 - d * far**4)
        v = torch.maximum(torch.minimum(v - 2 * f * df / (2 * df**2 - f * ddf), torch.ones_like(v)), start)
    return v


def _distance_moved(s: torch.Tensor, d: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    return s * ((1 - v) / v) ** 2 + d * ((1 - v) / (2 - v)) ** 2


def threshold_step(
    s: torch.Tensor, d: torch.Tensor, y: torch.Tensor, mu: torch.Tensor
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """As in ``problem/threshold.py``: factors of w + x and w − x, and the new y."""
    p, one = (s - d) / 2, torch.ones_like(s)
    to_plus = torch.where(p < mu, margin_root(s, d, mu), one)
    to_minus = torch.where(p > -mu, margin_root(d, s, mu), one)
    cost_plus = _distance_moved(s, d, to_plus) + (1 - y) ** 2
    cost_minus = _distance_moved(d, s, to_minus) + (1 + y) ** 2
    plus = torch.where(y * p > 0, y > 0, cost_plus < cost_minus)
    of_sum = torch.where(plus, 1 / to_plus, 1 / (2 - to_minus))
    of_difference = torch.where(plus, 1 / (2 - to_plus), 1 / to_minus)
    return of_sum, of_difference, torch.where(plus, one, -one)


def choose_flips(y: torch.Tensor, data: torch.Tensor, allowed: int) -> torch.Tensor:
    """As in ``problem/noise.py``: of the bits that lean to their flipped side those that lean most."""
    lean = -(data * y).ravel()
    largest = torch.sort(lean, descending=True, stable=True).indices[:allowed]
    flipped = torch.zeros_like(lean, dtype=torch.bool)
    flipped[largest] = lean[largest] > 0
    return flipped.reshape(y.shape)


def choose_relabelled(y: torch.Tensor, data: torch.Tensor, allowed: int) -> torch.Tensor:
    """As in ``problem/noise.py``: of the items that lean to another class those that lean most, with both bits."""
    own = _first_largest(data)
    other = _first_largest(torch.where(data > 0, -torch.inf, y))
    lean = (y.gather(1, other) - y.gather(1, own)).ravel()
    largest = torch.sort(lean, descending=True, stable=True).indices[:allowed]
    largest = largest[lean[largest] > 0]
    flipped = torch.zeros_like(y, dtype=torch.bool)
    flipped[largest, own[largest, 0]] = True
    flipped[largest, other[largest, 0]] = True
    return flipped


def project_inputs(problem: Problem, values: torch.Tensor, given: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """A at the input nodes, and which bits are held flipped."""
    flipped, one = torch.zeros_like(values, dtype=torch.bool), torch.ones_like(values)
    if problem.dataset.input_kind is InputKind.ANY_CODE:
        return torch.where(values < 0, -one, one), flipped
    if problem.dataset.input_kind is InputKind.ONE_HOT_CODE:
        return (-one).scatter_(1, _first_largest(values), 1.0), flipped
    if problem.input_flips:
        flipped = choose_flips(values, given, problem.input_flips)
    return torch.where(flipped, -given, given), flipped


def _first_largest(values: torch.Tensor) -> torch.Tensor:
    """Of equals the first; argmax promises no order."""
    places = torch.arange(values.shape[1], device=values.device).expand(values.shape)
    equal = values == values.max(dim=1, keepdim=True).values
    return torch.where(equal, places, values.shape[1]).min(dim=1, keepdim=True).values


def narrowed(v: torch.Tensor, support: float) -> torch.Tensor:
    """As in ``problem/support.py``, for rows of weights."""
    size = v.abs()
    wide = size.sum(1, keepdim=True) ** 2 > support * (size**2).sum(1, keepdim=True)
    t, kept = torch.zeros_like(size[:, :1]), size > 0
    while True:
        k = kept.sum(1, keepdim=True, dtype=v.dtype)
        mean = (size * kept).sum(1, keepdim=True) / k
        variance = (((size - mean) ** 2) * kept).sum(1, keepdim=True) / k
        t = torch.where(
            wide & (k > support), torch.maximum(t, mean - torch.sqrt(support * variance / (k - support))), t
        )
        now = size > t
        if torch.equal(now, kept):
            break
        kept = now
    largest = size.amax(1, keepdim=True)
    nearest = torch.copysign((size - t).clamp(min=0), v)
    equal = torch.where(size >= (1 - EQUAL) * largest, v, torch.zeros_like(v))
    return torch.where(wide, torch.where(largest - t <= EQUAL * largest, equal, nearest), v)


def agreed_weights(wiring: Wiring, w: torch.Tensor, g: torch.Tensor, support: float = math.inf) -> torch.Tensor:
    """B at the weights: means over items and tied edges, narrowed to the support, every neuron's of squared norm m."""
    on_edges = wiring.to_edges(g)
    mean = wiring.sum_tied((on_edges * w).sum(0)) / wiring.sum_tied(on_edges.sum(0))
    if support < max(block.shape[2] for block in wiring.blocks):
        on_edge = mean[wiring.tie]
        for block in wiring.blocks:
            on_edge[block.edges] = narrowed(on_edge[block.edges].reshape(block.shape[1:]), support).ravel()
        mean[wiring.tie] = on_edge
    square = wiring.sum_rows((mean[wiring.tie] ** 2)[None])
    scale = torch.sqrt(wiring.fan_in / square.clamp(min=torch.finfo(w.dtype).tiny))
    # Neurons that share weights share whole rows, so writing the same scale several times does not conflict.
    of_weight = torch.empty_like(mean)
    of_weight[wiring.tie] = wiring.to_edges(scale)[0]
    return mean * of_weight


def agreed_signals(
    wiring: Wiring, x: torch.Tensor, y: torch.Tensor, g: torch.Tensor, targets: torch.Tensor
) -> torch.Tensor:
    """B at the wires: each node's output agrees with what its receivers read; outputs hold the data; 0 is open."""
    network = wiring.network
    metric = torch.ones_like(y)
    metric[:, network.first_neuron :] = g
    total, pull = metric * y, wiring.to_edges(g) * x
    for block in wiring.blocks:
        total[:, block.senders] += pull[:, block.edges].reshape(block.shape).sum(1)
        metric[:, block.senders] += g[:, block.neurons].sum(1, keepdim=True)
    agreed = total / metric
    agreed[:, network.first_output :] = torch.where(targets == 0, y[:, network.first_output :], targets)  # 0 is open
    return agreed
