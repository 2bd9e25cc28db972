"""Training in the space of gates, end to end."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from boolearn.circuit import prove_equal
from boolearn.cli import app
from boolearn.data import Dataset, InputKind, automaton, multiplier
from boolearn.errors import DataError, ParameterError
from boolearn.model import random_model
from boolearn.network import layered
from boolearn.solver import Restarts, Status
from boolearn.solver.gates.table import table_of
from boolearn.training import train
from witness import Witness


def test_the_three_bit_multiplier_is_found_and_proved() -> None:
    table = multiplier(3)
    run = train(layered(6, 12, 12, 12, 6), table, solver="gates", seed=1, stop="fit")
    assert run.status is Status.SOLVED
    assert run.gap == 0
    assert run.train_accuracy == 1
    assert np.array_equal(run.model.predict(table.inputs), table.outputs)
    proof = prove_equal(run.circuit(), run.model)
    assert proof.equal
    table_of(run.model.network, run.model.weights)  # every neuron is a gate


def test_one_step_of_rule_30_generalises() -> None:
    """Every cell is an exclusive or, which single gates show no way to."""
    dataset = automaton(30, size=16, steps=1, items=2096, seed=3)
    run = train(layered(16, 32, 32, 16), dataset, solver="gates", items=96, seed=0, stop="fit", max_iter=20_000)
    assert run.solved
    assert run.train_accuracy == 1
    assert run.test_accuracy == 1


def test_a_small_random_circuit_is_recovered() -> None:
    circuit = random_model(10, 10, 10, 10, gates="maj", seed=2)
    run = train(circuit.network, circuit.sample(1300, seed=5), solver="gates", items=300, max_iter=20_000)
    assert run.solved
    assert run.test_accuracy == 1
    proof = prove_equal(run.model, circuit)
    assert proof.equal


def test_flipped_bits_are_found_when_noise_is_allowed() -> None:
    circuit = random_model(10, 10, 10, gates="andor", seed=3)
    clean = circuit.sample(1400, seed=1)
    flips = np.random.default_rng(0).random((400, 10)) < 0.02
    outputs = clean.outputs.copy()
    outputs[:400][flips] *= -1
    run = train(
        circuit.network, replace(clean, outputs=outputs), solver="gates", items=400, noise=0.02, max_iter=20_000
    )
    assert run.solved
    assert run.test_accuracy is not None
    assert run.test_accuracy > 0.999
    disagrees = run.model.predict(clean.inputs[:400]) != outputs[:400]
    assert (disagrees & flips).sum() >= 0.95 * flips.sum()


def test_class_labels() -> None:
    rng = np.random.default_rng(1)
    inputs = rng.integers(0, 2, (200, 6)) * 2 - 1
    labels = (inputs[:, 0] > 0) + (inputs[:, 0] > 0) * (inputs[:, 3] > 0)
    run = train(layered(6, 8, 3), Dataset.labelled(inputs, labels.astype(int), 3), solver="gates", max_iter=5000)
    assert run.solved
    assert run.train_accuracy == 1
    assert np.array_equal(run.model.predict(inputs), labels)


def test_same_seed_same_run_for_any_number_of_threads(two_bit_multiplier: Dataset) -> None:
    runs = [
        train(layered(4, 5, 5, 4), two_bit_multiplier, solver="gates", seed=5, threads=threads) for threads in (1, 2, 2)
    ]
    assert all(np.array_equal(run.model.weights, runs[0].model.weights) for run in runs)
    assert all(run.iterations == runs[0].iterations for run in runs)
    lines = [[replace(line, seconds=0) for line in run.trace] for run in runs]
    assert lines[0] == lines[1] == lines[2]


def test_refining_shortens_the_circuit_to_the_shortest_there_is(two_bit_multiplier: Dataset) -> None:
    """Exact synthesis proves that eight gates are the fewest."""
    network = layered(4, 8, 8, 4)
    sizes = []
    for options in ({"stop": "fit"}, {}):
        runs = [
            train(network, two_bit_multiplier, solver="gates", seed=seed, threads=1, **options) for seed in (1, 2, 3)
        ]
        assert all(run.solved for run in runs)
        sizes.append([len(run.circuit().gates) for run in runs])
    assert min(sizes[0]) > 8
    assert sizes[1] == [8, 8, 8]


@pytest.mark.slow
def test_a_price_makes_circuits_smaller() -> None:
    """How many of four bits are set, as a number, in a network with room to spare."""
    bits = (np.arange(16)[:, None] >> np.arange(4)) & 1
    counts = Dataset(bits, (bits.sum(axis=1)[:, None] >> np.arange(3)) & 1)
    network = layered(4, 12, 12, 12, 3)
    sizes = []
    for price in (0.0, 1.0):
        runs = [train(network, counts, solver="gates", seed=seed, price=price, threads=1) for seed in (1, 2, 3)]
        assert all(run.solved and run.settings["price"] == price for run in runs)
        sizes.append([len(run.circuit().gates) for run in runs])
    assert all(dear < free for free, dear in zip(*sizes, strict=True)), sizes
    with pytest.raises(ParameterError, match="'price' parameter must be at least 0 and below 1e6"):
        train(network, counts, solver="gates", price=-1)


def test_once_a_circuit_fits_a_search_is_solved_however_it_ends() -> None:
    """The search for a better circuit goes on long after; that it finds none is no failure."""
    circuit = random_model(6, 6, 6, gates="andor", seed=3)
    sparse = circuit.sample(25, seed=1)
    whole = train(circuit.network, sparse, solver="gates", seed=5)
    stopped = train(circuit.network, sparse, solver="gates", seed=5, stop="stagnation=3")
    short = train(circuit.network, sparse, solver="gates", seed=5, max_iter=whole.iterations - 500)
    for run in (whole, stopped, short):
        assert run.status is Status.SOLVED
        assert run.train_accuracy == 1
    assert stopped.iterations < short.iterations < whole.iterations


def impossible() -> Dataset:
    """The same input with two answers: no circuit fits."""
    return Dataset(np.ones((2, 3), np.int8), np.array([[1], [-1]]))


def test_budgets_end_a_search_that_cannot_succeed() -> None:
    run = train(layered(3, 2, 1), impossible(), solver="gates", max_iter=50)
    assert run.status is Status.BUDGET
    assert 50 <= run.iterations <= 55
    assert run.gap == 0.5
    assert train(layered(3, 2, 1), impossible(), solver="gates", max_seconds=0.1).status is Status.TIME


def test_callbacks_and_restarts() -> None:
    witness = Witness()
    run = train(
        layered(3, 2, 1),
        impossible(),
        solver="gates",
        max_iter=100,
        restarts=Restarts(3, side_by_side=False),
        callbacks=[witness],
    )
    assert [start.seed for start in run.starts] == [0, 1, 2]
    assert len(witness.outcomes) == 3
    assert witness.ticks
    assert tuple(line for ended in witness.outcomes for line in ended.trace) == tuple(witness.lines)
    assert all(a.least_gap >= b.least_gap for a, b in zip(run.trace, run.trace[1:], strict=False))


def test_what_is_no_search_for_gates_is_refused(two_bit_multiplier: Dataset) -> None:
    analog = Dataset(np.array([[0.5]]), np.array([[1]]), input_kind=InputKind.ANALOG)
    with pytest.raises(DataError, match="needs Boolean inputs"):
        train(layered(1, 1), analog, solver="gates")
    with pytest.raises(ParameterError, match="'noise' parameter must be at least 0 and below 0.5"):
        train(layered(4, 4), two_bit_multiplier, solver="gates", noise=0.5)
    with pytest.raises(ParameterError, match="'solver' parameter must be"):
        train(layered(4, 4), two_bit_multiplier, solver="magic")  # type: ignore[arg-type]


def test_from_the_command_line(tmp_path: Path) -> None:
    runner = CliRunner()
    data, out = tmp_path / "product.dat", tmp_path / "run"
    assert runner.invoke(app, ["make", "multiplier", "--bits", "2", "-o", str(data)]).exit_code == 0
    done = runner.invoke(
        app, ["train", str(data), "--layers", "4,6,6,4", "--solver", "gates", "--out", str(out), "--json"]
    )
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["status"] == "solved"
    assert report["gap"] == 0
    assert (out / "model.safetensors").exists()


def test_noise_may_be_nearly_a_half(two_bit_multiplier: Dataset) -> None:
    run = train(layered(4, 4, 4, 4), two_bit_multiplier, solver="gates", noise=0.4999999, max_iter=50, threads=1)
    assert 0 <= run.train_accuracy <= 1
