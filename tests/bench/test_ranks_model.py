"""The model of several ranks: shares and memory are the engine's, and limits what they must be."""

from __future__ import annotations

import numpy as np
import pytest

from boolearn.bench.ranks_model import (
    Cluster,
    Size,
    efficiency,
    memory_per_rank,
    most_gained_by_overlap,
    seconds_of_iteration,
    share_of,
)
from boolearn.data import Dataset
from boolearn.engine import native_available
from boolearn.network import layered
from boolearn.problem import Problem

LARGE = Size(edges=10**7, weights=10**7, nodes=10**4, neurons=9000, items=10**6)


@pytest.mark.skipif(not native_available(), reason="the compiled engine was not built")
@pytest.mark.parametrize("items", [100, 1000, 4096, 5000, 100_000])
@pytest.mark.parametrize("ranks", [1, 2, 10, 48, 64, 100])
def test_the_busiest_rank_is_the_engines(items: int, ranks: int) -> None:
    from boolearn._native import shares

    table = shares(items, "single", ranks)
    size = Size(1000, 1000, 100, 80, items)
    found = share_of(size, ranks)
    busiest = int((table[:, 1] - table[:, 0]).max())
    assert busiest <= found.items <= busiest + 64 + items % 64
    if items > 64:
        assert found.all_parts == int(table[:, 2].sum())


@pytest.mark.slow
@pytest.mark.skipif(not native_available(), reason="the compiled engine was not built")
@pytest.mark.parametrize("precision", ["half", "single", "double"])
def test_the_memory_is_the_engines(precision: str) -> None:
    from boolearn.engine.native import NativeEngine

    network = layered(32, 128, 64)
    signs = np.random.default_rng(0).choice(np.array([-1, 1], np.int8), (4096, 96))
    engine = NativeEngine(Problem(network, Dataset(signs[:, :32], signs[:, 32:])), precision=precision)  # type: ignore[arg-type]
    size = Size(network.n_edges, network.n_weights, network.n_nodes, network.n_neurons, 4096)
    # The model also counts what is on its way between ranks.
    assert 0.9 < memory_per_rank(size, 1, precision) / engine.nbytes < 1.35


def test_ten_million_edges_and_a_million_items_fit_a_thousand_ranks() -> None:
    assert 80e9 < memory_per_rank(LARGE, 1000) < 90e9
    assert memory_per_rank(LARGE, 1000, "half") < 0.6 * memory_per_rank(LARGE, 1000)


def test_one_rank_exchanges_nothing_and_a_slow_network_makes_ranks_useless() -> None:
    small = Size(1000, 1000, 100, 80, 8192)
    assert seconds_of_iteration(small, 1, Cluster()).exchange == 0
    assert efficiency(small, 1, Cluster()) == 1
    assert efficiency(small, 64, Cluster(latency=0, bandwidth=np.inf, memory=np.inf)) > 0.98
    assert efficiency(small, 64, Cluster(latency=1e-3)) < 0.01


def test_overlap_gains_nothing_with_one_block_and_never_more_than_twice() -> None:
    assert most_gained_by_overlap(LARGE, 100, Cluster(bandwidth=1.0)) == 1  # one block, swept to its end
    slow = [
        most_gained_by_overlap(LARGE, 2, Cluster(bandwidth=float(bandwidth))) for bandwidth in (1e3, 1e5, 1e7, 1e12)
    ]
    assert all(1 <= gain <= 2 for gain in slow)
    assert max(slow) > 1.2
    assert slow[-1] < 1.001
