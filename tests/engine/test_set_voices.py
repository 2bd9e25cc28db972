"""Voices of edges: all engines weigh what receivers read alike, in every variable, and a point of both sets stays."""

from __future__ import annotations

import importlib.util

import numpy as np
import numpy.typing as npt
import pytest
from numpy.testing import assert_allclose

from boolearn.engine import Engine, ReferenceEngine, make_engine, native_available
from boolearn.problem import Problem
from boolearn.problem.concur import agreed_signals
from boolearn.problem.voices import voices

if not native_available():
    pytest.skip("the compiled engine was not built", allow_module_level=True)

from problems import PROBLEMS, STEP, point

from boolearn.engine.native import NativeEngine


def gaps_with_voices(engine: Engine, problem: Problem, focus: float = 0.5) -> list[float]:
    """Twenty iterations each with the voices of several weights, the first of them set before the first iteration."""
    engine.begin(11)
    gaps = []
    for _ in range(4):
        engine.set_voices(voices(problem.network, engine.weights(), focus))
        gaps += [engine.iterate(1, **STEP).gap for _ in range(20)]
    return gaps


@pytest.mark.parametrize("name", [name for name in PROBLEMS if name != "fan-in 1"])
def test_native_follows_the_reference_through_changes_of_voices(name: str) -> None:
    problem = PROBLEMS[name]()
    reference, native = ReferenceEngine(problem), NativeEngine(problem, precision="double")
    expected = gaps_with_voices(reference, problem)
    assert_allclose(gaps_with_voices(native, problem), expected, rtol=1e-9, atol=1e-9)
    found = point(native)
    for key in ("w", "x", "y"):
        assert_allclose(found[key], getattr(reference.point, key), atol=1e-7, err_msg=key)
    if problem.network.n_neurons > problem.network.n_outputs:
        plain = ReferenceEngine(problem)
        plain.begin(11)
        assert plain.iterate(20, **STEP).gap != expected[19]


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="the extra 'gradient' is not installed")
@pytest.mark.parametrize(
    "name", ["layered", *(pytest.param(name, marks=pytest.mark.slow) for name in ("irregular", "tied", "any code"))]
)
def test_torch_follows_the_reference_through_changes_of_voices(name: str) -> None:
    problem = PROBLEMS[name]()
    reference, tested = (make_engine(problem, kind, precision="double") for kind in ("reference", "torch"))  # type: ignore[arg-type]
    expected, found = (gaps_with_voices(engine, problem) for engine in (reference, tested))
    assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    for key in ("w", "x", "y"):
        assert_allclose(tested.snapshot()[key], reference.snapshot()[key], atol=1e-7, err_msg=key)


@pytest.mark.parametrize("precision", ["half", "single", "double"])
def test_voices_do_not_depend_on_threads(precision: str) -> None:
    problem = PROBLEMS["many items"]()
    one, three = (NativeEngine(problem, precision=precision, threads=n) for n in (1, 3))  # type: ignore[arg-type]
    assert gaps_with_voices(one, problem) == gaps_with_voices(three, problem)
    assert np.array_equal(one.weights(), three.weights())


@pytest.mark.parametrize("precision", ["half", "single", "double"])
def test_a_restored_state_has_heard_them_already(precision: str) -> None:
    problem = PROBLEMS["layered"]()
    some = np.linspace(0.5, 2, problem.network.n_edges)
    whole, resumed = (NativeEngine(problem, precision=precision) for _ in range(2))  # type: ignore[arg-type]
    whole.set_voices(some)
    whole.iterate(15, **STEP)
    resumed.restore(whole.snapshot())
    resumed.set_voices(some, project=False)
    assert whole.iterate(15, **STEP) == resumed.iterate(15, **STEP)
    assert np.array_equal(whole.weights(), resumed.weights())


def test_voices_of_one_are_the_papers_iteration() -> None:
    problem = PROBLEMS["layered"]()
    plain, voiced = (NativeEngine(problem, precision="double") for _ in range(2))
    voiced.set_voices(np.ones(problem.network.n_edges))
    for engine in (plain, voiced):
        engine.begin(3)
    assert_allclose(voiced.iterate(50, **STEP).gap, plain.iterate(50, **STEP).gap, rtol=1e-9)


def test_a_large_weight_counts_more_and_a_neurons_edges_count_one_on_average() -> None:
    problem = PROBLEMS["layered"]()
    network, weights = problem.network, ReferenceEngine(problem).weights()
    assert np.array_equal(voices(network, weights, 0.0), np.ones(network.n_edges))
    loud = voices(network, weights, 0.5)
    assert_allclose(np.add.reduceat(loud, network.start[:-1]), network.fan_in)
    order = np.argsort(np.abs(weights[network.tie]))
    assert (np.diff(loud[order]) >= 0).all()


def test_what_agrees_already_stays_whatever_the_voices() -> None:
    network = PROBLEMS["layered"]().network
    rng = np.random.default_rng(5)
    y = rng.choice([-1.0, 1.0], (6, network.n_nodes))
    g: npt.NDArray[np.float64] = rng.uniform(0.5, 2, (6, network.n_neurons))
    loud = rng.uniform(0.1, 5, network.n_edges)
    found = agreed_signals(network, y[:, network.sender], y, g, y[:, network.first_output :], loud)
    assert_allclose(found, y)


def test_wrong_voices_are_refused() -> None:
    engine = NativeEngine(PROBLEMS["layered"]())
    edges = engine.problem.network.n_edges
    with pytest.raises(ValueError, match="shape"):
        engine.set_voices(np.ones(edges + 1))
    for wrong in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="finite and above 0"):
            engine.set_voices(np.full(edges, wrong))
    engine.compiled.open()
    with pytest.raises(RuntimeError, match="must not come between"):
        engine.set_voices(np.ones(edges))
