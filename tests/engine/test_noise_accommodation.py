"""Engines that may hold some bits flipped: both do the same, within the allowance, and name the corrupted ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.testing import assert_allclose

from boolearn.data import Dataset
from boolearn.engine import ReferenceEngine, native_available
from boolearn.network import Network, layered
from boolearn.problem import Problem
from boolearn.problem.noise import choose_flips

if not native_available():
    pytest.skip("the compiled engine was not built", allow_module_level=True)

from problems import PROBLEMS, STEP, data, point, shared_rows, signs

from boolearn.engine.native import NativeEngine


def classes(network: Network, items: int) -> Dataset:
    """Random inputs with random classes, of which no small network can get all right."""
    labels = np.random.default_rng(3).integers(0, network.n_outputs, items)
    return Dataset(signs(items, network.n_inputs, seed=4), labels, classes=network.n_outputs)


NOISY: dict[str, Problem] = {
    "outputs": replace(PROBLEMS["layered"](), noise=0.1),
    "inputs": replace(PROBLEMS["layered"](), input_noise=0.1),
    "both": Problem(layered(5, 6, 3), data(layered(5, 6, 3), 50), noise=0.05, input_noise=0.2),
    "tied": Problem(shared_rows(), data(shared_rows(), 30), noise=0.2, input_noise=0.05),
    "nearly half": Problem(layered(4, 4, 4), data(layered(4, 4, 4), 33), noise=0.49, input_noise=0.49),
    "many items": replace(PROBLEMS["many items"](), noise=0.03, input_noise=0.01),
    "analog": replace(PROBLEMS["analog"](), noise=0.1),
    "classes": Problem(layered(5, 6, 4), classes(layered(5, 6, 4), 45), noise=0.2),
    "two classes": Problem(layered(5, 6, 2), classes(layered(5, 6, 2), 19), noise=0.1, input_noise=0.1),
    "any code": replace(PROBLEMS["any code"](), noise=0.1),
}


@pytest.mark.parametrize("name", NOISY)
def test_a_hundred_iterations_agree_and_so_does_every_flip(name: str) -> None:
    problem = NOISY[name]
    reference, native = ReferenceEngine(problem), NativeEngine(problem, precision="double")
    for engine in (reference, native):
        engine.begin(11)
    seen = 0
    for turn in range(100):
        if turn == 50:
            inputs = signs(7, problem.network.n_inputs, seed=1)
            targets = signs(7, problem.network.n_outputs, seed=2)
            if problem.dataset.classes:
                targets = problem.targets[7:14]
            for engine in (reference, native):
                engine.replace(10, inputs, targets)
        expected, found = reference.iterate(1, **STEP), native.iterate(1, **STEP)
        assert_allclose(found, expected, rtol=1e-9, atol=1e-9)
        flips = reference.flipped()
        for mine, theirs, allowed in zip(
            native.flipped(), flips, (problem.output_flips, problem.input_flips), strict=True
        ):
            assert mine.dtype == np.bool_
            assert np.array_equal(mine, theirs)
            assert mine.sum() <= allowed * (2 if problem.dataset.classes else 1)
        seen += int(flips[0].sum() + flips[1].sum())
    assert seen > 0
    found_point = point(native)
    for key, array in reference.snapshot().items():
        if key in found_point:
            assert_allclose(found_point[key], array, atol=1e-9, err_msg=key)
    assert np.array_equal(native.input_values(), reference.input_values())


def test_what_is_flipped_is_what_the_projections_were_handed() -> None:
    """The reflected y at outputs, y itself at inputs."""
    problem = NOISY["both"]
    network, engine = problem.network, ReferenceEngine(problem)
    engine.iterate(20, **STEP)
    for _ in range(10):
        z = engine.point
        inputs = choose_flips(z.y[:, 1 : network.first_neuron], problem.dataset.inputs, problem.input_flips)
        reflected = 2 * engine.project_divide(z).y - z.y
        outputs = choose_flips(reflected[:, network.first_output :], problem.targets, problem.output_flips)
        engine.iterate(1, **STEP)
        assert np.array_equal(engine.flipped()[0], outputs)
        assert np.array_equal(engine.flipped()[1], inputs)
        assert np.array_equal(engine.input_values(), problem.dataset.inputs * np.where(inputs, -1, 1))
        assert outputs.any()
        assert inputs.any()


@pytest.mark.parametrize("precision", ["single", "double"])
def test_threads_pieces_and_snapshots_do_not_change_a_bit(precision: str) -> None:
    problem = NOISY["both"]
    results = []
    for threads in (1, 2, 3):
        engine = NativeEngine(problem, precision=precision, threads=threads)  # type: ignore[arg-type]
        engine.iterate(25, **STEP)
        resumed = NativeEngine(problem, precision=precision)  # type: ignore[arg-type]
        resumed.restore(engine.snapshot())
        assert all(np.array_equal(a, b) for a, b in zip(resumed.flipped(), engine.flipped(), strict=True))
        for one in (engine, resumed):
            one.iterate(25, **STEP)
            results.append(one.snapshot())
    for state in results[1:]:
        assert all(np.array_equal(array, results[0][key]) for key, array in state.items())


def test_without_noise_nothing_is_flipped() -> None:
    problem = PROBLEMS["layered"]()
    for engine in (ReferenceEngine(problem), NativeEngine(problem)):
        engine.iterate(30, **STEP)
        outputs, inputs = engine.flipped()
        assert outputs.shape == (37, 3)
        assert inputs.shape == (37, 4)
        assert not outputs.any()
        assert not inputs.any()


def solve(problem: Problem, seed: int) -> tuple[float, NativeEngine]:
    """Up to 6000 iterations; every 500 all items begin anew with a forward pass."""
    engine = NativeEngine(problem)
    engine.begin(seed)
    for _ in range(12):
        gap = engine.iterate(500, beta=0.3, gamma=1e-3, stop_below=0.01).gap
        if gap < 0.01:
            break
        engine.replace(0, problem.dataset.inputs, problem.targets)
    return gap, engine


@pytest.mark.parametrize("seed", range(3))
def test_a_corrupted_bit_is_found_out(seed: int) -> None:
    """The parity of two of four bits, every item four times; one of the 64 answers is wrong."""
    table = np.array([[(k >> b & 1) * 2 - 1 for b in range(4)] for k in range(16)] * 4, np.int8)
    answers = -table[:, :1] * table[:, 1:2]
    answers[21] *= -1
    problem = Problem(layered(4, 4, 1), Dataset(table, answers), noise=2 / 64)
    assert solve(replace(problem, noise=0), seed)[0] > 0.01
    gap, engine = solve(problem, seed)
    assert gap < 0.01
    assert np.flatnonzero(engine.flipped()[0]).tolist() == [21]
