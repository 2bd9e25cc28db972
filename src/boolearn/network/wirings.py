"""What the layers of a network read: the layer below, the inputs as well, or everything below."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from boolearn.network.network import CONSTANT, Network
from boolearn.network.size import check_size

Reads = Literal["below", "inputs", "everything"]
READS: tuple[Reads, ...] = ("below", "inputs", "everything")


def runs_below(widths: Sequence[int], layer: int, reads: Reads) -> list[range]:
    """The runs of nodes that a layer reads in a network with these widths, of which the first is the inputs'."""
    first, end = 1 + sum(widths[: layer - 1]), 1 + sum(widths[:layer])
    runs = [range(CONSTANT, CONSTANT + 1), range(1 if reads == "everything" else first, end)]
    if reads == "inputs" and layer > 1:
        runs.insert(1, range(1, 1 + widths[0]))
    return runs


def nodes_below(widths: Sequence[int], layer: int, reads: Reads) -> npt.NDArray[np.int64]:
    """The nodes that a layer reads, in order, the constant first."""
    return np.concatenate([np.asarray(run) for run in runs_below(widths, layer, reads)])


def check_wiring(widths: Sequence[int], reads: Reads) -> None:
    """Refuse a network that is too large, before memory is asked for."""
    fan_in = [sum(map(len, runs_below(widths, layer, reads))) for layer in range(1, len(widths))]
    check_size(1 + sum(widths), sum(m * width for m, width in zip(fan_in, widths[1:], strict=True)))


def wired_layers(widths: Sequence[int], reads: Reads) -> Network:
    """A network of layers, every neuron of a layer reading the same nodes and the constant."""
    check_wiring(widths, reads)
    senders = [nodes_below(widths, layer, reads) for layer in range(1, len(widths))]
    fan_in = np.repeat([len(nodes) for nodes in senders], widths[1:])
    return Network(
        n_inputs=widths[0],
        n_outputs=widths[-1],
        start=np.concatenate(([0], np.cumsum(fan_in))),
        sender=np.concatenate([np.tile(nodes, width) for nodes, width in zip(senders, widths[1:], strict=True)]),
    )
