"""Items replaced in place: the new ones start from a forward pass, the others notice nothing."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from boolearn.data import Dataset, InputKind
from boolearn.engine import Engine, ReferenceEngine, native_available
from boolearn.errors import DataError, ParameterError
from boolearn.model import BoolNet
from boolearn.network import layered
from boolearn.problem import Problem

if not native_available():
    pytest.skip("the compiled engine was not built", allow_module_level=True)

from problems import PROBLEMS, STEP, data, point, signs

from boolearn.engine.native import NativeEngine


def new_data(problem: Problem, items: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Inputs (or codes) and targets of the problem's kind."""
    rng = np.random.default_rng(seed)
    network, kind = problem.network, problem.dataset.input_kind
    inputs = signs(items, network.n_inputs, seed=seed)
    if kind is InputKind.ANALOG:
        inputs = rng.uniform(-1, 1, inputs.shape)
    if kind is InputKind.ONE_HOT_CODE:
        inputs = np.full(inputs.shape, np.int8(-1))
        inputs[np.arange(items), rng.integers(0, network.n_inputs, items)] = 1
    return inputs, signs(items, network.n_outputs, seed=seed + 1)


def replacements(problem: Problem) -> list[tuple[int, int]]:
    """(first, items): a part, all, the last one, none, a part across groups."""
    n = problem.n_items
    return [(n // 3, max(1, n // 2)), (0, n), (n - 1, 1), (0, 0), (n // 5, n - n // 5)]


def run_with_replacements(engine: Engine) -> list[float]:
    """A hundred iterations, items replaced before the first and after every twenty-fifth."""
    engine.begin(11)
    gaps = []
    for turn, (first, items) in enumerate(replacements(engine.problem)):  # type: ignore[attr-defined]
        engine.replace(first, *new_data(engine.problem, items, 100 + turn))  # type: ignore[attr-defined]
        gaps += [engine.iterate(1, **STEP).gap for _ in range(20)]
    return gaps


# A neuron with one input starts at w = ±x, where the nearest point of A is not unique.
@pytest.mark.parametrize("name", [name for name in PROBLEMS if name != "fan-in 1"])
def test_native_follows_the_reference_through_replacements(name: str) -> None:
    problem = PROBLEMS[name]()
    reference, native = ReferenceEngine(problem), NativeEngine(problem, precision="double")
    assert_allclose(native.weights(), reference.weights(), atol=1e-9)
    assert_allclose(run_with_replacements(native), run_with_replacements(reference), rtol=1e-9, atol=1e-9)
    found = point(native)
    for key, array in reference.snapshot().items():
        if key in found:
            assert_allclose(found[key], array, atol=1e-9, err_msg=key)
    assert_allclose(native.weights(), reference.weights(), atol=1e-9)
    assert np.array_equal(native.input_values(), reference.input_values())


@pytest.mark.parametrize("iterations", [0, 13])
@pytest.mark.parametrize("name", ["layered", "irregular", "tied", "analog", "any code", "one-hot code", "one item"])
def test_new_items_hold_a_forward_pass_and_the_others_what_they_had(name: str, iterations: int) -> None:
    problem = PROBLEMS[name]()
    network = problem.network
    for engine in (ReferenceEngine(problem), NativeEngine(problem, precision="double")):
        engine.begin(3)
        if iterations:
            engine.iterate(iterations, **STEP)
        at = point(engine) if isinstance(engine, NativeEngine) else engine.snapshot()
        first, items = replacements(problem)[0]
        inputs, targets = new_data(problem, items, 7)
        weights, codes = engine.weights(), engine.input_values()
        engine.replace(first, inputs, targets)
        found = point(engine) if isinstance(engine, NativeEngine) else engine.snapshot()

        new = np.arange(first, first + items)
        others = np.setdiff1d(np.arange(problem.n_items), new)
        y = BoolNet(network, weights, problem.dataset.input_kind).node_values(inputs)
        assert np.array_equal(found["y"][new], y)
        assert_allclose(found["x"][new], y[:, network.sender], atol=1e-15)
        assert_allclose(found["w"][new], np.tile(weights[network.tie], (items, 1)), atol=1e-15)
        assert_allclose(found["g"][new], 1, atol=1e-15)
        assert np.array_equal(engine.weights(), weights)
        assert np.array_equal(engine.input_values()[new], inputs)
        for key in "wxyg":
            assert np.array_equal(found[key][others], at[key][others])
        assert np.array_equal(engine.input_values()[others], codes[others])


def test_after_replacing_all_items_the_run_is_that_of_an_engine_set_to_the_point() -> None:
    network = layered(4, 6, 5, 3)
    problem = Problem(network, data(network, 37))
    engine = NativeEngine(problem, precision="double")
    engine.iterate(40, **STEP)
    inputs, targets = new_data(problem, 37, 5)
    engine.replace(0, inputs, targets)
    fresh = NativeEngine(Problem(network, Dataset(inputs, targets)), precision="double")
    fresh.compiled.set_point(*(point(engine)[key] for key in "wxyg"))
    for _ in range(60):
        assert_allclose(engine.iterate(1, **STEP), fresh.iterate(1, **STEP), rtol=1e-9)


@pytest.mark.parametrize("precision", ["half", "single", "double"])
@pytest.mark.parametrize("name", ["layered", "tied", "one-hot code", "many items", "fan-in 1"])
def test_threads_and_precision(name: str, precision: str) -> None:
    """Not a bit depends on the number of threads, and padding stays out of every sum."""
    results = []
    for threads in (1, 2, 3):
        engine = NativeEngine(PROBLEMS[name](), precision=precision, threads=threads)  # type: ignore[arg-type]
        results.append((run_with_replacements(engine), engine.snapshot()))
        assert all(np.isfinite(array).all() for array in engine.snapshot().values())
    for gaps, state in results[1:]:
        assert gaps == results[0][0]
        assert all(np.array_equal(array, results[0][1][key]) for key, array in state.items())


@pytest.mark.parametrize("engine_kind", ["reference", "single", "double"])
@pytest.mark.parametrize("name", ["layered", "analog", "any code", "many items"])
def test_a_snapshot_after_replacing_continues_bit_for_bit(name: str, engine_kind: str) -> None:
    problem = PROBLEMS[name]()
    make = (
        (lambda: ReferenceEngine(problem))
        if engine_kind == "reference"
        else lambda: NativeEngine(problem, precision=engine_kind)  # type: ignore[arg-type]
    )
    engine, resumed, resumed_before = make(), make(), make()
    engine.iterate(10, **STEP)
    resumed_before.restore(engine.snapshot())
    first, items = replacements(problem)[0]
    for one in (engine, resumed_before):
        one.replace(first, *new_data(problem, items, 9))
    resumed.restore(engine.snapshot())
    engine.iterate(15, **STEP)
    for other in (resumed, resumed_before):
        other.iterate(15, **STEP)
        for key, array in engine.snapshot().items():
            assert np.array_equal(array, other.snapshot()[key]), key


def test_begin_brings_the_problems_own_data_back() -> None:
    problem = PROBLEMS["layered"]()
    for engine in (ReferenceEngine(problem), NativeEngine(problem)):
        engine.begin(4)
        expected = engine.iterate(10, **STEP)
        engine.replace(3, *new_data(problem, 20, 1))
        engine.iterate(3, **STEP)
        engine.begin(4)
        assert engine.iterate(10, **STEP) == expected


def test_engines_that_share_an_iteration_replace_items_too() -> None:
    network = layered(4, 6, 5, 3)
    whole_data = data(network, 40)
    problem = Problem(network, whole_data)
    parts = (slice(0, 23), slice(23, 40))
    whole = NativeEngine(problem, precision="double")
    split = [NativeEngine(Problem(network, whole_data.take(items)), precision="double").compiled for items in parts]
    start = point(whole)
    for engine, items in zip(split, parts, strict=True):
        engine.set_point(*(np.ascontiguousarray(start[key][items]) for key in "wxyg"))
    total = sum(engine.open() for engine in split)
    for engine in split:
        engine.concur(total, 0.0)
    for turn in range(30):
        if turn % 7 == 3:
            inputs, targets = new_data(problem, 5, turn)
            whole.replace(turn, inputs, targets)
            inside, nothing = (split[0], split[1]) if turn < 18 else (split[1], split[0])
            total = inside.replace(turn if turn < 18 else turn - 23, inputs, targets)
            total = total + nothing.replace(0, inputs[:0], targets[:0])
            for engine in split:
                engine.concur(total, STEP["gamma"])
        expected = whole.iterate(1, **STEP)
        total = sum(engine.divide(STEP["beta"]) for engine in split)
        for engine in split:
            assert_allclose(engine.concur(total, STEP["gamma"]), expected[1:5], rtol=1e-9)
    split[0].divide(0.1)
    with pytest.raises(RuntimeError, match="must not come between"):
        split[0].replace(0, *new_data(problem, 1, 0))


def test_data_that_do_not_fit_are_refused_and_change_nothing() -> None:
    problem = PROBLEMS["layered"]()
    inputs, targets = new_data(problem, 3, 0)
    for engine in (ReferenceEngine(problem), NativeEngine(problem)):
        before = engine.snapshot()
        with pytest.raises(ParameterError, match="'first' parameter must be an integer from 0 to 34"):
            engine.replace(35, inputs, targets)
        with pytest.raises(ParameterError, match="'first'"):
            engine.replace(-1, inputs, targets)
        with pytest.raises(DataError, match=r"inputs must have shape \(items, 4\). Got \(3, 3\)"):
            engine.replace(0, inputs[:, :3], targets)
        with pytest.raises(DataError, match=r"targets must have shape \(items, 3\). Got \(3, 2\)"):
            engine.replace(0, inputs, targets[:, :2])
        with pytest.raises(DataError, match="equally many items. Got 3 and 2"):
            engine.replace(0, inputs, targets[:2])
        with pytest.raises(DataError, match="at most 37 items. Got 40"):
            engine.replace(0, *new_data(problem, 40, 0))
        with pytest.raises(DataError, match="targets must be Boolean"):
            engine.replace(0, inputs, targets * 2)
        assert all(np.array_equal(array, before[key]) for key, array in engine.snapshot().items())
    with pytest.raises(DataError, match=r"one-hot code must have one \+1 per item"):
        ReferenceEngine(PROBLEMS["one-hot code"]()).replace(0, np.ones((1, 5), np.int8), np.ones((1, 6), np.int8))
    with pytest.raises(DataError, match="analog inputs must be finite"):
        ReferenceEngine(PROBLEMS["analog"]()).replace(0, np.full((1, 7), np.nan), np.ones((1, 3), np.int8))
