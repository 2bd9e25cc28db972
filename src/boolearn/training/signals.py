"""Signals: what neurons of stages make of the data, and the one network that all stages are together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boolearn.data import Dataset
from boolearn.data.crossed import UNSEEN, crossed
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

    def __init__(self, dataset: Dataset, n_train: int, seed: int = 0) -> None:
        self.values: Signs = dataset.inputs
        """Shape (items, signals), of all items."""
        self.unseen: Signs = crossed(dataset.inputs[:n_train], UNSEEN, seed)
        """The same for synthetic inputs."""
        self._n_train = n_train
        self._n_inputs = dataset.n_inputs
        self._nodes = np.arange(dataset.n_inputs + 1)
        """The constant's node, then that of every signal."""
        self._rows: list[Row] = []

    def add(self, model: BoolNet) -> npt.NDArray[np.int64]:
        """Take over the neurons of a model that reads all signals. Returns what each of its nodes is numbered here."""
        network = model.network
        node = np.empty(network.n_nodes, np.int64)
        node[: network.first_neuron] = self._nodes
        for own in range(network.first_neuron, network.n_nodes):
            senders, weights = network.senders(own), model.weights_into(own)
            used = weights != 0  # a bound on the support leaves most of them at 0
            if not used[senders != CONSTANT].any():  # a constant: a network wants it to read something else too
                used |= senders == senders[senders != CONSTANT][0]
            node[own] = 1 + self._n_inputs + len(self._rows)
            self._rows.append(Row(node[senders[used]], weights[used]))
        return node

    def pass_on_heard(self, model: BoolNet, node: npt.NDArray[np.int64], better: npt.NDArray[np.bool_]) -> None:
        """Next stages may read the hidden neurons that others make use of, and the outputs that are ``better``.

        ``node`` is what ``add`` returned for the model.
        """
        network = model.network
        heard = np.zeros(network.n_nodes)
        for own in range(network.first_neuron, network.n_nodes):
            weights = model.weights_into(own)
            gate = np.sqrt(max(float(weights @ weights), np.finfo(np.float64).tiny) / 3)
            np.maximum.at(heard, network.senders(own), np.abs(weights) / gate)
        heard[network.first_output :] = np.where(better, np.inf, 0)
        self._pass_on([model], [node], [heard > HEARD], ALIKE)

    def pass_on_shared(self, models: Sequence[BoolNet], nodes: Sequence[npt.NDArray[np.int64]], consensus: int) -> None:
        """Next stages may read the neurons that so many of the models have found, the same on all training items and
        on synthetic ones: functions that were learned by heart differ there."""
        both = np.vstack([self.values[: self._n_train], self.unseen])
        seen = [model.node_values(both).astype(np.float32) for model in models]
        shared = [sum(_agreement(own, other) == len(own) for other in seen) >= consensus for own in seen]
        for model, chosen in zip(models, shared, strict=True):
            chosen[: model.network.first_neuron] = False
        self._pass_on(models, nodes, shared, 1)

    def _pass_on(
        self,
        models: Sequence[BoolNet],
        nodes: Sequence[npt.NDArray[np.int64]],
        chosen: Sequence[npt.NDArray[np.bool_]],
        alike: float,
    ) -> None:
        """Make signals of the chosen ones of all models' nodes, as far as they differ from all others on the training
        items: on more than a few, or with ``alike`` of 1 on any."""
        constant = -np.ones((self._n_train, 1), np.float32)
        known = np.hstack([constant, self.values[: self._n_train].astype(np.float32)])
        values, unseen, places = [self.values], [self.unseen], [self._nodes]
        for model, node, of_model in zip(models, nodes, chosen, strict=True):
            training = model.node_values(self.values[: self._n_train]).astype(np.float32)
            new = []
            for own in np.flatnonzero(of_model):
                if _agreement(training[:, own], known) < (2 * alike - 1) * self._n_train:
                    known = np.column_stack([known, training[:, own]])
                    new.append(own)
            values.append(model.node_values(self.values)[:, new].astype(np.int8))
            unseen.append(model.node_values(self.unseen)[:, new].astype(np.int8))
            places.append(node[new])
        self.values, self.unseen = np.hstack(values), np.hstack(unseen)
        self._nodes = np.concatenate(places)

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


def _agreement(own: npt.NDArray[np.float32], others: npt.NDArray[np.float32]) -> Any:
    """For each column of ``own`` how far the nearest of others, or its negation, agrees: right minus wrong items."""
    return np.abs(own.T @ others).max(axis=-1)
