"""Other margins in the course of a search: all engines take them from the next iteration on, in every variable."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from numpy.testing import assert_allclose

from boolearn.engine import Engine, ReferenceEngine, make_engine, native_available
from boolearn.problem import Problem
from boolearn.problem.margins import larger_margins, margins

if not native_available():
    pytest.skip("the compiled engine was not built", allow_module_level=True)

from problems import PROBLEMS, STEP, point

from boolearn.engine.native import NativeEngine

SHARES = (0.0, 0.3, 0.3, 0.8, 1.0)


def gaps_with_rising_sigma(engine: Engine, problem: Problem) -> list[float]:
    """Twenty iterations with each of several margins, the first of them set before the first iteration."""
    engine.begin(11)
    gaps = []
    for share in SHARES:
        engine.set_margins(larger_margins(problem.network, problem.margins, share))
        gaps += [engine.iterate(1, **STEP).gap for _ in range(20)]
    return gaps


@pytest.mark.parametrize("name", [name for name in PROBLEMS if name != "fan-in 1"])
def test_native_follows_the_reference_through_changes_of_margins(name: str) -> None:
    problem = PROBLEMS[name]()
    reference, native = ReferenceEngine(problem), NativeEngine(problem, precision="double")
    expected = gaps_with_rising_sigma(reference, problem)
    assert_allclose(gaps_with_rising_sigma(native, problem), expected, rtol=1e-9, atol=1e-9)
    found = point(native)
    for key in ("w", "x", "y"):
        assert_allclose(found[key], getattr(reference.point, key), atol=1e-7, err_msg=key)
    plain = ReferenceEngine(problem)
    plain.begin(11)
    if (problem.network.fan_in / problem.margins**2 > 1.001).all():  # else σ is 1, and cannot rise
        assert plain.iterate(20, **STEP).gap != expected[19]


@pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="the extra 'gradient' is not installed")
@pytest.mark.parametrize(
    "name", ["layered", *(pytest.param(name, marks=pytest.mark.slow) for name in ("irregular", "tied", "any code"))]
)
def test_torch_follows_the_reference_through_changes_of_margins(name: str) -> None:
    problem = PROBLEMS[name]()
    reference, tested = (make_engine(problem, kind, precision="double") for kind in ("reference", "torch"))  # type: ignore[arg-type]
    expected, found = (gaps_with_rising_sigma(engine, problem) for engine in (reference, tested))
    assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    for key in ("w", "x", "y"):
        assert_allclose(tested.snapshot()[key], reference.snapshot()[key], atol=1e-7, err_msg=key)


@pytest.mark.parametrize("precision", ["half", "single", "double"])
def test_margins_do_not_depend_on_threads(precision: str) -> None:
    problem = PROBLEMS["many items"]()
    one, three = (NativeEngine(problem, precision=precision, threads=n) for n in (1, 3))  # type: ignore[arg-type]
    assert gaps_with_rising_sigma(one, problem) == gaps_with_rising_sigma(three, problem)
    assert np.array_equal(one.weights(), three.weights())


@pytest.mark.parametrize("precision", ["half", "single", "double"])
def test_a_restored_state_has_been_projected_already(precision: str) -> None:
    problem = PROBLEMS["layered"]()
    larger = larger_margins(problem.network, problem.margins, 0.4)
    whole, resumed = (NativeEngine(problem, precision=precision) for _ in range(2))  # type: ignore[arg-type]
    whole.set_margins(larger)
    whole.iterate(15, **STEP)
    resumed.restore(whole.snapshot())
    resumed.set_margins(larger, project=False)
    assert whole.iterate(15, **STEP) == resumed.iterate(15, **STEP)
    assert np.array_equal(whole.weights(), resumed.weights())


def test_margins_come_from_a_sigma_on_its_way_from_one() -> None:
    network = PROBLEMS["layered"]().network
    own = margins(network, 3.0)
    assert_allclose(larger_margins(network, own, 0.0), margins(network, 1.0))
    assert_allclose(larger_margins(network, own, 0.5), margins(network, 2.0))
    assert larger_margins(network, own, 1.0) is own


def test_wrong_margins_are_refused() -> None:
    engine = NativeEngine(PROBLEMS["layered"]())
    neurons = len(engine.problem.margins)
    with pytest.raises(ValueError, match="shape"):
        engine.set_margins(np.ones(neurons + 1))
    for wrong in (0.0, -1.0, np.nan, np.inf):
        with pytest.raises(ValueError, match="finite and above 0"):
            engine.set_margins(np.full(neurons, wrong))
    engine.compiled.open()
    with pytest.raises(RuntimeError, match="must not come between"):
        engine.set_margins(np.ones(neurons))
