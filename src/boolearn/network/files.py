"""The C toolkit's files of networks: widths (.wth), and edges with weights (.net, .sol).

All are white-space separated text in which line breaks carry no meaning. What is read is a legal
network or a FileError; a header never makes memory grow beyond what the file itself holds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from boolearn.errors import FileError, NetworkError
from boolearn.files import Field, PathLike, TokenReader, line_of_token, replacing, write_text
from boolearn.network.network import CONSTANT, Network
from boolearn.network.order import find_cycle
from boolearn.network.size import MOST_EDGES, MOST_NODES, checked_widths

LARGEST_WEIGHT = 1e50
"""A weight that still prints, with its eight decimals, as a number readers take."""

_HEADER_TOKENS = 4
_EDGES_AT_A_TIME = 65536

Edges = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def read_widths(path: PathLike) -> tuple[int, ...]:
    """The widths of a .wth file, the inputs' first: what ``layered`` takes."""
    with TokenReader(path) as reader:
        layers = reader.integer("number of layers", 1)
        widths = [reader.integer("width of the inputs", 1, MOST_NODES)]
        nodes, edges = 1 + widths[0], 0
        for layer in range(1, layers + 1):
            width = reader.integer(f"width of layer {layer} of {layers}", 1, MOST_NODES)
            nodes += width
            edges += width * (widths[-1] + 1)
            widths.append(width)
            if nodes > MOST_NODES or edges > MOST_EDGES:
                raise reader.error(
                    f"the layers must have at most {MOST_NODES} nodes and {MOST_EDGES} edges together. "
                    f"Got {nodes} and {edges} up to layer {layer} instead."
                )
        reader.end()
    return tuple(widths)


def write_widths(widths: Sequence[int], path: PathLike) -> None:
    """Write a .wth file: the number of layers of neurons, then all widths."""
    widths = checked_widths(widths)
    write_text(path, f"{len(widths) - 1}\n{' '.join(map(str, widths))}\n")


def read_net(path: PathLike) -> tuple[Network, Floats]:
    """A network and the weight of every edge, from a .net or .sol file.

    The edges may stand in any order. Hidden nodes must be numbered so that senders come before
    receivers: the C toolkit evaluates nodes in the order of their numbers, so under any other
    numbering the file would mean one thing there and another here.
    """
    with TokenReader(path) as reader:
        nodes = reader.integer("number of nodes", 3, MOST_NODES)
        first_neuron = reader.integer("number of input nodes, the constant included", 2, nodes - 1)
        neurons = nodes - first_neuron
        outputs = reader.integer("number of output nodes", 1, neurons)
        edges = reader.integer("number of edges", neurons, MOST_EDGES)
        fields = (
            Field("a receiving node", 1, 0, nodes - 1),
            Field("a sending node", 1, 0, nodes - 1),
            Field("a weight", 1, -LARGEST_WEIGHT, LARGEST_WEIGHT, integer=False),
        )
        columns = reader.table(edges, fields)
        reader.end()
    receiver, sender = (column[:, 0].astype(np.int64) for column in columns[:2])
    weights: Floats = columns[2][:, 0]
    fault = _fault(sender, receiver, first_neuron, nodes - outputs)
    if fault:
        edge, message = fault
        raise FileError(path, line_of_token(path, _HEADER_TOKENS + 3 * edge), message)
    cycle = find_cycle(sender, receiver, nodes) if (sender >= receiver).any() else []
    if cycle:
        raise FileError(path, None, f"a network must have no cycle; nodes {' → '.join(map(str, cycle))} form one.")
    backward = np.flatnonzero(sender >= receiver)
    if backward.size:
        edge = int(backward[0])
        raise FileError(
            path,
            line_of_token(path, _HEADER_TOKENS + 3 * edge),
            f"hidden nodes must be numbered so that senders come first; node {receiver[edge]} receives from node "
            f"{sender[edge]}. Renumber them (boolearn.network.from_edges does) and write the file again.",
        )
    order = np.lexsort((sender, receiver))
    start = np.concatenate(([0], np.cumsum(np.bincount(receiver, minlength=nodes)[first_neuron:])))
    try:
        network = Network(
            n_inputs=first_neuron - 1, n_outputs=outputs, start=start, sender=sender[order].astype(np.int32)
        )
    except NetworkError as error:
        raise FileError(path, None, str(error)) from error
    return network, weights[order]


def write_net(network: Network, weights: npt.ArrayLike, path: PathLike) -> None:
    """Write a .net or .sol file: the header, then a line ``receiver sender weight`` per edge.

    Every edge is written with its own weight; which edges share one is not kept. Weights keep
    eight decimals, the C toolkit's format.
    """
    values = np.asarray(weights, np.float64)
    if values.shape != (network.n_weights,):
        raise NetworkError(f"weights must have shape ({network.n_weights},). Got {values.shape} instead.")
    bad = values[~(np.abs(values) <= LARGEST_WEIGHT)]
    if bad.size:
        raise FileError(path, None, f"weights must be finite and at most {LARGEST_WEIGHT:g}. Got {bad[0]} instead.")
    header = (network.n_nodes, network.first_neuron, network.n_outputs, network.n_edges)
    with replacing(path) as stream:
        stream.write(f"{'  '.join(map(str, header))}\n".encode())
        for first in range(0, network.n_edges, _EDGES_AT_A_TIME):
            some = slice(first, first + _EDGES_AT_A_TIME)
            rows = zip(
                network.receiver[some].tolist(),
                network.sender[some].tolist(),
                values[network.tie[some]].tolist(),
                strict=True,
            )
            # As %5d%5d%14.8f, but numbers too wide for their column still have a space between them.
            stream.write("".join(f"{r:5d} {s:4d} {w:13.8f}\n" for r, s, w in rows).encode())


def _fault(sender: Edges, receiver: Edges, first_neuron: int, first_output: int) -> tuple[int, str] | None:
    """The first edge that no network may have, and why."""
    into_input = receiver < first_neuron
    from_output = sender >= first_output
    order = np.lexsort((sender, receiver))
    same = (sender[order][1:] == sender[order][:-1]) & (receiver[order][1:] == receiver[order][:-1])
    again = np.zeros(len(sender), bool)
    again[order[1:][same]] = True
    found = np.flatnonzero(into_input | from_output | again)
    if not found.size:
        return None
    edge = int(found[0])
    s, r = int(sender[edge]), int(receiver[edge])
    if into_input[edge]:
        part = "the constant" if r == CONSTANT else "an input"
        return edge, f"only neurons receive edges, nodes from {first_neuron} on; node {r} is {part}."
    if from_output[edge]:
        return edge, f"outputs must not feed other nodes; node {s} is an output and feeds node {r}."
    return edge, f"an edge must appear once; node {r} receives twice from node {s}."
