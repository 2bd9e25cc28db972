from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boolearn.errors import NetworkError
from boolearn.model import random_model
from boolearn.network import from_edges, layered
from boolearn.solver.gates.nearest import nearest_gates
from boolearn.solver.gates.table import table_of, weights_of

NETWORK = from_edges(
    3,
    2,
    [(1, 4), (2, 4), (2, 5), (3, 5), (0, 5), (4, 6), (5, 6), (1, 6), (0, 6), (3, 7), (6, 8), (4, 8), (5, 8), (6, 7)],
)


def gate_vectors(m: int) -> list[np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """All gates a neuron of m senders can be, as weights of norm 1."""
    vectors = []
    for size in (1, 3):
        for positions in combinations(range(m), size):
            for signs in product((-1.0, 1.0), repeat=size):
                vector = np.zeros(m)
                vector[list(positions)] = np.array(signs) / np.sqrt(size)
                vectors.append(vector)
    return vectors


@given(seed=st.integers(0, 10_000), whole=st.booleans())
def test_no_gate_is_nearer(seed: int, whole: bool) -> None:
    """Against all gates there are; with small whole numbers, zeros and ties occur."""
    rng = np.random.default_rng(seed)
    weights = rng.integers(-3, 4, NETWORK.n_edges).astype(float) if whole else rng.normal(size=NETWORK.n_edges)
    chosen = weights_of(NETWORK, nearest_gates(NETWORK, weights))
    for neuron in range(NETWORK.n_neurons):
        edges = slice(NETWORK.start[neuron], NETWORK.start[neuron + 1])
        w, gate = weights[edges], chosen[edges]
        best = max(float(vector @ w) for vector in gate_vectors(len(w)))
        assert gate @ w / np.linalg.norm(gate) == pytest.approx(best, abs=1e-12)


@given(seed=st.integers(0, 1000), gates=st.sampled_from(["andor", "maj"]))
def test_gates_with_a_little_noise_are_found_again(seed: int, gates: str) -> None:
    circuit = random_model(8, 9, 8, gates=gates, seed=seed)
    noise = np.random.default_rng(seed).uniform(-0.2, 0.2, circuit.network.n_edges)
    table = nearest_gates(circuit.network, circuit.weights + noise)
    assert np.array_equal(table, table_of(circuit.network, circuit.weights))


def test_weights_that_do_not_fit_are_refused() -> None:
    network = layered(3, 2)
    for weights in (np.ones(7), np.full(8, np.nan)):
        with pytest.raises(NetworkError, match="weights must be 8 finite numbers"):
            nearest_gates(network, weights)
