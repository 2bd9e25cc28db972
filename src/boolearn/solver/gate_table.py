"""The gates of a network as a table, its weights and its description length.

A table has one row for each neuron: three positions among the neuron's senders (−1 where unused)
and three signs (0 where unused). One input is a copy, or a constant when that input is the constant
node; three are a majority, and an And or an Or when the constant node is one of them.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from boolearn.errors import NetworkError
from boolearn.network import CONSTANT, Network

GateTable = npt.NDArray[np.int32]
KINDS = ("constant", "copy", "and/or", "maj")
PRICE = 0.3
"""What an And, Or or Maj costs while a circuit is refined, in wrong bits, unless told otherwise."""


def weights_of(network: Network, table: GateTable) -> npt.NDArray[np.float64]:
    """Shape (n_edges,): the weights of norm sqrt(m) that make every neuron its gate.

    They keep the margin sqrt(m/3), which is what σ = 3 asks for.
    """
    weights = np.zeros(network.n_edges)
    for neuron, row in enumerate(table.tolist()):
        size = 1 if row[1] < 0 else 3
        norm = math.sqrt(int(network.fan_in[neuron]) / size)
        for position, sign in zip(row[:size], row[3 : 3 + size], strict=True):
            weights[network.start[neuron] + position] = sign * norm
    return weights


def table_of(network: Network, weights: npt.NDArray[np.float64]) -> GateTable:
    """The gates of weights that ``weights_of`` could have made; other weights are refused."""
    table = np.full((network.n_neurons, 6), -1, np.int32)
    table[:, 3:] = 0
    for neuron in range(network.n_neurons):
        row = weights[network.start[neuron] : network.start[neuron + 1]]
        used = np.flatnonzero(row)
        if len(used) not in (1, 3) or not np.allclose(np.abs(row[used]), np.abs(row[used[0]])):
            node = network.first_neuron + neuron
            raise NetworkError(f"{network.describe_node(node)} must be a copy or a majority of three to be a gate.")
        table[neuron, : len(used)] = used
        table[neuron, 3 : 3 + len(used)] = np.sign(row[used])
    return table


def read_nodes(network: Network, table: GateTable) -> npt.NDArray[np.bool_]:
    """Shape (n_nodes,): the nodes that outputs depend on, as far as the wiring of the gates tells."""
    read = np.zeros(network.n_nodes, bool)
    read[network.first_output :] = True
    for neuron in range(network.n_neurons - 1, -1, -1):
        if read[network.first_neuron + neuron]:
            positions = table[neuron, :3]
            read[network.sender[network.start[neuron] + positions[positions >= 0]]] = True
    return read


def kinds_of(network: Network, table: GateTable) -> npt.NDArray[np.intp]:
    """Shape (n_neurons,): which of ``KINDS`` every gate is."""
    senders = network.sender[network.start[:-1, None] + np.maximum(table[:, :3], 0)]
    with_constant = ((senders == CONSTANT) & (table[:, :3] >= 0)).any(axis=1)
    return np.where(table[:, 1] < 0, np.where(with_constant, 0, 1), np.where(with_constant, 2, 3))


class Description:
    """How long circuits on a network are when written down; of circuits that agree, the shortest is believed.

    The kinds of the neurons cost what they cost when every mixture of kinds is equally likely beforehand,
    each gate then the logarithm of how many gates of its kind the neuron has. A neuron that nothing reads
    counts as a copy: were it free, circuits that leave neurons idle would be preferred to true ones.

    Gates written down one by one leave nodes unread as chance has it. What is said instead is that inputs are unread
    at one rate and neurons at another, any rate being as likely as any other beforehand, as the sampler has it.
    """

    def __init__(self, network: Network) -> None:
        self.network = network
        m = np.add.reduceat((network.sender != CONSTANT).astype(np.int64), network.start[:-1])
        choices = np.stack([np.full(len(m), 2), 2 * m, 4 * m * (m - 1), 4 * m * (m - 1) * (m - 2) // 3], axis=1)
        self._nats = np.log(np.maximum(choices, 1))
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
        of_kinds = math.lgamma(counts.sum() + len(KINDS)) - math.lgamma(len(KINDS)) - sum(map(math.lgamma, counts + 1))
        reads = float((counts + 1) @ np.arange(len(KINDS))) / (counts.sum() + len(KINDS))
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
