"""Growing: a larger network around a model, in which the model stays what it was."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_choice, checked_integer, generator
from boolearn.errors import ParameterError
from boolearn.model.boolnet import BoolNet
from boolearn.network import Network
from boolearn.network.wirings import READS, Reads, check_wiring, nodes_below

Row = tuple[npt.NDArray[np.int64], npt.NDArray[np.float64]]
"""A neuron that is known: its senders and its weights to them."""


def grow(model: BoolNet, *, wider: int = 0, deeper: int = 0, reads: Reads = "inputs", seed: int = 0) -> BoolNet:
    """The same function on a network with ``wider`` more neurons in every hidden layer and ``deeper`` more layers.

    Layers are the model's levels. Neurons keep their senders and read more, by default the whole layer below and all
    inputs; their weights to new senders are 0. New layers stand below the outputs: the first holds what were the
    outputs, and copies carry them up. The weights of all other new neurons are drawn from the seed; nothing depends
    on them until a search makes use of them.
    """
    if not isinstance(model, BoolNet):
        raise ParameterError("model", "a BoolNet; boolearn.circuit.as_model makes one from a circuit", model)
    if model.network.tied:
        raise ParameterError("model", "one whose neurons share no weights", model)
    wider, deeper = checked_integer("wider", wider, 0), checked_integer("deeper", deeper, 0)
    checked_choice("reads", reads, READS)
    layers = _layers(model, wider, deeper)
    widths = [model.network.n_inputs, *map(len, layers)]
    check_wiring(widths, reads)
    rng = generator(seed)
    senders, weights = [], []
    for number, layer in enumerate(layers, 1):
        below = nodes_below(widths, number, reads)
        for row in layer:
            if row is None:
                senders.append(below)
                weights.append(rng.standard_normal(len(below)))
                continue
            read, known = row
            nodes = np.union1d(below, read)
            spread = np.zeros(len(nodes))
            # Searches keep norms of √fan-in, so the row grows with its fan-in.
            spread[np.searchsorted(nodes, read)] = known * math.sqrt(len(nodes) / len(read))
            senders.append(nodes)
            weights.append(spread)
    network = Network(
        n_inputs=model.network.n_inputs,
        n_outputs=model.network.n_outputs,
        start=np.concatenate(([0], np.cumsum([len(nodes) for nodes in senders]))),
        sender=np.concatenate(senders),
    )
    return replace(model, network=network, weights=np.concatenate(weights))


def _layers(model: BoolNet, wider: int, deeper: int) -> list[list[Row | None]]:
    """For every layer its neurons, old ones first; None is a new one that is free."""
    old = model.network
    hidden = np.arange(old.first_neuron, old.first_output)
    outputs = np.arange(old.first_output, old.n_nodes)
    depth = int(old.level[hidden].max(initial=0))
    number = np.arange(old.n_nodes)  # what the old nodes are called in the new network
    count = old.first_neuron
    layers: list[list[Row | None]] = []
    for layer in range(1, depth + 2):
        nodes = outputs if layer > depth else hidden[old.level[hidden] == layer]
        number[nodes] = np.arange(count, count + len(nodes))
        rows: list[Row | None] = [(number[old.senders(node)], model.weights_into(node)) for node in nodes.tolist()]
        layers.append(rows + [None] * (wider if layer <= depth or deeper else 0))
        count += len(layers[-1])
    carried = number[outputs]
    for layer in range(deeper):
        copies: list[Row | None] = [(np.array([node]), np.ones(1)) for node in carried]
        layers.append(copies + [None] * (wider if layer < deeper - 1 else 0))
        carried = np.arange(count, count + len(carried))
        count += len(layers[-1])
    return layers
