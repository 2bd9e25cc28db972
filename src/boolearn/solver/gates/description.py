"""How long a circuit is when written down: of circuits that agree with the data, the shortest is believed."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from boolearn.network import CONSTANT, Network
from boolearn.solver.gates.table import KINDS, GateTable, Mask, kinds_of, read_nodes

_READS = np.array([0, 1, 2, 3, 5, 2])
"""Inputs of a gate of each kind."""


class Description:
    """How long circuits on a network are when written down; of circuits that agree, the shortest is believed.

    The kinds of the neurons cost what they cost when every mixture of kinds is equally likely beforehand,
    each gate then the logarithm of how many gates of its kind the neuron has. A neuron that nothing reads
    counts as a copy: were it free, circuits that leave neurons idle would be preferred to true ones.

    Gates written down one by one leave nodes unread as chance has it. What is said instead is that inputs are unread
    at one rate and neurons at another, any rate being as likely as any other beforehand, as the sampler has it.
    """

    def __init__(self, network: Network, five: Mask | None = None, *, xor: bool = False) -> None:
        self.network = network
        self._xor = xor
        self._five = np.zeros(network.n_neurons, bool) if five is None else five
        m = np.add.reduceat((network.sender != CONSTANT).astype(np.int64), network.start[:-1])
        fives = [32.0 * math.comb(fan_in, 5) for fan_in in network.fan_in.tolist()]
        choices = [np.full(len(m), 2), 2 * m, 4 * m * (m - 1), 4 * m * (m - 1) * (m - 2) // 3, fives, m * (m - 1)]
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
        small, used = counts[:4], [0, 1, 2, 3]
        of_kinds = math.lgamma(small.sum() + 4) - math.lgamma(4) - sum(map(math.lgamma, small + 1))
        if self._five.any():
            # First which of the neurons that may be majorities of five are; where all may, all mixtures are alike.
            of_kinds += _length_of_one(int(counts[4]), int(self._five.sum() - counts[4]), len(used))
            used.append(4)
        if self._xor:
            of_kinds += _length_of_one(int(counts[5]), int(counts[:5].sum()), len(used))
            used.append(5)
        reads = float((counts[used] + 1) @ _READS[used]) / (counts.sum() + len(used))
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


def _length_of_one(of_kind: int, others: int, kinds: int) -> float:
    """What it takes to say which gates are of one kind and which of the other ``kinds``, all mixtures being alike."""
    together = math.lgamma(of_kind + others + kinds + 1) - math.lgamma(of_kind + 1)
    return together - math.lgamma(others + kinds) - math.log(kinds)
