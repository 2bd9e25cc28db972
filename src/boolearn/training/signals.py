"""Signals: what neurons of stages make of the data, and the one network that all stages are together."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boolearn.data import Dataset
from boolearn.data.signs import Signs
from boolearn.model import BoolNet
from boolearn.network import CONSTANT, Network

ALIKE = 0.995
"""A neuron that agrees with an earlier signal, or with its negation or a constant, on so many training items adds
nothing that a next stage could use."""

HEARD = 0.3
"""A hidden neuron is passed on if it is read with at least this share of a gate's weight, √(m/3)."""


class Row(NamedTuple):
    """A neuron: the nodes it reads and its weights to them."""

    senders: npt.NDArray[np.int64]
    weights: npt.NDArray[np.float64]


class Signals:
    """The values that a stage may read, the inputs first, and the neurons of all stages so far.

    Nodes are numbered as in a network: the constant, the inputs, then the neurons of one stage after another.
    """

    def __init__(self, dataset: Dataset, n_train: int) -> None:
        self.values: Signs = dataset.inputs
        """Shape (items, signals), of all items."""
        self._n_train = n_train
        self._n_inputs = dataset.n_inputs
        self._nodes = np.arange(dataset.n_inputs + 1)
        """The constant's node, then that of every signal."""
        self._rows: list[Row] = []

    def add(self, model: BoolNet, better: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
        """Take over a stage's neurons. Next stages may read hidden ones, and outputs that are ``better`` than before.

        Returns the nodes of its outputs.
        """
        network = model.network
        node = np.empty(network.n_nodes, np.int64)
        node[: network.first_neuron] = self._nodes
        heard = np.zeros(network.n_nodes)
        for own in range(network.first_neuron, network.n_nodes):
            senders, weights = network.senders(own), model.weights_into(own)
            gate = np.sqrt(max(float(weights @ weights), np.finfo(np.float64).tiny) / 3)
            np.maximum.at(heard, senders, np.abs(weights) / gate)
            used = weights != 0  # a bound on the support leaves most of them at 0
            if not used[senders != CONSTANT].any():  # a constant: a network wants it to read something else too
                used |= senders == senders[senders != CONSTANT][0]
            node[own] = 1 + self._n_inputs + len(self._rows)
            self._rows.append(Row(node[senders[used]], weights[used]))
        hidden = np.arange(network.first_neuron, network.first_output)
        outputs = np.arange(network.first_output, network.n_nodes)
        self._pass_on(model, np.concatenate([hidden[heard[hidden] > HEARD], outputs[better]]), node)
        return node[outputs]

    def _pass_on(self, model: BoolNet, chosen: npt.NDArray[np.int64], node: npt.NDArray[np.int64]) -> None:
        """Make signals of the chosen ones of a model's nodes, as far as they differ from all others."""
        values = model.node_values(self.values)[:, chosen].astype(np.int8)
        constant = -np.ones((self._n_train, 1), np.float32)
        known = np.hstack([constant, self.values[: self._n_train].astype(np.float32)])
        new = []
        for number, own in enumerate(values[: self._n_train].T.astype(np.float32)):
            if np.abs(own @ known).max() < (2 * ALIKE - 1) * self._n_train:
                known = np.column_stack([known, own])
                new.append(number)
        self.values = np.hstack([self.values, values[:, new]])
        self._nodes = np.concatenate([self._nodes, node[chosen[new]]])

    def network(self, outputs: npt.NDArray[np.int64], dataset: Dataset) -> BoolNet:
        """The model whose outputs are these nodes, of all neurons that any of them depends on."""
        first = 1 + self._n_inputs
        needed = np.zeros(first + len(self._rows), np.bool_)
        waiting = [*outputs.tolist()]
        while waiting:
            for sender in self._rows[waiting.pop() - first].senders.tolist():
                if sender >= first and not needed[sender]:
                    needed[sender] = True
                    waiting.append(sender)
        # No node may read an output: one that is read is there twice.
        hidden = np.flatnonzero(needed)
        number = np.arange(len(needed))
        number[hidden] = first + np.arange(len(hidden))
        rows = [self._rows[node - first] for node in [*hidden.tolist(), *outputs.tolist()]]
        network = Network(
            n_inputs=self._n_inputs,
            n_outputs=len(outputs),
            start=np.cumsum([0, *(len(row.senders) for row in rows)]),
            sender=np.concatenate([number[row.senders] for row in rows]),
        )
        weights = np.concatenate([row.weights for row in rows])
        return BoolNet(network, weights, input_names=dataset.input_names, output_names=dataset.output_names)
