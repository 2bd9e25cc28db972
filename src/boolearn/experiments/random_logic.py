"""What the experiments on random logic circuits share: a circuit is drawn, sampled, and learned from the samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from boolearn.bench.record import Row
from boolearn.experiments.training import outcome, trained
from boolearn.model import BoolNet, random_model
from boolearn.solver import Run

PAPER_WIDTHS = (32, 32, 32, 32, 32, 32)
TEST_ITEMS = 2000
_BINS = 101


def run_on_circuit(
    widths: Sequence[int], gates: str, items: int, of: int, circuit_seed: int, seed: int, **settings: Any
) -> Run:
    """Learn the circuit of a seed from the first ``items`` of ``of`` samples; all further samples are the test."""
    circuit = random_model(*widths, gates=gates, seed=circuit_seed)
    data = circuit.sample(of + TEST_ITEMS, seed=circuit_seed)
    return trained(circuit.network, data, items=items, sigma=3, seed=seed, **settings)


def learn_circuit(widths: Sequence[int], gates: str, **settings: Any) -> Row:
    """The same as a row, with a histogram of the weights."""
    run = run_on_circuit(widths, gates, **settings)
    return {"widths": widths, "gates": gates, **outcome(run), "histogram": histogram(run.model)}


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
