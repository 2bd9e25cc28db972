"""Neurons as they are, with exact weights: floats are binary fractions, so there are integers in the same ratio."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.gate import Gate
from boolearn.circuit.threshold.integer_weights import as_integers
from boolearn.model import BoolNet
from boolearn.network import CONSTANT


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
