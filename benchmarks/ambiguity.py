"""How far data distinguishes a random circuit from its neighbours: about what chance any method has to find it.

Take the circuit that made the data and change a single gate. Where the new gate makes no training bit wrong but other
bits of unseen items, nothing in the data speaks for the true gate, only what is known beforehand: that half of
the neurons are copies, that gates of a kind are equally likely, and that every node is read by some neuron.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from gate_cases import gate_task

from boolearn._native import GateSampler
from boolearn.data import Dataset
from boolearn.model import BoolNet
from boolearn.network import CONSTANT, Network
from boolearn.solver.gates.table import GateTable, table_of


def chance_of_truth(circuit: BoolNet, train: Dataset, test: Dataset) -> tuple[float, int]:
    """About the probability of the true function given the data; and how many neurons are in doubt.

    Only the circuits that differ from the true one in a single gate are counted against it, each neuron's weighed
    against the gates that amount to the true one; circuits further away would lower it. A neuron is in doubt when the
    others are at least as likely.
    """
    network = circuit.network
    truth = table_of(network, circuit.weights)
    seen, unseen = (_sampler(network, part, truth) for part in (train, test))
    own = [_senders(network, neuron, truth[neuron : neuron + 1])[0] for neuron in range(network.n_neurons)]
    readers = np.bincount(np.concatenate(own).clip(0), minlength=network.n_nodes)
    kinds = {_kind(row[None])[0] for row in own}
    odds = np.zeros(network.n_neurons)
    for neuron, senders in enumerate(own):
        gates, wrong = seen.candidates(neuron)
        fits = wrong == 0
        elsewhere = unseen.candidates(neuron)[1][fits]
        reads = _senders(network, neuron, gates[fits])
        needed = [node for node in senders if node > CONSTANT and readers[node] == 1]
        legal = (
            np.all([(reads == node).any(axis=1) for node in needed], axis=0) if needed else np.ones(len(reads), bool)
        )
        kind = _kind(reads)
        m = int(network.fan_in[neuron]) - 1
        likely = np.array([0, 1 / (2 * m), 1 / (4 * m * (m - 1)), 3 / (4 * m * (m - 1) * (m - 2))])
        weight = likely[kind] * np.isin(kind, list(kinds)) * legal
        odds[neuron] = weight[elsewhere > 0].sum() / weight[elsewhere == 0].sum()
    return float(1 / (1 + odds.sum())), int((odds >= 1).sum())


def _sampler(network: Network, dataset: Dataset, gates: GateTable) -> GateSampler:
    sampler = GateSampler(gate_task(network, dataset, most_enumerated=int(network.fan_in.max())), 0)
    sampler.gates = gates
    return sampler


def _senders(network: Network, neuron: int, gates: GateTable) -> npt.NDArray[np.int32]:
    """Shape (gates, 3): the nodes that are read, −1 where there is none."""
    positions = gates[:, :3]
    return np.where(positions < 0, -1, network.senders(network.first_neuron + neuron)[positions])


def _kind(senders: npt.NDArray[np.int32]) -> npt.NDArray[np.intp]:
    """0 constant, 1 copy, 2 And/Or, 3 Maj."""
    constant = (senders == CONSTANT).any(axis=1)
    return np.where(senders[:, 1] < 0, np.where(constant, 0, 1), np.where(constant, 2, 3))
