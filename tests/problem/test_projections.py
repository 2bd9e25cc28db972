"""Laws of every projection: it lands in the set, projecting again changes nothing, nothing is nearer."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose
from scipy.optimize import minimize

from boolearn.data import Dataset, InputKind
from boolearn.engine import ReferenceEngine
from boolearn.network import Network, from_edges, layered
from boolearn.problem import Problem
from boolearn.problem.bilinear import distance_moved, margin_root
from boolearn.problem.inputs import project_any_code, project_one_hot
from boolearn.problem.point import Point
from boolearn.problem.support import narrowed
from boolearn.problem.threshold import ThresholdStep, project_threshold

values = st.floats(-3, 3, allow_subnormal=False)


def vectors(length: int) -> st.SearchStrategy[np.ndarray]:
    return hnp.arrays(np.float64, length, elements=values)


@st.composite
def neurons(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, float, float]:
    fan_in = draw(st.integers(1, 40))
    w, x = draw(vectors(fan_in)), draw(vectors(fan_in))
    # Close to w = ±x the nearest point is not unique; that case has a test of its own.
    assume(np.sum((w + x) ** 2) > 1e-6)
    assume(np.sum((w - x) ** 2) > 1e-6)
    sigma = draw(st.floats(1, 20))
    return w, x, draw(values), float(np.sqrt(fan_in / sigma))


@given(neurons())
def test_threshold_projection_lands_in_the_set(neuron: tuple[np.ndarray, np.ndarray, float, float]) -> None:
    w, x, y, mu = neuron
    w1, x1, y1 = project_threshold(w, x, y, mu)
    assert y1 in (-1, 1)
    assert y1 * (w1 @ x1) >= mu - 1e-8


@given(neurons())
def test_threshold_projection_is_idempotent(neuron: tuple[np.ndarray, np.ndarray, float, float]) -> None:
    w, x, y, mu = neuron
    once = project_threshold(w, x, y, mu)
    twice = project_threshold(*once, mu)
    for first, second in zip(once, twice, strict=True):
        assert_allclose(second, first, atol=1e-7)


def squared(*differences: np.ndarray | float) -> float:
    return float(sum(np.sum(np.square(difference)) for difference in differences))


def nearest_by_optimiser(w: np.ndarray, x: np.ndarray, y: float, mu: float) -> float:
    """The squared distance to A found by a general method, from several starts, on both sides."""
    n = len(w)
    best = np.inf
    for sign in (1, -1):
        constraint = {
            "type": "ineq",
            "fun": lambda z, s=sign: s * (z[:n] @ z[n:]) - mu,
            "jac": lambda z, s=sign: s * np.concatenate((z[n:], z[:n])),
        }
        z0 = np.concatenate((w, x))
        for push in (0.5, 1.5):
            start = np.concatenate((w + sign * push * x, x + sign * push * w))
            found = minimize(
                lambda z, z0=z0: np.sum((z - z0) ** 2),
                start,
                jac=lambda z, z0=z0: 2 * (z - z0),
                constraints=[constraint],
                method="SLSQP",
                options={"maxiter": 300, "ftol": 1e-14},
            )
            if found.success and sign * (found.x[:n] @ found.x[n:]) >= mu - 1e-7:
                best = min(best, found.fun + (y - sign) ** 2)
    return best


@pytest.mark.parametrize("fan_in", [1, 2, 5, 17])
@pytest.mark.parametrize("sigma", [1, 3, 9])
def test_nothing_in_the_set_is_nearer(fan_in: int, sigma: float, rng: np.random.Generator) -> None:
    mu = np.sqrt(fan_in / sigma)
    for _ in range(10):
        w, x, y = rng.normal(size=fan_in), rng.normal(size=fan_in), rng.normal()
        w1, x1, y1 = project_threshold(w, x, y, mu)
        assert squared(w1 - w, x1 - x, y1 - y) <= nearest_by_optimiser(w, x, y, mu) + 1e-6


def test_the_four_cases() -> None:
    x = np.array([1.0, 1.0])
    enough, little = np.array([1.0, 0.5]), np.array([0.2, 0.1])
    mu = 1.0
    w1, x1, y1 = project_threshold(enough, x, 0.3, mu)
    assert (y1, w1.tolist(), x1.tolist()) == (1, enough.tolist(), x.tolist())
    w1, x1, y1 = project_threshold(little, x, 0.3, mu)
    assert y1 == 1
    assert w1 @ x1 == pytest.approx(mu)
    w1, x1, y1 = project_threshold(little, x, -3.0, mu)
    assert y1 == -1
    assert w1 @ x1 == pytest.approx(-mu)
    w1, x1, y1 = project_threshold(enough, x, -0.1, mu)
    assert (y1, w1.tolist()) == (1, enough.tolist())


@given(st.floats(1e-18, 1e4), st.floats(1e-18, 1e4), st.floats(1e-3, 50))
def test_root_solves_its_equation_for_all_sizes(s: float, d: float, mu: float) -> None:
    assume((s - d) / 2 < mu)
    v = margin_root(np.array(s), np.array(d), np.array(mu))
    assert 0 < v <= 1
    assert s / v**2 - d / (2 - v) ** 2 == pytest.approx(2 * mu, rel=1e-9, abs=1e-12 * (s + d))


@given(neurons())
def test_distance_needs_no_vectors(neuron: tuple[np.ndarray, np.ndarray, float, float]) -> None:
    w, x, _, mu = neuron
    s, d = np.sum((w + x) ** 2) / 2, np.sum((w - x) ** 2) / 2
    v = margin_root(s, d, np.array(mu + abs(w @ x)))
    w1, x1 = ThresholdStep(1 / v, 1 / (2 - v), np.array(1.0)).move(w, x)
    assert distance_moved(s, d, v) == pytest.approx(squared(w1 - w, x1 - x), rel=1e-6, abs=1e-9)


@pytest.mark.parametrize("fan_in", [1, 2, 33])
def test_degenerate_points_give_finite_and_repeatable_answers(fan_in: int, rng: np.random.Generator) -> None:
    v = rng.normal(size=fan_in)
    zero = np.zeros(fan_in)
    for w, x in ((v, -v), (v, v), (zero, zero), (zero, v), (1e-200 * v, -1e-200 * v)):
        for y in (-1.0, 0.0, 1.0):
            first = project_threshold(w, x, y, 1.0)
            again = project_threshold(w, x, y, 1.0)
            for one, two in zip(first, again, strict=True):
                assert np.isfinite(one).all()
                assert np.array_equal(one, two)


@given(hnp.arrays(np.float64, st.tuples(st.integers(1, 5), st.integers(2, 6)), elements=values))
def test_free_inputs_are_rounded_to_the_nearest_code(y: np.ndarray) -> None:
    code = project_any_code(y)
    assert np.isin(code, (-1, 1)).all()
    assert (np.abs(code - y) <= np.abs(-code - y) + 1e-12).all()
    hot = project_one_hot(y)
    assert (hot.sum(axis=1) == 2 - y.shape[1]).all()
    distances = [squared(y - np.where(np.arange(y.shape[1]) == k, 1.0, -1.0)) for k in range(y.shape[1])]
    if len(y) == 1:
        assert squared(y - hot) == pytest.approx(min(distances))
    assert np.array_equal(project_one_hot(hot), hot)


def wirings() -> list[Network]:
    tied = Network(
        2, 1, np.array([0, 3, 6, 9]), np.array([0, 1, 2, 0, 2, 1, 0, 3, 4]), np.array([0, 1, 2, 0, 1, 2, 3, 4, 5])
    )
    return [layered(3, 4, 2), from_edges(3, 2, [(1, 4), (2, 4), (4, 5), (3, 5), (5, 6), (1, 6), (4, 7), (5, 7)]), tied]


def concur_engine(
    network: Network, rng: np.random.Generator, support: float = math.inf
) -> tuple[ReferenceEngine, Point]:
    items = 3
    signs = rng.integers(0, 2, (items, network.n_inputs + network.n_outputs)) * 2 - 1
    problem = Problem(network, Dataset(signs[:, : network.n_inputs], signs[:, network.n_inputs :]), support=support)
    engine = ReferenceEngine(problem)
    engine.metric = rng.uniform(0.2, 3, engine.metric.shape)
    z = Point(
        rng.normal(size=(items, network.n_edges)),
        rng.normal(size=(items, network.n_edges)),
        rng.normal(size=(items, network.n_nodes)),
    )
    return engine, z


@pytest.mark.parametrize("support", [math.inf, 2.5, 1.2])
@pytest.mark.parametrize("network", wirings())
def test_concur_projection_lands_and_stays(network: Network, support: float, rng: np.random.Generator) -> None:
    engine, z = concur_engine(network, rng, support)
    b = engine.project_concur(z)
    assert_allclose(b.x, b.y[:, network.sender])
    assert_allclose(b.y[:, network.first_output :], engine.problem.targets)
    assert_allclose(b.w, np.broadcast_to(engine.weights()[network.tie], b.w.shape))
    norms = np.add.reduceat(b.w[0] ** 2, network.start[:-1])
    assert_allclose(norms, network.fan_in)
    sums = np.add.reduceat(np.abs(b.w[0]), network.start[:-1])
    assert (sums**2 <= support * norms * (1 + 1e-9)).all()
    again = engine.project_concur(b)
    for name in ("w", "x", "y"):
        assert_allclose(getattr(again, name), getattr(b, name), atol=1e-12)


@pytest.mark.parametrize("support", [math.inf, 2.5, 1.2])
@pytest.mark.parametrize("network", wirings())
def test_concur_projection_is_nearest_in_the_metric(network: Network, support: float, rng: np.random.Generator) -> None:
    engine, z = concur_engine(network, rng, support)
    g_edges = np.repeat(engine.metric, network.fan_in, axis=1)
    g_nodes = np.ones_like(z.y)
    g_nodes[:, network.first_neuron :] = engine.metric

    def distance(point: Point) -> float:
        return float(
            np.sum(g_edges * ((point.w - z.w) ** 2 + (point.x - z.x) ** 2)) + np.sum(g_nodes * (point.y - z.y) ** 2)
        )

    b = engine.project_concur(z)
    found = distance(b)
    # Any other point of B is B's own projection of something: try many, near and far.
    for scale in (1e-3, 1e-2, 0.1, 1, 1, 1):
        for _ in range(50):
            other = engine.project_concur(
                Point(*(getattr(b, name) + scale * rng.normal(size=getattr(b, name).shape) for name in ("w", "x", "y")))
            )
            assert distance(other) >= found - 1e-9


def test_inputs_on_a_are_the_data_or_legal_codes(rng: np.random.Generator) -> None:
    outputs = rng.integers(0, 2, (4, 2)) * 2 - 1
    analog = Dataset(rng.uniform(-1, 1, (4, 3)), outputs, InputKind.ANALOG)
    engine = ReferenceEngine(Problem(layered(3, 2), analog))
    assert_allclose(engine.project_divide(engine.point).y[:, 1:4], analog.inputs)
    for kind in (InputKind.ANY_CODE, InputKind.ONE_HOT_CODE):
        engine = ReferenceEngine(Problem(layered(3, 2), Dataset.generative(outputs, kind)))
        inputs = engine.project_divide(engine.point).y[:, 1:4]
        assert np.isin(inputs, (-1, 1)).all()
        if kind is InputKind.ONE_HOT_CODE:
            assert ((inputs == 1).sum(axis=1) == 1).all()


def test_a_bound_on_the_support_lessens_all_magnitudes_by_the_same(rng: np.random.Generator) -> None:
    for _ in range(200):
        v, support = rng.normal(size=rng.integers(2, 40)) ** 3, rng.uniform(1, 8)
        w = narrowed(v, support)
        ratio = np.abs(w).sum() ** 2 / (w**2).sum()
        if np.abs(v).sum() ** 2 <= support * (v**2).sum():
            assert np.array_equal(v, w)
            continue
        assert ratio == pytest.approx(support)
        kept = w != 0
        assert_allclose((v - w)[kept] * np.sign(v[kept]), np.abs(v[kept])[0] - np.abs(w[kept])[0], atol=1e-12)
        assert np.abs(v[~kept]).max(initial=0) <= np.abs(v[kept]).min()


def test_gates_keep_a_bound_on_the_support_and_equal_weights_stay() -> None:
    gate = np.array([1.0, 0, -1, 0, 1])
    assert np.array_equal(narrowed(gate, 3), gate)
    assert np.array_equal(narrowed(gate, 2), gate)  # three as large: none is nearest
    assert np.array_equal(narrowed(np.zeros(4), 2), np.zeros(4))
    # Not what rounding makes of them.
    for large, small in ((0.1, 0.1 / 3), (0.3, 0.1), (1.0, 0.5)):
        v = np.array([large] * 7 + [-small] * 3)
        assert np.array_equal(narrowed(v, 3), np.array([large] * 7 + [0.0] * 3))
