from __future__ import annotations

import math
import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_iris

import boolearn as bl
from boolearn.cores import available_cores
from boolearn.data import Dataset, InputKind, Thermometer
from boolearn.engine import Progress, ReferenceEngine
from boolearn.errors import DataError, ParameterError
from boolearn.network import from_edges, layered
from boolearn.problem import Problem
from boolearn.runs.folder import load_settings, save_run
from boolearn.solver import Callback, Outcome, Status, Tick, success_rate
from boolearn.solver.interrupt import Request
from boolearn.solver.rrr.search import RRRSearch
from boolearn.solver.starts import Budget
from boolearn.solver.starts.measure import Measure
from boolearn.solver.starts.start import Start
from boolearn.solver.trace import trace_iterations
from boolearn.training import train
from witness import Witness

# The search is chaotic, so which seed is solved when may differ between machines whose sums round
# differently. Tests that need a solution therefore try as many starts as they need.


def test_a_solved_network_reproduces_the_whole_table(two_bit_multiplier: Dataset) -> None:
    run = train(layered(4, 4, 4, 4), two_bit_multiplier, sigma=3, max_iter=5000, restarts=50)
    assert run.status is Status.SOLVED
    assert run.gap < 0.01
    assert np.array_equal(run.model.predict(two_bit_multiplier.inputs), two_bit_multiplier.outputs)
    assert run.train_accuracy == 1
    assert run.test_accuracy is None


@pytest.mark.slow
def test_about_half_of_the_starts_solve_the_two_bit_multiplier(two_bit_multiplier: Dataset) -> None:
    run = train(layered(4, 4, 4, 4), two_bit_multiplier, seed=0, max_iter=10_000, restarts=bl.Restarts(100, all=True))
    rate = success_rate(run.starts)
    assert rate.starts == 100
    assert 35 <= rate.solved <= 65
    assert np.array_equal(run.model.predict(two_bit_multiplier.inputs), two_bit_multiplier.outputs)
    assert all(start.train_accuracy == 1 for start in run.starts if start.status is Status.SOLVED)


def test_same_seed_same_run(two_bit_multiplier: Dataset) -> None:
    runs = [train(layered(4, 4, 4, 4), two_bit_multiplier, seed=5, max_iter=200) for _ in range(2)]
    assert np.array_equal(runs[0].model.weights, runs[1].model.weights)
    without_time = [[replace(line, seconds=0) for line in run.trace] for run in runs]
    assert without_time[0] == without_time[1]
    other = train(layered(4, 4, 4, 4), two_bit_multiplier, seed=6, max_iter=200)
    assert not np.array_equal(runs[0].model.weights, other.model.weights)


def test_the_trace_holds_what_was_promised(two_bit_multiplier: Dataset) -> None:
    run = train(layered(4, 4, 4, 4), two_bit_multiplier, max_iter=300, items=12, gap_tol=0)
    assert run.status is Status.BUDGET
    assert run.iterations == 300 == run.trace[-1].iteration
    iterations = [line.iteration for line in run.trace]
    assert iterations == sorted(set(iterations))
    assert all(a.least_gap >= b.least_gap for a, b in zip(run.trace, run.trace[1:], strict=False))
    assert all(line.gap >= line.least_gap > 0 for line in run.trace)
    assert all(line.test_accuracy is not None and 0 <= line.test_accuracy <= 1 for line in run.trace)
    best = max(line.train_accuracy for line in run.trace)
    train_part, _ = two_bit_multiplier.split(12)
    assert run.model.accuracy(train_part) == best


def test_trace_lines_are_exponentially_spaced() -> None:
    marks = []
    for mark in trace_iterations(10 ** (1 / 4)):
        if mark > 10_000:
            break
        marks.append(mark)
    assert marks == sorted(set(marks))
    assert marks[0] == 2
    assert any(999 <= mark <= 1002 for mark in marks)
    ratios = np.diff(np.log10(marks[-8:]))
    assert np.allclose(ratios, 0.25, atol=0.02)


def test_restarts_stop_at_the_first_solution_unless_told_otherwise() -> None:
    inputs = np.array([[a, b] for a in (-1, 1) for b in (-1, 1)])
    xor = Dataset(inputs, -inputs.prod(axis=1, keepdims=True))
    every = train(layered(2, 2, 1), xor, max_iter=400, seed=40, restarts=bl.Restarts(30, all=True))
    assert [start.seed for start in every.starts] == list(range(40, 70))
    solved = [start.seed for start in every.starts if start.status.solved]
    assert 0 < len(solved) < 30
    assert every.seed in solved
    first = train(layered(2, 2, 1), xor, max_iter=400, seed=40, restarts=30)
    assert [start.seed for start in first.starts] == list(range(40, solved[0] + 1))
    assert first.seed == solved[0]
    alone = train(layered(2, 2, 1), xor, max_iter=400, seed=solved[0])
    assert np.array_equal(first.model.weights, alone.model.weights)


def test_fit_is_a_way_to_stop(two_bit_multiplier: Dataset) -> None:
    run = train(layered(4, 4, 4, 4), two_bit_multiplier, max_iter=5000, stop="fit", restarts=50)
    assert run.status in (Status.FIT, Status.SOLVED)
    assert run.model.accuracy(two_bit_multiplier, by="items") == 1


def test_the_time_budget_is_kept(two_bit_multiplier: Dataset) -> None:
    begun = time.monotonic()
    run = train(layered(4, 4, 4, 4), two_bit_multiplier, max_seconds=0.3, gap_tol=0)
    assert run.status is Status.TIME
    assert time.monotonic() - begun < 3


def test_ctrl_c_returns_what_there_is(two_bit_multiplier: Dataset) -> None:
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    before = signal.getsignal(signal.SIGINT)
    run = train(layered(4, 4, 4, 4), two_bit_multiplier, max_seconds=60, gap_tol=0, restarts=3)
    timer.join()
    assert run.status is Status.INTERRUPTED
    assert all(start.status is Status.INTERRUPTED for start in run.starts)
    assert run.iterations > 0
    assert run.model.predict(two_bit_multiplier.inputs).shape == (16, 4)
    assert signal.getsignal(signal.SIGINT) is before


def test_callbacks_see_the_run(two_bit_multiplier: Dataset) -> None:
    recorder = Witness()
    run = train(layered(4, 4, 4, 4), two_bit_multiplier, max_iter=50, callbacks=[recorder])
    assert tuple(recorder.lines) == run.trace
    assert recorder.ticks[-1].iteration == 50
    assert len(recorder.outcomes) == recorder.closed == 1


def test_callbacks_are_closed_after_an_error(two_bit_multiplier: Dataset) -> None:
    class Faulty(Callback):
        closed = False

        def on_tick(self, tick: Tick) -> None:
            raise RuntimeError("a user's mistake")

        def close(self) -> None:
            self.closed = True

    faulty = Faulty()
    with pytest.raises(RuntimeError, match="mistake"):
        train(layered(4, 4, 4, 4), two_bit_multiplier, max_iter=50, callbacks=[faulty])
    assert faulty.closed


def test_any_wiring_can_be_trained() -> None:
    inputs = np.array([[a, b] for a in (-1, 1) for b in (-1, 1)])
    xor = Dataset(inputs, -inputs.prod(axis=1, keepdims=True))
    network = from_edges(2, 1, [(1, 3), (2, 3), (1, 4), (2, 4), (3, 4)])
    run = train(network, xor, sigma=9, seed=0, max_iter=5000, restarts=10)
    assert run.solved
    assert run.model.accuracy(xor) == 1


def test_a_decoder_finds_a_code_of_its_own_for_every_vector(rng: np.random.Generator) -> None:
    vectors = 2 * np.eye(4, dtype=np.int8) - 1
    run = train(layered(2, 4, 4), Dataset.generative(vectors, InputKind.ANY_CODE), sigma=5, gamma=1e-4, restarts=10)
    assert run.solved
    assert run.codes is not None
    assert len(np.unique(run.codes, axis=0)) == 4
    assert np.array_equal(run.model.predict(run.codes), vectors)
    assert run.test_accuracy is None


def test_a_solved_generator_reproduces_every_item() -> None:
    """A closed gap alone does not say so: a free input may still be between its two values."""
    vectors = np.random.default_rng(1).choice(np.array([-1, 1], np.int8), (7, 8))
    data = Dataset.generative(vectors, InputKind.ANY_CODE)
    run = train(layered(3, 8, 8), data, sigma=5, gamma=1e-4, restarts=bl.Restarts(12, all=True), max_iter=20_000)
    assert any(start.status is Status.SOLVED for start in run.starts)
    assert all(start.train_accuracy == 1 for start in run.starts if start.status is Status.SOLVED)


def test_classes_and_analog_inputs(rng: np.random.Generator) -> None:
    centres = np.array([[0.8, -0.8, 0.1], [-0.8, 0.8, 0.1], [-0.5, -0.5, 0.9]])
    labels = rng.integers(0, 3, 60)
    inputs = np.clip(centres[labels] + 0.1 * rng.normal(size=(60, 3)), -1, 1)
    dataset = Dataset.labelled(inputs, labels)
    run = train(layered(3, 3), dataset, sigma=1, beta=0.05, gamma=0, max_iter=500, items=40)
    assert run.train_accuracy == 1
    assert run.test_accuracy == 1
    assert np.array_equal(run.model.predict(inputs), labels)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("beta", [0, 2, -0.1, float("nan")]),
        ("gamma", [-1e-3, 1, float("nan")]),
        ("gap_tol", [-1, float("nan"), float("inf")]),
        ("max_iter", [0, -5, 1.5]),
        ("max_seconds", [0, -1, float("inf")]),
        ("seed", [-1, 0.5, True]),
        ("restarts", [0, 1.5]),
        ("items", [0, 17, 3.5]),
        ("sigma", [0.9, [3, 3]]),
        ("stop", ["never"]),
        ("trace_ratio", [1, float("inf")]),
        ("engine", ["quick"]),
        ("precision", ["quarter"]),
        ("price", [-1, float("nan"), 1e6]),
    ],
)
def test_bad_values_are_refused_by_name(two_bit_multiplier: Dataset, name: str, values: list[object]) -> None:
    solver = {"solver": "gates"} if name == "price" else {}
    for value in values:
        with pytest.raises(ParameterError, match=f"'{name}' parameter must be"):
            train(layered(4, 4, 4, 4), two_bit_multiplier, **({name: value} | solver))  # type: ignore[arg-type]


def test_data_must_fit_the_network(two_bit_multiplier: Dataset) -> None:
    with pytest.raises(DataError, match="has 5 inputs, the data 4; they must be the same"):
        train(layered(5, 4), two_bit_multiplier)
    with pytest.raises(DataError, match="has 3 outputs, the data 4; they must be the same"):
        train(layered(4, 3), two_bit_multiplier)


def test_a_run_that_diverges_says_so_and_returns(two_bit_multiplier: Dataset) -> None:
    class Diverging(ReferenceEngine):
        def iterate(self, n: int, *, beta: float, gamma: float, stop_below: float = 0.0) -> Progress:
            self._weights = np.full_like(self._weights, np.nan)
            return Progress(n, math.nan, math.nan, math.nan, math.nan, math.nan)

    problem = Problem(layered(4, 4), two_bit_multiplier)
    search = RRRSearch(problem, Diverging(problem))
    start = Start(search, Measure(problem.network, two_bit_multiplier, None), seed=0)
    start.begin()
    assert start.run(Budget(max_iter=100), Callback(), lambda: Request.NONE) is Status.DIVERGED
    assert np.isfinite(start.outcome().model.weights).all()


def test_a_run_reports_the_model_it_returns(two_bit_multiplier: Dataset) -> None:
    """Too narrow to be solved: accuracies go up and down, and the best seen is what counts."""
    for seed in range(5):
        run = train(layered(4, 2, 4), two_bit_multiplier, max_iter=300, items=12, seed=seed)
        train_part, test_part = two_bit_multiplier.split(12)
        assert test_part is not None
        assert run.train_accuracy == run.model.accuracy(train_part) == max(c.train_accuracy for c in run.trace)
        assert run.test_accuracy == run.model.accuracy(test_part)
    several = train(layered(4, 2, 4), two_bit_multiplier, max_iter=300, restarts=5)
    assert several.train_accuracy == max(start.train_accuracy for start in several.starts)


def test_numpy_numbers_are_numbers(two_bit_multiplier: Dataset, tmp_path: Path) -> None:
    run = train(
        layered(4, 4, 4, 4),
        two_bit_multiplier,
        seed=np.int64(1),  # type: ignore[arg-type]
        beta=np.float32(0.2),  # type: ignore[arg-type]
        sigma=np.int64(3),
        max_iter=np.int32(5),  # type: ignore[arg-type]
    )
    save_run(run, tmp_path / "run")
    assert load_settings(tmp_path / "run")["seed"] == 1


@pytest.mark.parametrize(("name", "value"), [("threads", 0), ("threads", -1), ("threads", 2000), ("beta", "0.2")])
def test_bad_values_are_refused_whatever_the_number_of_starts(
    two_bit_multiplier: Dataset, name: str, value: object
) -> None:
    for restarts in (1, 4):
        with pytest.raises(ParameterError, match=f"'{name}' parameter must be"):
            train(layered(4, 4), two_bit_multiplier, restarts=restarts, **{name: value})  # type: ignore[arg-type]


def test_a_failing_callback_ends_all_starts_and_is_told_each_run_once(two_bit_multiplier: Dataset) -> None:
    class Fails(Callback):
        def __init__(self) -> None:
            self.seeds: list[int] = []

        def on_start_end(self, outcome: Outcome) -> None:
            self.seeds.append(outcome.seed)
            raise RuntimeError("disk full")

    callback = Fails()
    begun = time.monotonic()
    with pytest.raises(RuntimeError, match="disk full"):
        train(layered(4, 4, 4, 4), two_bit_multiplier, gap_tol=0, max_iter=2000, restarts=10_000, callbacks=[callback])
    assert time.monotonic() - begun < 20
    assert len(callback.seeds) == len(set(callback.seeds)) <= available_cores()


def test_mislabelled_irises_are_found_with_classes_as_with_bits() -> None:
    iris = load_iris(as_frame=True)
    species = iris.target_names[iris.target].astype(object)
    rng = np.random.default_rng(0)
    wrong = rng.choice(150, 5, replace=False)
    for item in wrong:
        species[item] = rng.choice([name for name in iris.target_names if name != species[item]])
    tests = Thermometer.fit(iris.data, bits=6)
    labelled = tests.dataset(iris.data, species)
    one_hot = Dataset(labelled.inputs, labelled.targets)
    for data, noise in ((labelled, 0.06), (one_hot, 0.06 * 2 / 3)):  # a wrong label is two wrong bits of three
        run = train([tests.n_bits, 8, 3], data, noise=noise, stop="fit", max_iter=5000, restarts=5)
        assert run.solved
        doubted = np.asarray(run.doubted().any(axis=1))
        assert doubted[wrong].all()
        assert doubted.sum() <= 18  # a doubted item may have one wrong bit only
    assert run.doubted().shape == (150, 3)
    gates = train([tests.n_bits, 8, 3], labelled, solver="gates", noise=0.06, max_iter=200)
    assert gates.solved
    assert gates.doubted().shape == (150, 1)
    assert gates.doubted()[wrong].all()
