"""Signals: what neurons of stages make of the data, and the one network that all stages are together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boolearn.data import Dataset
from boolearn.data.crossed import UNSEEN, crossed
from boolearn.data.signs import Signs
from boolearn.model import BoolNet
from boolearn.network import CONSTANT, Network
from boolearn.training.bits import Bits, differing, packed
from boolearn.training.found import Found

NEAR_COPY = 0.995
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

    def add(self, model: BoolNet) -> Found:
        """Take over the neurons of a model that reads all signals, and look what they say."""
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
        return Found(model, node, self.values, self._n_train, self.unseen)

    def pass_on_heard(self, found: Found, better: npt.NDArray[np.bool_]) -> None:
        """Next stages may read the hidden neurons that others make use of, and the outputs that are ``better``, unless
        they are near copies of what is there."""
        model, network = found.model, found.model.network
        heard = np.zeros(network.n_nodes)
        for own in range(network.first_neuron, network.n_nodes):
            weights = model.weights_into(own)
            gate = np.sqrt(max(float(weights @ weights), np.finfo(np.float64).tiny) / 3)
            np.maximum.at(heard, network.senders(own), np.abs(weights) / gate)
        heard[network.first_output :] = np.where(better, np.inf, 0)
        known, new = self._known(), list[int]()
        for neuron in np.flatnonzero(heard[network.first_neuron :] > HEARD).tolist():
            apart = differing(found.training[neuron], known)
            nearest = np.minimum(apart, self._n_train - apart).min()  # a negation is as good as a copy
            if nearest > (1 - NEAR_COPY) * self._n_train:
                known = np.vstack([known, found.training[neuron]])
                new.append(neuron)
        self._pass_on([found], [new])

    def pass_on_shared(self, found: Sequence[Found], consensus: int) -> None:
        """Next stages may read the neurons that so many starts have found, the same on all training items and on
        synthetic ones, unless they are copies on training items: functions that were learned by heart differ on
        synthetic ones."""
        everywhere = [[*map(bytes, np.hstack([each.training, each.unseen]))] for each in found]
        starts = Counter(said for of_start in everywhere for said in set(of_start))
        known, new = set(map(bytes, self._known())), list[list[int]]()
        for each, of_start in zip(found, everywhere, strict=True):
            new.append([])
            for neuron, said in enumerate(of_start):
                on_training = bytes(each.training[neuron])
                if starts[said] >= consensus and on_training not in known:
                    known.add(on_training)
                    new[-1].append(neuron)
        self._pass_on(found, new)

    def _known(self) -> Bits:
        """What the signals and the constant say on the training items."""
        training = self.values[: self._n_train]
        known = packed(training, training[0])
        constant = np.ones((self._n_train, 1), np.int8)
        return np.vstack([packed(constant, constant[0]), known])

    def _pass_on(self, found: Sequence[Found], new: Sequence[Sequence[int]]) -> None:
        """Make signals of these neurons of each start."""
        chosen = [(each, np.array(neurons, np.int64)) for each, neurons in zip(found, new, strict=True)]
        self.values = np.hstack([self.values, *(each.on_items(neurons) for each, neurons in chosen)])
        self.unseen = np.hstack([self.unseen, *(each.on_unseen(neurons) for each, neurons in chosen)])
        self._nodes = np.concatenate([self._nodes, *(each.neurons[neurons] for each, neurons in chosen)])

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
