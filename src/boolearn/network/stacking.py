"""Layers as pieces, and networks stacked from them in which layers and neurons may share weights."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_integer
from boolearn.errors import NetworkError, ParameterError
from boolearn.network.network import CONSTANT, Network
from boolearn.network.size import check_size, checked_widths


@dataclass(frozen=True, eq=False)
class Layer:
    """Neurons that read one layer below, each by one of a few rows of weights.

    Places in a layer are counted from 0. The constant is not part of it: ``stacked`` feeds every
    neuron from the constant too, and the weight to it belongs to the neuron's row.
    """

    below: int
    """How many nodes the layer below has."""
    senders: npt.NDArray[np.int64]
    """Shape (width, fan_in): the places below that every neuron reads, in the order of its row's weights."""
    row: npt.NDArray[np.int64]
    """Shape (width,): which row of weights every neuron uses; rows are counted from 0, none left out."""

    def __post_init__(self) -> None:
        below = checked_integer("below", self.below, 1)
        senders, row = _integers("senders", self.senders, 2), _integers("row", self.row, 1)
        if not senders.size or row.shape != senders.shape[:1]:
            raise NetworkError(
                "a layer must have a neuron, a sender for each and a row for each. "
                f"Got senders of shape {senders.shape} and rows of shape {row.shape} instead."
            )
        if senders.min() < 0 or senders.max() >= below:
            bad = senders[(senders < 0) | (senders >= below)][0]
            raise NetworkError(f"senders must be places 0 to {below - 1} of the layer below. Got {bad} instead.")
        ordered = np.sort(senders, axis=1)
        for neuron in np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))[:1]:
            raise NetworkError(f"a neuron must read a node once; neuron {neuron} reads one twice.")
        if row.min() < 0 or len(np.unique(row)) != row.max() + 1:
            raise NetworkError("row must use every row of weights from 0 on, none negative and none left out.")
        object.__setattr__(self, "below", below)
        for name, array in (("senders", senders), ("row", row)):
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @property
    def width(self) -> int:
        return len(self.row)

    @property
    def fan_in(self) -> int:
        """How many nodes a neuron reads, the constant not counted."""
        return int(self.senders.shape[1])

    @property
    def n_rows(self) -> int:
        return int(self.row.max()) + 1

    @property
    def n_weights(self) -> int:
        """The weights to the constant included."""
        return self.n_rows * (self.fan_in + 1)

    def __repr__(self) -> str:
        return f"Layer({self.below} -> {self.width}, {self.n_rows} rows of {self.fan_in} + 1 weights)"


def dense(below: int, width: int) -> Layer:
    """Every neuron reads the whole layer below and has weights of its own."""
    below, width = checked_integer("below", below, 1), checked_integer("width", width, 1)
    check_size(below + width, below * width)
    return Layer(below, np.tile(np.arange(below), (width, 1)), np.arange(width))


def stacked(*layers: Layer, weights: Sequence[Hashable] | None = None) -> Network:
    """A network of these layers, the first reading the inputs and the last giving the outputs.

    ``weights`` names every layer's set of weights; layers of the same name share theirs, so they
    must have equally many rows of equally many weights. By default no two layers share.
    """
    if not layers:
        raise ParameterError("layers", "at least one layer", layers)
    for layer in layers:
        if not isinstance(layer, Layer):
            raise ParameterError("layers", "layers as Layer, dense and convolution_layer make them", layer)
    names = _names(weights, len(layers))
    first_weight: dict[Hashable, tuple[int, Layer]] = {}
    n_weights, first_node = 0, 1
    fan_in, sender, tie = [], [], []
    for number, (layer, name) in enumerate(zip(layers, names, strict=True)):
        if name not in first_weight:
            first_weight[name] = n_weights, layer
            n_weights += layer.n_weights
        offset, known = first_weight[name]
        if (known.n_rows, known.fan_in) != (layer.n_rows, layer.fan_in):
            raise NetworkError(
                f"layers that share weights must have the same rows; {layer!r} and {known!r} are both called {name!r}."
            )
        if number:
            _check_on_top(layers[number - 1], layer, number)
        sender.append(np.insert(first_node + layer.senders, 0, CONSTANT, axis=1).ravel())
        in_row = np.arange(layer.fan_in + 1)
        tie.append((offset + layer.row[:, None] * len(in_row) + in_row).ravel())
        fan_in += [layer.fan_in + 1] * layer.width
        first_node += layer.below
    return Network(
        n_inputs=layers[0].below,
        n_outputs=layers[-1].width,
        start=np.concatenate(([0], np.cumsum(fan_in))),
        sender=np.concatenate(sender),
        tie=np.concatenate(tie),
    )


def repeated(*widths: int | Iterable[int], times: int) -> Network:
    """A stack of fully connected layers applied ``times`` times, every time with the same weights.

    ``repeated(4, 8, 4, times=3)`` is 4→8→4→8→4→8→4 with the weights of 4→8→4.
    """
    sizes = checked_widths(widths)
    times = checked_integer("times", times, 1)
    if times > 1 and sizes[0] != sizes[-1]:
        raise ParameterError("widths", "equal at both ends of a stack that is repeated", sizes)
    check_size(1 + sizes[0] + times * sum(sizes[1:]), times * sum((b + 1) * w for b, w in itertools.pairwise(sizes)))
    layers = [dense(below, width) for below, width in itertools.pairwise(sizes)]
    return stacked(*layers * times, weights=list(range(len(layers))) * times)


def _names(weights: Sequence[Hashable] | None, count: int) -> list[Hashable]:
    if weights is None:
        return list(range(count))
    try:
        names = list(weights)
        set(names)
    except TypeError:  # not several, or lists and the like, of which no table can be made
        raise ParameterError("weights", f"{count} names, one per layer, each hashable", weights) from None
    if len(names) != count:
        raise ParameterError("weights", f"{count} names, one per layer", weights)
    return names


def _check_on_top(lower: Layer, upper: Layer, number: int) -> None:
    if upper.below != lower.width:
        raise NetworkError(
            f"layers must fit on each other; layer {number} has {lower.width} neurons and layer {number + 1} "
            f"reads {upper.below}."
        )
    unread = np.setdiff1d(np.arange(lower.width), upper.senders)
    if unread.size:
        raise NetworkError(
            f"every neuron must be read by the layer above; layer {number + 1} does not read "
            f"neuron {unread[0]} of layer {number}."
        )


def _integers(name: str, values: npt.ArrayLike, axes: int) -> npt.NDArray[np.int64]:
    try:
        array = np.array(values)
    except ValueError as error:
        raise NetworkError(f"{name} of a layer must be an array, all rows equally long.") from error
    if array.dtype.kind not in "iu" or array.ndim != axes:
        raise NetworkError(
            f"{name} of a layer must be integers with {axes} axes. Got {array.dtype} of shape {array.shape} instead."
        )
    return array.astype(np.int64)
