"""Ways to wire a network. Every neuron they make is also fed by the constant node."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from boolearn.errors import NetworkError, ParameterError
from boolearn.network.network import CONSTANT, Network
from boolearn.network.order import find_cycle, topological_order


def layered(*widths: int) -> Network:
    """A network of fully connected layers: ``layered(4, 5, 4)`` has 4 inputs and 4 outputs."""
    if len(widths) < 2:
        raise ParameterError("widths", "the inputs' width and at least one layer's", widths)
    for width in widths:
        if not isinstance(width, int | np.integer) or width < 1:
            raise ParameterError("widths", "positive integers", widths)
    senders = []
    fan_in = []
    first = 1
    for below, width in itertools.pairwise(widths):
        row = np.concatenate(([CONSTANT], np.arange(first, first + below)))
        senders.append(np.tile(row, width))
        fan_in += [below + 1] * width
        first += below
    return Network(
        n_inputs=int(widths[0]),
        n_outputs=int(widths[-1]),
        start=np.concatenate(([0], np.cumsum(fan_in))),
        sender=np.concatenate(senders),
    )


def from_edges(n_inputs: int, n_outputs: int, edges: Iterable[tuple[int, int]]) -> Network:
    """A network from pairs (sender, receiver) of node numbers.

    Node 0 is the constant, 1 … n_inputs are the inputs, the highest n_outputs numbers the outputs;
    the numbers between may come in any order and are renumbered so that senders come first. Edges
    from the constant are added where they are missing.
    """
    pairs = np.array(sorted(set(_pairs(edges))), np.int64).reshape(-1, 2)
    if not len(pairs):
        raise NetworkError("a network must have at least 1 edge. Got 0 instead.")
    n_nodes = int(pairs.max()) + 1
    neurons = np.arange(1 + n_inputs, n_nodes)
    into_input = pairs[pairs[:, 1] <= n_inputs]
    if len(into_input):
        raise NetworkError(
            f"inputs must receive no edges; node {into_input[0, 1]} receives from node {into_input[0, 0]}."
        )
    from_output = pairs[pairs[:, 0] >= n_nodes - n_outputs]
    if len(from_output):
        raise NetworkError(
            f"outputs must not feed other nodes; node {from_output[0, 0]} feeds node {from_output[0, 1]}."
        )
    cycle = find_cycle(pairs[:, 0], pairs[:, 1], n_nodes)
    if cycle:
        raise NetworkError(f"a network must have no cycle; nodes {' → '.join(map(str, cycle))} form one.")
    order = topological_order(pairs[:, 0], pairs[:, 1], n_nodes)
    hidden = [node for node in order.tolist() if n_inputs < node < n_nodes - n_outputs]
    number = np.arange(n_nodes)
    number[hidden] = np.arange(1 + n_inputs, 1 + n_inputs + len(hidden))
    rows: list[set[int]] = [{CONSTANT} for _ in neurons]
    for sender, receiver in number[pairs].tolist():
        rows[receiver - 1 - n_inputs].add(sender)
    return Network(
        n_inputs=n_inputs,
        n_outputs=n_outputs,
        start=np.concatenate(([0], np.cumsum([len(row) for row in rows]))),
        sender=np.concatenate([sorted(row) for row in rows]),
    )


def from_names(inputs: Sequence[str], outputs: Sequence[str], senders: Mapping[str, Sequence[str]]) -> Network:
    """A network from names: ``senders`` tells for every neuron which nodes feed it."""
    hidden = [name for name in senders if name not in set(outputs)]
    names = [*inputs, *hidden, *outputs]
    if len(set(names)) != len(names):
        raise NetworkError("every node must have a name of its own among inputs, neurons and outputs.")
    number = {name: index + 1 for index, name in enumerate(names)}
    for name in outputs:
        if name not in senders:
            raise NetworkError(f"every output must have senders; {name!r} has none.")
    edges = []
    for receiver, feeding in senders.items():
        for sender in feeding:
            if sender not in number:
                raise NetworkError(f"senders must be inputs or neurons; {receiver!r} receives from {sender!r}.")
            edges.append((number[sender], number[receiver]))
    return from_edges(len(inputs), len(outputs), edges)


def _pairs(edges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    pairs = [(int(sender), int(receiver)) for sender, receiver in edges]
    for sender, receiver in pairs:
        if sender < 0 or receiver < 0:
            raise NetworkError(f"node numbers must not be negative. Got the edge {sender} → {receiver} instead.")
    if len(set(pairs)) != len(pairs):
        twice = next(pair for pair in pairs if pairs.count(pair) > 1)
        raise NetworkError(f"an edge must appear once; node {twice[1]} receives twice from node {twice[0]}.")
    return pairs
