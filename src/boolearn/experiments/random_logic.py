"""What the experiments on random logic circuits share: a circuit is drawn, sampled, and learned from the samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.bench.record import Row
from boolearn.experiments.training import outcome, trained
from boolearn.model import BoolNet, random_model

PAPER_WIDTHS = (32, 32, 32, 32, 32, 32)
SAMPLES = 2512
"""Drawn from a circuit: the first of them are learned, all others are the test."""
_BINS = 101


def learn_circuit(widths: Sequence[int], gates: str, items: int, circuit_seed: int, seed: int, **settings: Any) -> Row:
    """Learn the circuit of a seed from the first ``items`` of its samples."""
    circuit = random_model(*widths, gates=gates, seed=circuit_seed)
    data = circuit.sample(SAMPLES, seed=circuit_seed)
    run = trained(circuit.network, data, items=items, sigma=3, seed=seed, **settings)
    return {
        "widths": widths,
        "gates": gates,
        "circuit_seed": circuit_seed,
        **outcome(run),
        "histogram": histogram(run.model),
        "first_layer": first_layer(run.model).round(4).tolist(),
    }


def first_layer(model: BoolNet) -> npt.NDArray[np.float64]:
    """Shape (neurons, inputs and the constant): the weights of the first layer."""
    network = model.network
    weights = model.edge_weights[network.level[network.receiver] == 1]
    return np.reshape(weights, (-1, network.n_inputs + 1))


def histogram(model: BoolNet) -> Row:
    """Weights of all layers, and of the first alone, counted between bounds that include that of a copy."""
    network = model.network
    largest = 1.05 * math.sqrt(network.fan_in.max())
    bounds = np.linspace(-largest, largest, _BINS)
    first = network.level[network.receiver] == 1
    return {
        "fan_in": int(network.fan_in.max()),
        "bounds": bounds.tolist(),
        "all": np.histogram(model.edge_weights, bounds)[0].tolist(),
        "first": np.histogram(model.edge_weights[first], bounds)[0].tolist(),
    }
