"""The reference engine against the obvious: one item, one neuron, one edge at a time."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from boolearn.data import Dataset, InputKind
from boolearn.engine import ReferenceEngine
from boolearn.engine.start import keys, uniform, uniform_table
from boolearn.network import Network, from_edges, layered
from boolearn.problem import Problem
from boolearn.problem.threshold import project_threshold


class Naive:
    """One RRR iteration written with loops."""

    def __init__(self, engine: ReferenceEngine) -> None:
        self.problem = engine.problem
        z = engine.point
        self.w, self.x, self.y, self.g = z.w.copy(), z.x.copy(), z.y.copy(), engine.metric.copy()
        self.next_g = self.g.copy()

    def iterate(self, beta: float, gamma: float) -> float:
        net, data, first = self.problem.network, self.problem.dataset, self.problem.network.first_neuron
        items = len(data)
        w_a, x_a, y_a = np.empty_like(self.w), np.empty_like(self.x), np.empty_like(self.y)
        for i in range(items):
            y_a[i, 0] = -1
            inputs = self.y[i, 1:first]
            if data.input_kind is InputKind.ANY_CODE:
                y_a[i, 1:first] = np.where(inputs < 0, -1, 1)
            elif data.input_kind is InputKind.ONE_HOT_CODE:
                y_a[i, 1:first] = np.where(np.arange(len(inputs)) == np.argmax(inputs), 1, -1)
            else:
                y_a[i, 1:first] = data.inputs[i]
            for k in range(net.n_neurons):
                into = net.edges_into(first + k)
                w_a[i, into], x_a[i, into], y_a[i, first + k] = project_threshold(
                    self.w[i, into], self.x[i, into], self.y[i, first + k], self.problem.margins[k]
                )
        w_r, x_r, y_r = 2 * w_a - self.w, 2 * x_a - self.x, 2 * y_a - self.y
        top, bottom = np.zeros(net.n_weights), np.zeros(net.n_weights)
        for i in range(items):
            for e in range(net.n_edges):
                top[net.tie[e]] += self.g[i, net.receiver[e] - first] * w_r[i, e]
                bottom[net.tie[e]] += self.g[i, net.receiver[e] - first]
        mean = top / bottom
        w_b = np.empty(net.n_edges)
        for k in range(net.n_neurons):
            into = net.edges_into(first + k)
            row = mean[net.tie[into]]
            w_b[into] = row * np.sqrt(len(row) / (row @ row))
        y_b = np.empty_like(self.y)
        for i in range(items):
            for p in range(net.first_output):
                g_p = 1.0 if p < first else self.g[i, p - first]
                total, metric = g_p * y_r[i, p], g_p
                for e in np.flatnonzero(net.sender == p).tolist():
                    g_q = self.g[i, net.receiver[e] - first]
                    total += g_q * x_r[i, e]
                    metric += g_q
                y_b[i, p] = total / metric
            y_b[i, net.first_output :] = self.problem.targets[i]
        local = np.zeros((items, net.n_neurons))
        for i in range(items):
            for k in range(net.n_neurons):
                local[i, k] = (y_b[i, first + k] - y_a[i, first + k]) ** 2
                for e in range(net.edges_into(first + k).start, net.edges_into(first + k).stop):
                    local[i, k] += (w_b[e] - w_a[i, e]) ** 2 + (y_b[i, net.sender[e]] - x_a[i, e]) ** 2
        self.w += beta * (w_b - w_a)
        self.x += beta * (y_b[:, net.sender] - x_a)
        self.y += beta * (y_b - y_a)
        square = local.mean()
        self.g = self.next_g
        self.next_g = self.g + gamma * (local / square - self.g)
        return float(np.sqrt(square))


def problems() -> dict[str, Problem]:
    rng = np.random.default_rng(5)

    def signs(*shape: int) -> np.ndarray:
        return rng.integers(0, 2, shape) * 2 - 1

    dag = from_edges(3, 2, [(1, 4), (2, 4), (4, 5), (3, 5), (5, 6), (1, 6), (4, 7), (5, 7), (2, 7)])
    tied = Network(
        2, 1, np.array([0, 3, 6, 9]), np.array([0, 1, 2, 0, 2, 1, 0, 3, 4]), np.array([0, 1, 2, 0, 1, 2, 3, 4, 5])
    )
    return {
        "layered": Problem(layered(3, 4, 2), Dataset(signs(5, 3), signs(5, 2))),
        "irregular": Problem(dag, Dataset(signs(4, 3), signs(4, 2)), sigma=[3, 3, 5, 7]),
        "tied": Problem(tied, Dataset(signs(3, 2), signs(3, 1))),
        "analog": Problem(layered(4, 3), Dataset(rng.uniform(-1, 1, (5, 4)), signs(5, 3), InputKind.ANALOG), sigma=1),
        "classes": Problem(layered(4, 3), Dataset(signs(5, 4), rng.integers(0, 3, 5), classes=3)),
        "any code": Problem(layered(3, 4, 4), Dataset.generative(signs(6, 4), InputKind.ANY_CODE), sigma=5),
        "one-hot code": Problem(layered(3, 4, 4), Dataset.generative(signs(6, 4), InputKind.ONE_HOT_CODE)),
        "one item": Problem(layered(2, 1), Dataset(signs(1, 2), signs(1, 1))),
    }


@pytest.mark.parametrize("name", problems())
def test_iterations_agree_with_the_loops(name: str) -> None:
    engine = ReferenceEngine(problems()[name])
    engine.begin(3)
    naive = Naive(engine)
    for _ in range(10):
        gap = engine.iterate(1, beta=0.3, gamma=0.01).gap
        assert gap == pytest.approx(naive.iterate(0.3, 0.01), rel=1e-9)
    assert_allclose(engine.point.w, naive.w, atol=1e-9)
    assert_allclose(engine.point.x, naive.x, atol=1e-9)
    assert_allclose(engine.point.y, naive.y, atol=1e-9)
    assert_allclose(engine.metric, naive.g, atol=1e-9)


def test_the_metric_keeps_its_mean() -> None:
    engine = ReferenceEngine(problems()["irregular"])
    engine.iterate(50, beta=0.2, gamma=0.05)
    assert engine.metric.mean() == pytest.approx(1)
    assert engine.metric.min() > 0
    assert np.ptp(engine.metric) > 0.1


def test_parts_of_the_gap_make_up_the_gap() -> None:
    engine = ReferenceEngine(problems()["layered"])
    network, items = engine.problem.network, engine.problem.n_items
    progress = engine.iterate(7, beta=0.2, gamma=1e-3)
    on_edges = (progress.gap_w**2 + progress.gap_x**2) * items * network.n_edges
    everything = on_edges + progress.gap_y**2 * items * network.n_nodes
    whole = progress.gap**2 * items * network.n_neurons
    assert on_edges < whole < everything


def test_iterating_in_pieces_or_from_a_snapshot_changes_nothing() -> None:
    problem = problems()["layered"]
    once, pieces, resumed = (ReferenceEngine(problem) for _ in range(3))
    for engine in (once, pieces):
        engine.begin(11)
    once.iterate(20, beta=0.2, gamma=1e-3)
    for n in (1, 4, 7):
        pieces.iterate(n, beta=0.2, gamma=1e-3)
    resumed.restore(pieces.snapshot())
    for engine in (pieces, resumed):
        engine.iterate(8, beta=0.2, gamma=1e-3)
        for name, array in once.snapshot().items():
            assert np.array_equal(array, engine.snapshot()[name])


def test_iterate_stops_at_the_first_gap_below_the_limit() -> None:
    engine = ReferenceEngine(problems()["one item"])
    progress = engine.iterate(1000, beta=0.5, gamma=0, stop_below=0.05)
    assert progress.iterations < 1000
    assert progress.gap == progress.least_gap < 0.05


def test_the_start_depends_on_the_seed_and_on_nothing_else() -> None:
    assert keys(3) == keys(3) != keys(4)
    table = uniform_table(keys(3).w, 40, 50)
    assert np.array_equal(table[:7], uniform_table(keys(3).w, 7, 50))
    assert table[2, 5] == uniform(keys(3).w, np.array([105], np.uint64))[0]
    assert -1 <= table.min() < -0.99
    assert 0.99 < table.max() < 1
    assert abs(table.mean()) < 0.05
    assert table.var() == pytest.approx(1 / 3, rel=0.05)


def test_the_generator_is_splitmix64() -> None:
    """The first outputs of SplitMix64 from state 0, known from its published test vectors."""
    known = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    expected = [2 * (z >> 11) * 2.0**-53 - 1 for z in known]
    assert uniform(0, np.arange(3, dtype=np.uint64)).tolist() == expected
