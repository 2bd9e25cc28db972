"""Training, extraction and proofs where output bits are open: only what is specified is learned and counted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import boolearn as bl
from boolearn.baselines import Specification, smallest_circuit
from boolearn.circuit import agreement
from boolearn.data import seven_segments
from boolearn.errors import BoolearnError, DataError


def specified_right(model: bl.BoolNet, data: bl.Dataset) -> npt.NDArray[np.bool_]:
    return np.asarray((model.predict(data.inputs) == data.targets)[data.targets != 0])


@pytest.mark.parametrize("solver", ["gates", "rrr"])
def test_open_bits_are_free_and_the_others_are_learned(solver: str) -> None:
    data = seven_segments()
    widths = [4, 12, 12, 7] if solver == "gates" else [4, 24, 24, 7]
    run = bl.train(widths, data, solver=solver, seed=1, max_iter=20_000, stop="fit")
    assert run.train_accuracy == 1.0
    assert specified_right(run.model, data).all()
    assert run.proved
    assert not run.doubted().any()
    circuit = run.circuit()
    assert circuit.prove_equal(data)
    found = agreement(circuit, data)
    assert (found.right_items, found.items, found.right_bits, found.bits) == (10, 10, 70, 70)
    # What was open comes out one way or the other, and a table that asks for the opposite there is not fitted.
    asked = replace(data, outputs=np.where(data.targets == 0, -run.model.predict(data.inputs), data.targets), open=None)
    assert not circuit.prove_equal(asked)
    assert run.model.accuracy(asked) < 1


def test_rrr_with_open_bits_solves_what_contradicts_without_them() -> None:
    """Two answers to the same inputs cannot both be right; where one of them is open they can."""
    inputs = np.repeat((np.arange(4)[:, None] >> np.arange(2)) & 1, 2, axis=0)
    outputs = np.tile([[0], [1]], (4, 1))
    assert bl.Dataset(inputs, outputs).contradictions.wrong_bits == 4
    data = bl.Dataset(inputs, outputs, open=np.array([[k % 2 == 0] for k in range(8)]))
    assert not data.contradictions.items
    run = bl.train([2, 2, 1], data, solver="rrr", max_iter=5000)
    assert run.solved
    assert run.model.predict(inputs).min() == 1


def test_batches_and_noise_count_specified_bits_only() -> None:
    rng = np.random.default_rng(5)
    inputs = rng.integers(0, 2, (300, 6))
    truth = np.stack([inputs[:, 0] & inputs[:, 1], inputs[:, 2] | inputs[:, 3]], axis=1)
    mask = rng.random(truth.shape) < 0.5
    wrong = np.where(mask, 1 - truth, truth)  # what is open would be all wrong
    data = bl.Dataset(inputs, wrong, open=mask)
    run = bl.train([6, 4, 2], data, solver="rrr", batch=bl.Batch(50), max_iter=20_000)
    assert run.solved
    assert specified_right(run.model, data).all()
    problem = bl.Problem(run.model.network, data, noise=0.1)
    assert problem.output_flips == int(0.1 * data.specified_bits)
    flipped = data.outputs.copy()
    spoiled = np.argwhere(~mask)[:12]
    flipped[tuple(spoiled.T)] *= -1
    noisy = bl.train([6, 4, 2], bl.Dataset(inputs, flipped, open=mask), solver="gates", noise=0.05, seed=3)
    assert noisy.solved
    assert {tuple(place) for place in np.argwhere(noisy.doubted()).tolist()} == {tuple(p) for p in spoiled.tolist()}


def test_runs_with_other_open_bits_are_not_resumed(tmp_path: Path) -> None:
    data = seven_segments()
    folder = bl.Checkpoints(tmp_path / "run", resume=True)
    settings = {"solver": "rrr", "max_iter": 20, "checkpoint": folder}
    first = bl.train([4, 6, 7], data, **settings)  # type: ignore[arg-type]
    again = bl.train([4, 6, 7], data, **(settings | {"max_iter": 40}))  # type: ignore[arg-type]
    once = bl.train([4, 6, 7], data, solver="rrr", max_iter=40)
    assert again.iterations > first.iterations
    assert np.array_equal(again.model.weights, once.model.weights)
    other = replace(data, outputs=np.where(data.targets == 0, 1, data.targets), open=None)
    with pytest.raises(BoolearnError, match="'data'"):
        bl.train([4, 6, 7], other, **settings)  # type: ignore[arg-type]


def test_an_output_without_any_specified_bit_is_refused() -> None:
    data = seven_segments()
    mask = data.open | (np.arange(7) == 2)
    named = replace(data, open=mask)
    for call in (bl.train, bl.tune):
        with pytest.raises(DataError, match=r"output 3 \('c'\) open for all"):
            call([4, 8, 7], named)  # type: ignore[operator]
    with pytest.raises(DataError, match="must specify an output bit"):
        bl.random_model(4, 4, 7, seed=0).accuracy(data.take(slice(10, None)))


def test_extraction_uses_the_freedom_that_open_bits_give() -> None:
    """A neuron that is x0 where it is specified, and something else elsewhere, is read as x0."""
    inputs = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    model = bl.BoolNet(bl.layered(2, 1), np.array([-1.0, 1.0, 1.0]))  # x0 or x1
    data = bl.Dataset(inputs, [[0], [0], [1], [1]], open=[[False], [True], [False], [False]])
    circuit = bl.extract(model, data)
    assert circuit.formulas() == {"y0": "x0"}
    assert circuit.prove_equal(data)
    assert len(bl.extract(model, inputs).gates) == 1


def test_exact_synthesis_takes_open_bits_as_free() -> None:
    full, free = [[0], [1], [1], [0]], [[0], [1], [1], [np.nan]]
    inputs = [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert smallest_circuit(bl.Dataset(inputs, full)).gates == 3
    assert smallest_circuit(bl.Dataset(inputs, free)).gates == 1
    # Two items may share what they say.
    shared = Specification.from_dataset(bl.Dataset([[0, 1], [0, 1], [1, 1]], [[0, np.nan], [np.nan, 1], [1, 1]]))
    assert shared.outputs.tolist() == [[-1, 1], [1, 1]]
    with pytest.raises(DataError, match="two answers"):
        Specification.from_dataset(bl.Dataset([[0, 1], [0, 1]], [[0, np.nan], [1, 1]]))
