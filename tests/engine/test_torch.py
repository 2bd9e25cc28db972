"""The torch engine follows the reference step by step, whatever the inputs, weights and noise."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from boolearn.engine import Engine, ReferenceEngine, check_engine, make_engine, native_available
from boolearn.errors import ParameterError
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.solver import RRR
from boolearn.training import train

if importlib.util.find_spec("torch") is None or not native_available():
    pytest.skip("the extra 'gradient' is not installed, or the engine not compiled", allow_module_level=True)

import torch
from problems import PROBLEMS, STEP, data

NOISY = {
    "wrong outputs": lambda: Problem(layered(6, 8, 4), data(layered(6, 8, 4), 60), noise=0.1),
    "wrong classes": lambda: replace(PROBLEMS["classes"](), noise=0.2),
    "wrong inputs": lambda: Problem(layered(6, 8, 4), data(layered(6, 8, 4), 60), noise=0.05, input_noise=0.05),
}
EVERY: dict[str, Callable[[], Problem]] = {**PROBLEMS, **NOISY}


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Several threads are no help with tensors so small, and none at all where tests run side by side."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def of(problem: Problem, name: str) -> Engine:
    return make_engine(problem, name, precision="double")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", EVERY)
def test_every_step_agrees_with_the_reference_in_every_variable(name: str) -> None:
    reference, tested = (of(EVERY[name](), engine) for engine in ("reference", "torch"))
    for engine in (reference, tested):
        engine.begin(11)
    for _ in range(25):
        assert_allclose(tested.iterate(1, **STEP), reference.iterate(1, **STEP), rtol=1e-9, atol=1e-9)
        expected, found = reference.snapshot(), tested.snapshot()
        assert expected.keys() == found.keys()
        for key, array in expected.items():
            assert_allclose(found[key], array, atol=1e-9, err_msg=key)


@pytest.mark.parametrize("name", ["layered", "analog", "any code", "tied", "wrong outputs"])
def test_items_that_are_replaced_agree_with_the_reference(name: str) -> None:
    problem = EVERY[name]()
    new = problem.dataset.take(slice(0, 7))
    engines = [of(problem, engine) for engine in ("reference", "torch")]
    for engine in engines:
        engine.begin(3)
        engine.iterate(5, **STEP)
        inputs = np.where(engine.input_values()[:7] < 0, -1, 1) if problem.dataset.input_kind.free else new.inputs
        engine.replace(9, inputs, new.targets)
        engine.iterate(10, **STEP)
    assert_allclose(engines[1].weights(), engines[0].weights(), atol=1e-9)
    assert_allclose(engines[1].input_values(), engines[0].input_values(), atol=1e-9)


def test_a_state_of_the_reference_engine_continues_on_torch() -> None:
    problem = PROBLEMS["irregular"]()
    reference, tested = of(problem, "reference"), of(problem, "torch")
    reference.iterate(20, **STEP)
    tested.restore(reference.snapshot())
    assert isinstance(reference, ReferenceEngine)
    assert_allclose(tested.iterate(5, **STEP), reference.iterate(5, **STEP), rtol=1e-9)


def test_it_learns_in_single_precision() -> None:
    inputs = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]])
    xor = (inputs, -inputs[:, :1] * inputs[:, 1:])
    run = train([2, 2, 1], xor, solver=RRR(engine="torch", beta=0.5), seed=1, max_iter=1000)
    assert run.solved
    assert run.train_accuracy == 1
    assert run.settings["engine"] == "torch"


def test_half_precision_is_refused() -> None:
    with pytest.raises(ParameterError, match="'precision' parameter must be 'single' or 'double' for the torch engine"):
        check_engine("torch", "half")


def test_a_bound_on_the_support_is_the_same_where_weights_are_equal() -> None:
    from boolearn.engine.torch_sets import narrowed as on_tensors
    from boolearn.problem.support import narrowed

    rng = np.random.default_rng(5)
    for digits in (0, 1, 12):
        rows = np.round(rng.normal(size=(300, 12)), digits)
        for support in (1.0, 2.0, 3.3, 30.0):
            expected = np.array([narrowed(row, support) for row in rows])
            assert_allclose(on_tensors(torch.tensor(rows), support).numpy(), expected, atol=1e-9)
