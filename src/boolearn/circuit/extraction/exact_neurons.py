"""Signs of real sums without rounding: floats are binary fractions, so every sum of them has an exact sign."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.gate import Gate
from boolearn.circuit.threshold.integer_weights import as_integers
from boolearn.data.signs import Signs
from boolearn.model import BoolNet
from boolearn.network import CONSTANT

_EXACT_INTEGERS = float(1 << 53)


def exact_signs(values: npt.NDArray[np.float64], weights: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """sgn(values @ weights) for ±1 values, zero counted as −1, as if computed with real numbers.

    values has shape (items, inputs), weights (inputs, neurons). Floating point decides wherever its error bound
    allows; the few sums too close to zero are added up again without rounding.
    """
    sums = values @ weights
    signs = np.where(sums > 0, 1.0, -1.0)
    size = np.abs(weights).sum(axis=0)
    rounds = (size >= _EXACT_INTEGERS) | (weights != np.rint(weights)).any(axis=0)
    bound = np.where(rounds, 4 * len(weights) * np.finfo(np.float64).eps * size, -1.0)
    for item, neuron in np.argwhere(np.abs(sums) <= bound):
        signs[item, neuron] = 1 if math.fsum((values[item] * weights[:, neuron]).tolist()) > 0 else -1
    return signs


def exact_outputs(model: BoolNet, inputs: Signs) -> Signs:
    """Shape (items, n_outputs): the outputs' signs in exact arithmetic."""
    network = model.network
    values = np.empty((len(inputs), network.n_nodes), np.float64)
    values[:, CONSTANT] = -1
    values[:, 1 : network.first_neuron] = inputs
    # Neurons that read the same nodes, as a layer's do, are computed together.
    for read, layer in itertools.groupby(neurons(model), key=lambda neuron: tuple(neuron[1].tolist())):
        rows = list(layer)
        nodes = [node for node, _, _ in rows]
        values[:, nodes] = exact_signs(values[:, read], np.column_stack([weights for _, _, weights in rows]))
    return values[:, network.first_output :].astype(np.int8)


def exact_circuit(model: BoolNet) -> Circuit:
    """Every neuron as a gate with all its weights, as integers in exactly their ratio: nothing is reduced."""
    network = model.network
    gates = []
    for _, senders, weights in neurons(model):
        integers = as_integers(weights.tolist())
        bias = -sum(weight for sender, weight in zip(senders, integers, strict=True) if sender == CONSTANT)
        read = {int(s) - 1: w for s, w in zip(senders, integers, strict=True) if s != CONSTANT and w}
        # Doubling, and one less in the bias, counts a zero sum as −1 and leaves none.
        gates.append(Gate(tuple(read), tuple(2 * weight for weight in read.values()), 2 * bias - 1))
    first = network.first_output - 1
    return Circuit(
        model.input_names or tuple(f"x{k}" for k in range(network.n_inputs)),
        tuple(gates),
        tuple(
            (name, Literal(first + k))
            for k, name in enumerate(model.output_names or [f"y{k}" for k in range(network.n_outputs)])
        ),
    )


def neurons(model: BoolNet) -> Iterator[tuple[int, npt.NDArray[np.int32], npt.NDArray[np.float64]]]:
    """Every neuron's node, the nodes it reads and its weights, senders before receivers."""
    weights = model.edge_weights
    for node in range(model.network.first_neuron, model.network.n_nodes):
        yield node, model.network.senders(node), weights[model.network.edges_into(node)]
