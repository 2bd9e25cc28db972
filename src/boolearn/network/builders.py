"""Ways to wire a network. Every neuron they make is also fed by the constant node."""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_choice, checked_integer, is_integer
from boolearn.errors import NetworkError, ParameterError
from boolearn.network.network import CONSTANT, Network
from boolearn.network.order import find_cycle, reaches, topological_order
from boolearn.network.size import checked_widths
from boolearn.network.wirings import READS, Reads, wired_layers

_HIGHEST_NODE = 2**31 - 1


def as_network(network: Network | Iterable[int]) -> Network:
    """A network as it is, or the layered network with these widths."""
    if isinstance(network, Network):
        return network
    rule = "a Network, or the widths of its layers such as [4, 4, 4]"
    if isinstance(network, str | os.PathLike):
        raise ParameterError("network", f"{rule}; boolearn.network.read_net reads a file", network)
    if not isinstance(network, Iterable):
        raise ParameterError("network", rule, network)
    return wired_layers(checked_widths(network, "network"), "below")


def layered(*widths: int | Iterable[int], reads: Reads = "below") -> Network:
    """A network of fully connected layers: ``layered(4, 5, 4)`` or ``layered([4, 5, 4])`` has 4 inputs and outputs.

    Layers read the layer below; with ``reads="inputs"`` all inputs too, with ``reads="everything"`` all layers below.
    """
    checked_choice("reads", reads, READS)
    return wired_layers(checked_widths(widths), reads)


def from_edges(
    n_inputs: int,
    n_outputs: int,
    edges: Iterable[tuple[int, int]],
    tie: Iterable[Hashable] | None = None,
) -> Network:
    """A network from pairs (sender, receiver) of node numbers.

    Node 0 is the constant, 1 … n_inputs are the inputs, the highest n_outputs numbers the outputs;
    the numbers between may come in any order and are renumbered so that senders come first. Edges
    from the constant are added where they are missing.

    ``tie`` names the weight of every edge, in the order of ``edges``; edges of the same name share
    it. Neurons share all their weights or none, so those that share get one added edge's weight too.
    """
    n_inputs, n_outputs = checked_integer("n_inputs", n_inputs, 1), checked_integer("n_outputs", n_outputs, 1)
    pairs = _node_pairs(edges)
    if tie is None:
        return _wired(n_inputs, n_outputs, pairs, [])
    try:
        weights = list(tie)
        set(weights)
    except TypeError:
        raise ParameterError("tie", "a name for every edge, each hashable", tie) from None
    if len(weights) != len(pairs):
        raise NetworkError(f"tie must name a weight for each of {len(pairs)} edges. Got {len(weights)} instead.")
    return _wired(n_inputs, n_outputs, pairs, [], dict(zip(pairs, weights, strict=True)))


def _wired(
    n_inputs: int,
    n_outputs: int,
    edges: Sequence[tuple[int, int]],
    names: Sequence[str],
    weight_of: Mapping[tuple[int, int], Hashable] | None = None,
) -> Network:
    """``from_edges``; messages call nodes by their names, where they have any."""

    def called(node: int) -> str:
        return repr(names[node - 1]) if 0 < node <= len(names) else f"node {node}"

    pairs = np.array(sorted(_once(edges, called)), np.int64).reshape(-1, 2)
    if not len(pairs):
        raise NetworkError("a network must have at least 1 edge. Got 0 instead.")
    n_nodes = max(int(pairs.max()), len(names)) + 1
    for sender, receiver in pairs[pairs[:, 1] <= n_inputs].tolist():
        raise NetworkError(f"inputs must receive no edges; {called(receiver)} receives from {called(sender)}.")
    if n_outputs > n_nodes - 1 - n_inputs:
        raise NetworkError(
            f"a network must have at most {n_nodes - 1 - n_inputs} outputs, the neurons there are. "
            f"Got {n_outputs} instead."
        )
    for sender, receiver in pairs[pairs[:, 0] >= n_nodes - n_outputs].tolist():
        raise NetworkError(f"outputs must not feed other nodes; {called(sender)} feeds {called(receiver)}.")
    if not names and n_nodes - 1 - n_inputs > len(pairs):  # told before a number far too high costs memory
        fed = set(pairs[:, 1].tolist())
        node = next(node for node in range(1 + n_inputs, n_nodes) if node not in fed)
        raise NetworkError(f"every neuron must be reached from an input; node {node} is not.")
    cycle = find_cycle(pairs[:, 0], pairs[:, 1], n_nodes)
    if cycle:
        raise NetworkError(f"a network must have no cycle; {_cycle(cycle, names)} form one.")
    order = topological_order(pairs[:, 0], pairs[:, 1], n_nodes)
    if names:  # numbers are described better by the network itself
        _check_reach(pairs, order, n_inputs, n_outputs, called)
    hidden = [node for node in order.tolist() if n_inputs < node < n_nodes - n_outputs]
    number = np.arange(n_nodes)
    number[hidden] = np.arange(1 + n_inputs, 1 + n_inputs + len(hidden))
    rows: list[set[int]] = [{CONSTANT} for _ in range(1 + n_inputs, n_nodes)]
    for sender, receiver in number[pairs].tolist():
        rows[receiver - 1 - n_inputs].add(sender)
    ordered = [sorted(row) for row in rows]
    tie = None
    if weight_of is not None:
        renumbered = {(int(number[s]), int(number[r])): weight for (s, r), weight in weight_of.items()}
        tie = _tied(ordered, 1 + n_inputs, renumbered)
    return Network(
        n_inputs=n_inputs,
        n_outputs=n_outputs,
        start=np.concatenate(([0], np.cumsum([len(row) for row in ordered]))),
        sender=np.concatenate(ordered),
        tie=tie,  # type: ignore[arg-type]
    )


def _tied(
    rows: Sequence[Sequence[int]], first_neuron: int, weight_of: Mapping[tuple[int, int], Hashable]
) -> npt.NDArray[np.int32]:
    """The number of every edge's weight; numbers are given in the order in which names appear."""
    numbers: dict[Hashable, int] = {}
    tie: list[int] = []
    for receiver, row in enumerate(rows, first_neuron):
        # A name no user can have given, the same for neurons with the same weights.
        bias = (CONSTANT, frozenset(weight_of[s, receiver] for s in row if (s, receiver) in weight_of), _tied)
        tie += [numbers.setdefault(weight_of.get((sender, receiver), bias), len(numbers)) for sender in row]
    return np.array(tie, np.int32)


def from_names(inputs: Sequence[str], outputs: Sequence[str], senders: Mapping[str, Sequence[str]]) -> Network:
    """A network from names: ``senders`` gives for every neuron the nodes that feed it.

    The network does not keep the names. Columns of data belong to inputs and outputs by place, in the order given here.
    """
    inputs, outputs = _node_names("inputs", inputs), _node_names("outputs", outputs)
    if not isinstance(senders, Mapping):
        raise ParameterError("senders", "a mapping from every neuron to the nodes that feed it", senders)
    senders = {name: _node_names("senders", feeding) for name, feeding in senders.items()}
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
    return _wired(len(inputs), len(outputs), edges, names)


def _node_names(name: str, nodes: Sequence[str]) -> list[str]:
    try:
        if not isinstance(nodes, str):  # else one name would be as many as it has letters
            names = list(nodes)
            set(names)
            return names
    except TypeError:
        pass
    raise ParameterError(name, "several names", nodes)


def _cycle(cycle: Sequence[int], names: Sequence[str]) -> str:
    if names:
        return " → ".join(repr(names[node - 1]) for node in cycle)
    return f"nodes {' → '.join(map(str, cycle))}"


def _check_reach(
    pairs: npt.NDArray[np.int64],
    order: npt.NDArray[np.int64],
    n_inputs: int,
    n_outputs: int,
    called: Callable[[int], str],
) -> None:
    """What every network is checked for, here while nodes still have the user's numbers and names."""
    rank = np.argsort(order)
    inputs, outputs = np.zeros(len(order), bool), np.zeros(len(order), bool)
    inputs[1 : 1 + n_inputs] = True
    outputs[len(order) - n_outputs :] = True
    upward = pairs[np.argsort(rank[pairs[:, 1]], kind="stable")]
    for node in np.flatnonzero(~reaches(upward[:, 0], upward[:, 1], inputs)[1:]) + 1:
        raise NetworkError(f"every neuron must be reached from an input; {called(int(node))} is not.")
    downward = pairs[np.argsort(-rank[pairs[:, 0]], kind="stable")]
    for node in np.flatnonzero(~reaches(downward[:, 1], downward[:, 0], outputs)[1 + n_inputs :]) + 1 + n_inputs:
        raise NetworkError(f"every neuron must lead to an output; {called(int(node))} does not.")


def _node_pairs(edges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """The edges with plain ints; what is not a pair of node numbers is refused."""
    rule = "an edge must be a pair of node numbers, (sender, receiver)."
    pairs = []
    try:
        given = list(edges)
    except TypeError:
        raise ParameterError("edges", "pairs of node numbers, (sender, receiver)", edges) from None
    for edge in given:
        try:
            sender, receiver = edge
        except (TypeError, ValueError):
            raise NetworkError(f"{rule} Got {edge!r} instead.") from None
        for node in (sender, receiver):
            if not is_integer(node):
                raise NetworkError(f"{rule} Got {edge!r} instead.")
            if node < 0:
                raise NetworkError(f"node numbers must not be negative. Got the edge {sender} → {receiver} instead.")
            if node > _HIGHEST_NODE:
                raise NetworkError(
                    f"node numbers must be at most {_HIGHEST_NODE}. Got the edge {sender} → {receiver} instead."
                )
        pairs.append((int(sender), int(receiver)))
    return pairs


def _once(pairs: Sequence[tuple[int, int]], called: Callable[[int], str]) -> set[tuple[int, int]]:
    different = set(pairs)
    if len(different) != len(pairs):
        twice = next(pair for pair in pairs if pairs.count(pair) > 1)
        raise NetworkError(f"an edge must appear once; {called(twice[1])} receives twice from {called(twice[0])}.")
    return different
