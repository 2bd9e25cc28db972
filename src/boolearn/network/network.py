"""Network: a frozen directed acyclic graph of neurons."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.checks import is_integer
from boolearn.errors import NetworkError
from boolearn.network.order import find_cycle, reaches

CONSTANT = 0
"""The node that always holds −1. A neuron's weight to it is the neuron's bias."""


@dataclass(frozen=True, eq=False)
class Network:
    """The wiring of a network of Boolean threshold functions.

    Nodes are numbered: 0 is the constant −1, then the inputs, then the neurons in topological
    order, of which the last ``n_outputs`` are the outputs. Edges are stored by receiving neuron:
    neuron k is node ``first_neuron + k`` and receives edges ``start[k]`` to ``start[k + 1]``.
    """

    n_inputs: int
    n_outputs: int
    start: npt.NDArray[np.int64]
    """Shape (n_neurons + 1,): where each neuron's edges begin."""
    sender: npt.NDArray[np.int32]
    """Shape (n_edges,): the node at the sending end of every edge."""
    tie: npt.NDArray[np.int32] = field(default=None)  # type: ignore[arg-type]
    """Shape (n_edges,): which weight every edge uses; the identity when nothing is shared."""

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        for name in ("n_inputs", "n_outputs"):
            number = getattr(self, name)
            if not is_integer(number):
                raise NetworkError(f"{name} of a network must be an integer. Got {number!r} instead.")
            set_field(self, name, int(number))  # NumPy's own integers cannot be written to a file as they are
        set_field(self, "start", _frozen("start", self.start, np.int64))
        set_field(self, "sender", _frozen("sender", self.sender, np.int32))
        tie = np.arange(len(self.sender)) if self.tie is None else self.tie
        set_field(self, "tie", _frozen("tie", tie, np.int32))
        _check(self)

    @property
    def n_neurons(self) -> int:
        return len(self.start) - 1

    @property
    def n_nodes(self) -> int:
        return 1 + self.n_inputs + self.n_neurons

    @property
    def n_edges(self) -> int:
        return len(self.sender)

    @cached_property
    def n_weights(self) -> int:
        return int(self.tie.max()) + 1

    @property
    def first_neuron(self) -> int:
        return 1 + self.n_inputs

    @property
    def first_output(self) -> int:
        return self.n_nodes - self.n_outputs

    @cached_property
    def fan_in(self) -> npt.NDArray[np.int64]:
        """Shape (n_neurons,): how many edges every neuron receives."""
        return np.diff(self.start)

    @cached_property
    def receiver(self) -> npt.NDArray[np.int32]:
        """Shape (n_edges,): the node at the receiving end of every edge."""
        nodes = np.arange(self.first_neuron, self.n_nodes, dtype=np.int32)
        return np.repeat(nodes, self.fan_in)

    @cached_property
    def level(self) -> npt.NDArray[np.int32]:
        """Shape (n_nodes,): the longest way from the inputs, which have level 0."""
        level = np.zeros(self.n_nodes, np.int32)
        for neuron in range(self.n_neurons):
            node = self.first_neuron + neuron
            level[node] = 1 + level[self.senders(node)].max()
        return level

    @cached_property
    def blocks(self) -> tuple[tuple[range, npt.NDArray[np.int32]], ...]:
        """Runs of neurons that receive from the same nodes, in order: (their nodes, their senders).

        In a layered network these are the layers; arithmetic goes block by block.
        """
        blocks = []
        node = self.first_neuron
        while node < self.n_nodes:
            senders = self.senders(node)
            end = node + 1
            while end < self.n_nodes and np.array_equal(self.senders(end), senders):
                end += 1
            blocks.append((range(node, end), senders))
            node = end
        return tuple(blocks)

    @cached_property
    def block_weights(self) -> tuple[npt.NDArray[np.int32], ...]:
        """For every block, shape (its senders, its neurons): which weight each of its edges uses."""
        ties = [self.tie[self.edges_into_run(nodes)].reshape(len(nodes), -1) for nodes, _ in self.blocks]
        return tuple(np.ascontiguousarray(tie.T) for tie in ties)

    def edges_into_run(self, nodes: range) -> slice:
        """The edges that a run of neurons receives."""
        return slice(self.edges_into(nodes[0]).start, self.edges_into(nodes[-1]).stop)

    @property
    def compiled_arguments(self) -> dict[str, Any]:
        """The wiring, as classes of the compiled part take it."""
        return {
            "n_nodes": self.n_nodes,
            "n_inputs": self.n_inputs,
            "n_outputs": self.n_outputs,
            "start": self.start,
            "sender": self.sender,
            "tie": self.tie,
            "n_weights": self.n_weights,
        }

    @property
    def tied(self) -> bool:
        return self.n_weights < self.n_edges

    def edges_into(self, node: int) -> slice:
        """The edges a neuron receives, as a slice of all edges."""
        neuron = node - self.first_neuron
        return slice(int(self.start[neuron]), int(self.start[neuron + 1]))

    def senders(self, node: int) -> npt.NDArray[np.int32]:
        """The nodes a neuron receives from."""
        return self.sender[self.edges_into(node)]

    def describe_node(self, node: int) -> str:
        """A node's number and part, for messages."""
        if node == CONSTANT:
            return "node 0 (the constant)"
        if node < self.first_neuron:
            return f"node {node} (input {node - 1})"
        if node >= self.first_output:
            return f"node {node} (output {node - self.first_output})"
        return f"node {node}"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Network):
            return NotImplemented
        return (self.n_inputs, self.n_outputs) == (other.n_inputs, other.n_outputs) and all(
            np.array_equal(mine, theirs)
            for mine, theirs in (
                (self.start, other.start),
                (self.sender, other.sender),
                (self.tie, other.tie),
            )
        )

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        shared = f", {self.n_weights} weights" if self.tied else ""
        return (
            f"Network({self.n_inputs} inputs, {self.n_neurons - self.n_outputs} hidden, "
            f"{self.n_outputs} outputs, {self.n_edges} edges{shared})"
        )


def _frozen(name: str, values: npt.ArrayLike, dtype: type[np.int32] | type[np.int64]) -> npt.NDArray[np.generic]:
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise NetworkError(f"{name} of a network must be an array. Got {error} instead.") from error
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise NetworkError(
            f"{name} of a network must be integers with one axis. Got {array.dtype} of shape {array.shape} instead."
        )
    most = np.iinfo(dtype).max
    if array.size and (array.max() > most or array.min() < -most):
        raise NetworkError(
            f"{name} of a network must be from {-most} to {most}. Got {array[abs(array).argmax()]} instead."
        )
    copy = array.astype(dtype)
    copy.setflags(write=False)
    return copy


def _check(network: Network) -> None:
    """Refuse what is not a legal network, naming the node at fault."""
    if network.n_inputs < 1:
        raise NetworkError(f"a network must have at least 1 input. Got {network.n_inputs} instead.")
    if not 1 <= network.n_outputs <= network.n_neurons:
        raise NetworkError(
            f"a network must have from 1 to {max(network.n_neurons, 1)} outputs, the neurons there are. "
            f"Got {network.n_outputs} instead."
        )
    start = network.start
    if start[0] != 0 or start[-1] != network.n_edges or (start[1:] < start[:-1]).any():
        raise NetworkError("start must rise from 0 to the number of edges.")
    _check_edges(network)
    _check_reach(network)
    _check_ties(network)


def _check_edges(network: Network) -> None:
    sender, receiver = network.sender, network.receiver
    empty = np.flatnonzero(network.fan_in == 0)
    if empty.size:
        node = network.first_neuron + int(empty[0])
        raise NetworkError(f"every neuron must receive at least 1 edge; {network.describe_node(node)} receives none.")
    outside = np.flatnonzero((sender < 0) | (sender >= network.n_nodes))
    if outside.size:
        edge = int(outside[0])
        raise NetworkError(
            f"senders must be nodes 0 to {network.n_nodes - 1}; {network.describe_node(int(receiver[edge]))} "
            f"receives from {sender[edge]}."
        )
    from_output = np.flatnonzero(sender >= network.first_output)
    if from_output.size:
        edge = int(from_output[0])
        raise NetworkError(
            f"outputs must not feed other nodes; {network.describe_node(int(sender[edge]))} "
            f"feeds {network.describe_node(int(receiver[edge]))}."
        )
    backward = np.flatnonzero(sender >= receiver)
    if backward.size:
        cycle = find_cycle(sender, receiver, network.n_nodes)
        if cycle:
            raise NetworkError(f"a network must have no cycle; nodes {' → '.join(map(str, cycle))} form one.")
        edge = int(backward[0])
        raise NetworkError(
            f"neurons must be numbered in topological order; node {receiver[edge]} receives from node "
            f"{sender[edge]}. boolearn.from_edges renumbers them."
        )
    order = np.lexsort((sender, receiver))
    twice = np.flatnonzero((receiver[order][1:] == receiver[order][:-1]) & (sender[order][1:] == sender[order][:-1]))
    if twice.size:
        edge = int(order[twice[0]])
        raise NetworkError(
            f"an edge must appear once; {network.describe_node(int(receiver[edge]))} receives twice "
            f"from {network.describe_node(int(sender[edge]))}."
        )


def _check_reach(network: Network) -> None:
    inputs = np.zeros(network.n_nodes, bool)
    inputs[1 : network.first_neuron] = True
    fed = reaches(network.sender, network.receiver, inputs)
    for node in np.flatnonzero(~fed[network.first_neuron :])[:1] + network.first_neuron:
        raise NetworkError(f"every neuron must be reached from an input; {network.describe_node(int(node))} is not.")
    outputs = np.zeros(network.n_nodes, bool)
    outputs[network.first_output :] = True
    used = reaches(network.receiver[::-1], network.sender[::-1], outputs)
    for node in np.flatnonzero(~used[network.first_neuron :])[:1] + network.first_neuron:
        raise NetworkError(f"every neuron must lead to an output; {network.describe_node(int(node))} does not.")


def _check_ties(network: Network) -> None:
    """Neurons share whole rows of weights or none, else normalising one row would break another."""
    if not network.tied and np.array_equal(network.tie, np.arange(network.n_edges)):
        return
    tie = network.tie
    if len(tie) != network.n_edges:
        raise NetworkError(f"tie must name a weight for each of {network.n_edges} edges. Got {len(tie)} instead.")
    if tie.min() < 0 or len(np.unique(tie)) != network.n_weights:
        raise NetworkError("tie must use every weight number from 0 on, none negative and none left out.")
    row_of_weight: dict[int, tuple[int, tuple[int, ...]]] = {}
    for node in range(network.first_neuron, network.n_nodes):
        row = tuple(sorted(tie[network.edges_into(node)].tolist()))
        for weight in row:
            other, known = row_of_weight.setdefault(weight, (node, row))
            if known != row:
                raise NetworkError(
                    f"neurons that share a weight must share the whole row; {network.describe_node(node)} and "
                    f"{network.describe_node(other)} share weight {weight} but differ in others."
                )
