"""Autoencoders with a bottleneck: the network, and the circuits of its two halves.

Layers of the encoder read the inputs and all of the encoder below; layers of the decoder read the code and all of the
decoder below. So nothing passes the bottleneck but the code, and nothing has to be copied upwards on either side.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from boolearn.circuit import Circuit, extract
from boolearn.data import Dataset
from boolearn.data.signs import Signs, as_signs
from boolearn.model import BoolNet
from boolearn.network import CONSTANT, Network


@dataclass(frozen=True)
class Halves:
    """An encoder and a decoder, as circuits."""

    encoder: Circuit
    decoder: Circuit

    def decoded(self, rows: Signs) -> Signs:
        """Shape (rows, bits): through the code and back."""
        return self.decoder.predict(self.encoder.predict(rows))

    def exact(self, rows: Signs) -> float:
        """The share of rows that come back without a wrong bit."""
        return float((self.decoded(rows) == rows).all(axis=1).mean())


def autoencoder(n: int, encoder: Sequence[int], bits: int, decoder: Sequence[int]) -> Network:
    """The network n → encoder → bits → decoder → n."""
    rows: list[list[int]] = []

    def add(below: Iterable[int], widths: Iterable[int]) -> list[int]:
        read, nodes = [CONSTANT, *below], []
        for width in widths:
            nodes = [1 + n + len(rows) + place for place in range(width)]
            rows.extend([read] * width)
            read = read + nodes
        return nodes

    code = add(range(1, 1 + n), [*encoder, bits])
    add(code, [*decoder, n])
    start = np.concatenate(([0], np.cumsum([len(row) for row in rows])))
    return Network(n, n, start, np.concatenate([np.array(row, np.int64) for row in rows]))


def halves(model: BoolNet, rows: Signs | None = None) -> Halves:
    """The circuits of a trained autoencoder, which answer as it does on these rows, or without rows on all strings.

    A network of exact gates, as the gate search finds it, needs no rows. The model may have helpers that compute
    exclusive ors. The decoder begins with the first neuron that reads no input; what it reads of the encoder is the
    code.
    """
    network = model.network
    reads_input = [bool((_inner(network.senders(node)) <= network.n_inputs).any()) for node in _neurons(network)]
    first = network.first_neuron + reads_input.index(False)
    read = np.unique(np.concatenate([_inner(network.senders(node)) for node in range(first, network.n_nodes)]))
    code = read[read < first]
    encoder = _part(model, range(network.first_neuron, first), network.n_inputs, len(code), 0)
    decoder = _part(model, range(first, network.n_nodes), len(code), network.n_outputs, first - 1 - len(code))
    seen: tuple[Dataset | None, Dataset | None] = None, None
    if rows is not None:
        values = as_signs(encoder.predict(rows), "codes")
        seen = Dataset(rows, values), Dataset(values, rows)
    names = tuple(f"c{place}" for place in range(len(code)))
    encoding, decoding = extract(encoder, seen[0]).with_xors(), extract(decoder, seen[1]).with_xors()
    codes = zip(names, (literal for _, literal in encoding.outputs), strict=True)
    return Halves(replace(encoding, outputs=tuple(codes)), replace(decoding, inputs=names))


def _neurons(network: Network) -> range:
    return range(network.first_neuron, network.n_nodes)


def _inner(senders: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    return np.asarray(senders[senders != CONSTANT])


def _part(model: BoolNet, nodes: range, n_inputs: int, n_outputs: int, moved: int) -> BoolNet:
    """Some neurons as a model of their own, all numbers of nodes but the constant's less ``moved``."""
    senders = [model.network.senders(node) for node in nodes]
    start = np.concatenate(([0], np.cumsum([len(row) for row in senders])))
    sender = np.concatenate([np.where(row == CONSTANT, CONSTANT, row - moved) for row in senders])
    weights = np.concatenate([model.weights_into(node) for node in nodes])
    return BoolNet(Network(n_inputs, n_outputs, start, sender), weights)
