"""The native engine follows the reference step by step, whatever the network, threads or pieces."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.testing import assert_allclose

from boolearn.data import Dataset, InputKind
from boolearn.engine import ReferenceEngine, check_engine, make_engine, native_available
from boolearn.errors import DataError, ParameterError
from boolearn.network import layered
from boolearn.problem import Problem

if not native_available():
    pytest.skip("the compiled engine was not built", allow_module_level=True)

from problems import PROBLEMS, STEP, data, point, signs

from boolearn.engine.native import NativeEngine


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_hundred_iterations_agree_with_the_reference_in_every_variable(name: str) -> None:
    problem = PROBLEMS[name]()
    reference, native = ReferenceEngine(problem), NativeEngine(problem, precision="double")
    for engine in (reference, native):
        engine.begin(11)
    assert_allclose(point(native)["w"], reference.point.w, atol=1e-15)
    assert np.array_equal(point(native)["y"], reference.point.y)
    for _ in range(100):
        expected, found = reference.iterate(1, **STEP), native.iterate(1, **STEP)
        assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
    found_point = point(native)
    for key, array in reference.snapshot().items():
        if key in found_point:
            assert_allclose(found_point[key], array, atol=1e-9, err_msg=key)
    assert_allclose(native.weights(), reference.weights(), atol=1e-9)
    assert np.array_equal(native.input_values(), reference.input_values())


@pytest.mark.parametrize("precision", ["half", "single", "double"])
@pytest.mark.parametrize(
    "name", ["layered", "irregular", "tied", "one-hot code", "many items", "open outputs", "eight items"]
)
def test_the_number_of_threads_does_not_change_a_bit(name: str, precision: str) -> None:
    results = []
    for threads in (1, 2, 3, 8):
        engine = NativeEngine(PROBLEMS[name](), precision=precision, threads=threads)  # type: ignore[arg-type]
        engine.begin(5)
        gaps = engine.iterate(60, **STEP)
        results.append((gaps, engine.weights(), engine.snapshot()))
    for gaps, weights, state in results[1:]:
        assert gaps == results[0][0]
        assert np.array_equal(weights, results[0][1])
        assert all(np.array_equal(array, results[0][2][key]) for key, array in state.items())


@pytest.mark.parametrize("precision", ["half", "single", "double"])
def test_pieces_and_snapshots_do_not_change_a_bit(precision: str) -> None:
    problem = PROBLEMS["layered"]()
    once, pieces, resumed = (NativeEngine(problem, precision=precision) for _ in range(3))  # type: ignore[arg-type]
    for engine in (once, pieces):
        engine.begin(6)
    whole = once.iterate(40, **STEP)
    for n in (1, 2, 17):
        pieces.iterate(n, **STEP)
    resumed.restore(pieces.snapshot())
    for engine in (pieces, resumed):
        last = engine.iterate(20, **STEP)
        assert last._replace(iterations=0, least_gap=0) == whole._replace(iterations=0, least_gap=0)
        for key, array in once.snapshot().items():
            assert np.array_equal(array, engine.snapshot()[key])


@pytest.mark.parametrize("name", ["deep", "eight items", "nine items"])
def test_single_precision_starts_like_double(name: str) -> None:
    problem = PROBLEMS[name]()
    single, double = (NativeEngine(problem, precision=p) for p in ("single", "double"))  # type: ignore[arg-type]
    for engine in (single, double):
        engine.begin(8)
    assert_allclose(single.iterate(5, **STEP), double.iterate(5, **STEP), rtol=1e-4)


@pytest.mark.parametrize("name", ["layered", "irregular", "tied", "many items", "eight items"])
def test_half_precision_rounds_what_single_precision_keeps(name: str) -> None:
    """From a point that has no more digits, one iteration is the same but for the rounding of s and d."""
    problem = PROBLEMS[name]()
    half, single = (NativeEngine(problem, precision=p) for p in ("half", "single"))  # type: ignore[arg-type]
    half.begin(3)
    single.compiled.set_point(*(point(half)[key] for key in "wxyg"))
    assert half.iterate(1, **STEP) == single.iterate(1, **STEP)
    kept = half.snapshot()["sd"]
    assert kept.dtype == np.uint16
    assert np.array_equal(kept.view(np.float16), single.snapshot()["sd"].astype(np.float16))


@given(arrays(np.float32, (1, 1), elements=st.floats(-70000, 70000, width=32)))
def test_half_precision_rounds_as_numpy_does(value: npt.NDArray[np.float32]) -> None:
    network = layered(1, 1)
    engine = NativeEngine(Problem(network, data(network, 1)), precision="half")
    nothing = np.zeros((1, network.n_edges))
    with np.errstate(over="ignore"):
        expected = value.astype(np.float16)
    edges = np.array([[float(value.item()), 0.0]])
    engine.compiled.set_point(edges, nothing, np.zeros((1, network.n_nodes)), np.ones((1, network.n_neurons)))
    kept = engine.snapshot()["sd"].view(np.float16).reshape(network.n_edges, 2, -1)[0, :, 0]
    assert np.array_equal(kept, np.repeat(expected, 2))


def test_an_iteration_can_be_shared_by_engines_with_different_items() -> None:
    network = layered(4, 6, 5, 3)
    whole_data = data(network, 40)
    whole = NativeEngine(Problem(network, whole_data), precision="double")
    parts = [
        NativeEngine(Problem(network, whole_data.take(items)), precision="double")
        for items in (slice(0, 23), slice(23, None))
    ]
    start = point(whole)
    for part, items in zip(parts, (slice(0, 23), slice(23, None)), strict=True):
        part.compiled.set_point(*(np.ascontiguousarray(start[key][items]) for key in "wxyg"))
    compiled = [part.compiled for part in parts]
    total = sum(engine.open() for engine in compiled)
    for engine in compiled:
        engine.concur(total, 0.0)
    for _ in range(30):
        expected = whole.iterate(1, **STEP)
        total = sum(engine.divide(STEP["beta"]) for engine in compiled)
        for engine in compiled:
            assert_allclose(engine.concur(total, STEP["gamma"]), expected[1:5], rtol=1e-9)
    assert_allclose(compiled[0].weights(), whole.weights(), atol=1e-10)


@pytest.mark.parametrize("precision", ["half", "single", "double"])
def test_degenerate_points_stay_finite_and_repeatable(precision: str) -> None:
    network = layered(3, 4, 2)
    same_items = Dataset(np.tile(signs(1, 3), (20, 1)), np.tile(signs(1, 2), (20, 1)))
    shapes = {"w": (20, network.n_edges), "x": (20, network.n_edges), "y": (20, network.n_nodes)}
    v = np.random.default_rng(0).normal(size=shapes["w"])
    zero = np.zeros(shapes["w"])
    for w, x in ((v, -v), (v, v), (zero, zero), (zero, v), (np.ones_like(v), np.ones_like(v))):
        states = []
        for _ in range(2):
            engine = NativeEngine(Problem(network, same_items), precision=precision)  # type: ignore[arg-type]
            engine.compiled.set_point(w, x, np.zeros(shapes["y"]), np.ones((20, network.n_neurons)))
            engine.iterate(50, beta=0.5, gamma=1e-2)
            states.append(engine.snapshot())
        for key, array in states[0].items():
            assert np.isfinite(array).all()
            assert np.array_equal(array, states[1][key])


def test_memory_is_at_most_ten_bytes_an_edge_and_item() -> None:
    problem = Problem(layered(32, 32, 32, 32, 32, 32), data(layered(32, 32, 32, 32, 32, 32), 512))
    assert NativeEngine(problem).nbytes <= 10 * problem.network.n_edges * 512


def test_what_is_not_a_number_never_reaches_the_engine() -> None:
    with pytest.raises(DataError, match="finite"):
        Dataset(np.full((2, 2), np.nan), signs(2, 1), InputKind.ANALOG)


def test_a_snapshot_of_another_problem_is_refused() -> None:
    one, other = NativeEngine(PROBLEMS["layered"]()), NativeEngine(PROBLEMS["deep"]())
    before = one.snapshot()
    with pytest.raises(ValueError, match="another problem or precision"):
        one.restore(other.snapshot())
    assert all(np.array_equal(array, before[key]) for key, array in one.snapshot().items())


def test_an_unknown_instruction_set_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOOLEARN_ISA", "foo")
    problem = PROBLEMS["layered"]()
    for make in (
        native_available,
        lambda: make_engine(problem),
        lambda: NativeEngine(problem),
        lambda: check_engine("native", "single"),
    ):
        with pytest.raises(ParameterError, match="'BOOLEARN_ISA' parameter must be one of .*baseline.* Got 'foo'"):
            make()
    assert isinstance(make_engine(problem, "reference"), ReferenceEngine)  # which has no use for it


def test_engines_are_checked_before_there_is_a_problem() -> None:
    check_engine("auto", "double")
    with pytest.raises(ParameterError, match="'engine' parameter .* Got 'fast'"):
        check_engine("fast", "single")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'precision' parameter .* Got 'quarter'"):
        check_engine("reference", "quarter")  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize("isa", ["baseline", "avx2", "avx512"])
def test_every_instruction_set_agrees_with_the_reference(isa: str) -> None:
    """In a process of its own, since the instruction set is chosen once; those this machine lacks are refused."""
    test = "test_a_hundred_iterations_agree_with_the_reference_in_every_variable"
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"{__file__}::{test}"]
    code = "import boolearn._native as native; print(native.isa())"
    environment = {**os.environ, "BOOLEARN_ISA": isa}
    asked = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    if asked.returncode:
        assert "BOOLEARN_ISA must be one of" in asked.stderr
        pytest.skip(f"this machine has no {isa}")
    assert asked.stdout.strip() == isa
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
