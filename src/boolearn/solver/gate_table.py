"""The gates of a network as a table, its weights and its description length.

A table has one row for each neuron: three positions among the neuron's senders (−1 where unused)
and three signs (0 where unused). One input is a copy, or a constant when that input is the constant
node; three are a majority, and an And or an Or when the constant node is one of them. Where there may
be majorities of five, rows have five positions and five signs.
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
KINDS = ("constant", "copy", "and/or", "maj", "maj5")
_READS = np.array([0, 1, 2, 3, 5])
PRICE = 0.3
"""What an And, Or or Maj costs while a circuit is refined, in wrong bits, unless told otherwise."""


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
    """Shape (n_nodes,): the nodes that outputs depend on, as far as the wiring of the gates tells."""
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
    return np.where((positions >= 0).sum(axis=1) == 5, 4, small)


class Description:
    """How long circuits on a network are when written down; of circuits that agree, the shortest is believed.

    The kinds of the neurons cost what they cost when every mixture of kinds is equally likely beforehand,
    each gate then the logarithm of how many gates of its kind the neuron has. A neuron that nothing reads
    counts as a copy: were it free, circuits that leave neurons idle would be preferred to true ones.

    Gates written down one by one leave nodes unread as chance has it. What is said instead is that inputs are unread
    at one rate and neurons at another, any rate being as likely as any other beforehand, as the sampler has it.
    """

    def __init__(self, network: Network, five: Mask | None = None) -> None:
        self.network = network
        self._five = np.zeros(network.n_neurons, bool) if five is None else five
        m = np.add.reduceat((network.sender != CONSTANT).astype(np.int64), network.start[:-1])
        fives = [32.0 * math.comb(fan_in, 5) for fan_in in network.fan_in.tolist()]
        choices = [np.full(len(m), 2), 2 * m, 4 * m * (m - 1), 4 * m * (m - 1) * (m - 2) // 3, fives]
        self._nats = np.log(np.maximum(np.stack(choices, axis=1), 1))
        self._m = np.maximum(m, 1)
        readable = np.isin(np.arange(network.n_nodes), network.sender)
        nodes = np.arange(network.n_nodes)
        self._groups = [
            np.flatnonzero(readable & (first <= nodes) & (nodes < end))
            for first, end in ((1, network.first_neuron), (network.first_neuron, network.first_output))
        ]

    def length(self, table: GateTable) -> float:
        """In nats."""
        read = read_nodes(self.network, table)
        kinds = np.where(read[self.network.first_neuron :], kinds_of(self.network, table), KINDS.index("copy"))
        counts = np.bincount(kinds, minlength=len(KINDS))
        of_gates = self._nats[np.arange(len(kinds)), kinds].sum()
        small, n = counts[:4], 4 + int(self._five.any())
        of_kinds = math.lgamma(small.sum() + 4) - math.lgamma(4) - sum(map(math.lgamma, small + 1))
        if self._five.any():
            # First which of the neurons that may be majorities of five are; where all may, all mixtures are alike.
            fives, others = int(counts[4]), int(self._five.sum() - counts[4])
            of_kinds += math.lgamma(fives + others + 5) - math.lgamma(fives + 1) - math.lgamma(others + 4) - math.log(4)
        reads = float((counts[:n] + 1) @ _READS[:n]) / (counts.sum() + n)
        return float(of_gates + of_kinds + self._length_of_idleness(read, reads))

    def _length_of_idleness(self, read: npt.NDArray[np.bool_], reads: float) -> float:
        """What it takes to say which nodes are unread, less what chance alone would say of it."""
        network = self.network
        missed = np.log1p(-np.minimum(reads / self._m, 0.99))
        by_chance = np.bincount(network.sender, np.repeat(missed, network.fan_in), minlength=network.n_nodes)
        length = 0.0
        for group in self._groups:
            idle = group[~read[group]]
            busy = group[read[group]]
            length += math.lgamma(len(group) + 2) - math.lgamma(len(idle) + 1) - math.lgamma(len(busy) + 1)
            length += by_chance[idle].sum() + np.log1p(-np.exp(by_chance[busy])).sum()
        return length
