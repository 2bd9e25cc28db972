"""Pictures of a model's weights: how they are distributed, and where they are."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from boolearn.errors import ParameterError
from boolearn.model import BoolNet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_BLUE, _RED, _GREEN = "#4a78c4", "#d62728", "#3f9e62"
_COLOURS = "RdBu"
_MOST_LINES = 3
"""Networks whose layers differ get lines for at most this number of fan-ins; more would hide the histogram."""


def weight_histogram(model: BoolNet, bins: int = 101, log: bool = True) -> Figure:
    """Histograms of the weights of all neurons and, below, of the lowest layer alone.

    Lines stand at ±√(m/1), the weight of a copy, and ±√(m/3), the weights of And, Or and Maj, for neurons with m
    inputs, the constant included.
    """
    from matplotlib.figure import Figure

    network = model.network
    lowest = network.level[network.receiver] == 1
    panels = [("all layers", np.ones(network.n_edges, bool))]
    if not lowest.all():
        panels.append(("lowest layer", lowest))
    figure = Figure(figsize=(6.4, 2.6 * len(panels) + 0.5), dpi=150, layout="constrained")
    largest = max(float(np.abs(model.weights).max()), math.sqrt(network.fan_in.max())) * 1.05
    for row, (title, chosen) in enumerate(panels):
        axes = figure.add_subplot(len(panels), 1, row + 1)
        axes.hist(model.edge_weights[chosen], bins=np.linspace(-largest, largest, bins).tolist(), color=_BLUE, log=log)
        fan_ins = np.unique(network.fan_in[network.receiver[chosen] - network.first_neuron])
        for m in fan_ins[-_MOST_LINES:].tolist():
            _mark(axes, m)
        axes.set_title(title, fontsize=10)
        axes.set_ylabel("edges")
        axes.legend(fontsize=8, loc="upper right", framealpha=0.95)
    axes.set_xlabel("weight")
    return figure


def _mark(axes: Axes, m: int) -> None:
    for support, colour in ((1, _RED), (3, _GREEN)):
        place = math.sqrt(m / support)
        label = f"±√({m}/{support}) = ±{place:.2f}"
        axes.axvline(place, color=colour, linewidth=1, linestyle="--", label=label)
        axes.axvline(-place, color=colour, linewidth=1, linestyle="--")


def weight_matrices(model: BoolNet) -> Figure:
    """One image a layer: a row for every neuron, a column for every node it reads; blue is positive, red negative."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    network = model.network
    levels = range(1, int(network.level.max()) + 1)
    matrices = [_matrix(model, level) for level in levels]
    largest = float(np.abs(model.weights).max())
    columns = min(len(matrices), 3)
    rows = -(-len(matrices) // columns)
    tall, wide = max(len(matrix) for matrix in matrices), max(matrix.shape[1] for matrix in matrices)
    cell = min(0.3, 4.0 / max(tall, wide))
    size = ((wide * cell + 0.8) * columns + 0.8, (tall * cell + 0.8) * rows)
    figure = Figure(figsize=size, dpi=150, layout="constrained")
    every = []
    for index, (level, matrix) in enumerate(zip(levels, matrices, strict=True)):
        axes = figure.add_subplot(rows, columns, index + 1)
        image = axes.imshow(matrix, cmap=_COLOURS, vmin=-largest, vmax=largest, interpolation="nearest")
        axes.set_title(f"layer {level}", fontsize=9)
        axes.tick_params(labelsize=7)
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(integer=True, nbins=6))
        every.append(axes)
    figure.supxlabel("node read, the constant first", fontsize=8)
    figure.supylabel("neuron", fontsize=8)
    figure.colorbar(image, ax=every, shrink=0.8, aspect=30).ax.tick_params(labelsize=7)
    return figure


def _matrix(model: BoolNet, level: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """The weights of all neurons of a level over all nodes that any of them reads; NaN where there is no edge."""
    network = model.network
    neurons = [node for node in range(network.first_neuron, network.n_nodes) if network.level[node] == level]
    senders = sorted({int(sender) for node in neurons for sender in network.senders(node)})
    column = {sender: index for index, sender in enumerate(senders)}
    matrix = np.full((len(neurons), len(senders)), np.nan)
    for row, node in enumerate(neurons):
        matrix[row, [column[int(sender)] for sender in network.senders(node)]] = model.weights_into(node)
    return matrix


def weight_pictures(model: BoolNet, shape: tuple[int, int]) -> Figure:
    """For every neuron of the lowest layer its weights to the inputs, arranged as the inputs' picture is."""
    from matplotlib.figure import Figure

    network = model.network
    if math.prod(shape) != network.n_inputs:
        raise ParameterError("shape", f"two numbers whose product is the {network.n_inputs} inputs", shape)
    neurons = [node for node in range(network.first_neuron, network.n_nodes) if network.level[node] == 1]
    columns = min(len(neurons), 8 if len(neurons) > 10 else 5)
    rows = -(-len(neurons) // columns)
    figure = Figure(figsize=(1.3 * columns, 1.4 * rows), dpi=150, layout="constrained")
    largest = float(np.abs(model.weights).max())
    for index, node in enumerate(neurons):
        picture = np.zeros(network.n_inputs + 1)
        senders = network.senders(node)
        picture[senders] = model.weights_into(node)
        axes = figure.add_subplot(rows, columns, index + 1)
        axes.imshow(picture[1:].reshape(shape), cmap=_COLOURS, vmin=-largest, vmax=largest, interpolation="nearest")
        axes.set_axis_off()
        axes.set_title(str(index), fontsize=8)
    return figure
