"""Exclusive ors as neurons: a network with room for them, and the weights that make them.

No neuron is an exclusive or, but two are: with h = And(a, b), Xor(a, b) = sgn(a + b − 2h − 1). So every layer of the
network, more exactly every run of neurons with the same senders, gets as many helpers, which read what the layer
reads and are read by it. A neuron that is another gate leaves its helper unread.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from boolearn.errors import NetworkError
from boolearn.network import CONSTANT, Network
from boolearn.solver.gates.nearest import nearest_gates
from boolearn.solver.gates.table import GateTable, Mask, weights_of


class XorNetwork:
    """A network with helpers beside the neurons that may be exclusive ors: those with a constant and two senders."""

    def __init__(self, network: Network) -> None:
        self.plain = network
        order: list[tuple[int, bool, int]] = []
        """(where it stands, whether it is a neuron of the given network and no helper, which neuron)"""
        helped = np.zeros(network.n_neurons, bool)
        for nodes, senders in network.blocks:
            may = CONSTANT in senders and len(senders) > 2
            for node in nodes:
                neuron = node - network.first_neuron
                helped[neuron] = may
                order.append((node, True, neuron))
                if may:  # outputs stay last, their helpers stand before the first
                    order.append((min(nodes[0], network.first_output), False, neuron))
        order.sort()
        self._neuron = np.zeros(network.n_neurons, np.int64)
        self._helper = np.full(network.n_neurons, -1)
        for place, (_, own, neuron) in enumerate(order):
            (self._neuron if own else self._helper)[neuron] = place
        self.helped: Mask = helped
        self.network = self._wired(len(order))

    def _wired(self, n_neurons: int) -> Network:
        plain, first = self.plain, self.plain.first_neuron
        moved = np.concatenate([np.arange(first), first + self._neuron])
        rows: list[npt.NDArray[np.int64]] = [np.empty(0, np.int64)] * n_neurons
        for nodes, senders in plain.blocks:
            neurons = np.arange(nodes[0], nodes[-1] + 1) - first
            read, helpers = moved[senders], first + self._helper[neurons]
            for neuron in neurons.tolist():
                helped = self.helped[neuron]
                rows[self._neuron[neuron]] = np.concatenate([read, helpers]) if helped else read
                if helped:
                    rows[self._helper[neuron]] = read
        start = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
        return Network(plain.n_inputs, plain.n_outputs, start, np.concatenate(rows))

    def weights_of(self, table: GateTable) -> npt.NDArray[np.float64]:
        """Shape (n_edges,) of ``network``: the weights of norm sqrt(m) that make every neuron its gate."""
        plain, network = self.plain, self.network
        most = table.shape[1] // 2
        xors = (table[:, 1] >= 0) & (table[:, 2] < 0)
        others = weights_of(plain, np.where(xors[:, None], _copy_of_first(most), table))
        weights = np.zeros(network.n_edges)
        for neuron in range(plain.n_neurons):
            m = int(plain.fan_in[neuron])
            row = weights[self._edges(self._neuron[neuron])]
            row[:m] = others[plain.start[neuron] : plain.start[neuron + 1]] * math.sqrt(len(row) / m)
            if not self.helped[neuron]:
                continue
            constant = int(np.flatnonzero(plain.sender[plain.start[neuron] : plain.start[neuron + 1]] == CONSTANT)[0])
            helper = weights[self._edges(self._helper[neuron])]
            if not xors[neuron]:
                helper[constant] = math.sqrt(m)
                continue
            first, second, sign = (int(table[neuron, column]) for column in (0, 1, most))
            row[:m] = 0
            for values, norm in ((helper, m / 3), (row, len(row) / 7)):
                values[[first, second, constant]] = np.array([sign, 1, 1]) * math.sqrt(norm)
            row[self._own_helper(neuron)] = -2 * math.sqrt(len(row) / 7)
        return weights

    def nearest_gates(self, weights: npt.NDArray[np.float64], five: Mask) -> GateTable:
        """From weights of ``network`` or of the plain one: exclusive ors as they are, else the nearest gates."""
        if weights.shape == (self.plain.n_edges,):
            return nearest_gates(self.plain, weights, five)
        if weights.shape != (self.network.n_edges,):
            raise NetworkError(f"weights must be {self.network.n_edges} finite numbers, one for each edge.")
        plain = self.plain
        kept = np.zeros(plain.n_edges)
        xors: list[tuple[int, int, int, int]] = []
        for neuron in range(plain.n_neurons):
            m = int(plain.fan_in[neuron])
            row = weights[self._edges(self._neuron[neuron])]
            kept[plain.start[neuron] : plain.start[neuron + 1]] = row[:m]
            if self.helped[neuron] and row[self._own_helper(neuron)]:
                senders = plain.sender[plain.start[neuron] : plain.start[neuron + 1]]
                inputs = np.flatnonzero((row[:m] != 0) & (senders != CONSTANT)).tolist()
                if len(inputs) == 2:
                    xors.append((neuron, inputs[0], inputs[1], 1 if row[inputs].prod() > 0 else -1))
        table = nearest_gates(plain, kept, five)
        most = table.shape[1] // 2
        for neuron, first, second, sign in xors:
            table[neuron, :most], table[neuron, most:] = -1, 0
            table[neuron, [0, 1, most, most + 1]] = first, second, sign, 1
        return table

    def _edges(self, neuron: int) -> slice:
        return slice(int(self.network.start[neuron]), int(self.network.start[neuron + 1]))

    def _own_helper(self, neuron: int) -> int:
        """Where a neuron's own helper stands among its senders."""
        senders = self.network.sender[self._edges(self._neuron[neuron])]
        return int(np.flatnonzero(senders == self.network.first_neuron + self._helper[neuron])[0])


def _copy_of_first(most: int) -> GateTable:
    return np.array([0, *[-1] * (most - 1), 1, *[0] * (most - 1)], np.int32)
