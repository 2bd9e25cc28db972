"""Batch mode: which items are in when, and that nothing else is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boolearn as bl
from boolearn.data import Dataset, InputKind
from boolearn.engine import ReferenceEngine, make_engine
from boolearn.errors import ParameterError
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.solver import Status
from boolearn.solver.rrr.batches import Batches
from boolearn.solver.rrr.search import RRRSearch
from boolearn.training import train

RULES = ("whole", "oldest")


@pytest.fixture
def table(rng: np.random.Generator) -> Dataset:
    return Dataset(rng.integers(0, 2, (11, 5)), rng.integers(0, 2, (11, 2)))


@given(st.integers(1, 9), st.integers(1, 30), st.sampled_from(RULES), st.integers(0, 200))
def test_every_item_stays_as_long(size: int, iterations: int, rule: Any, time: int) -> None:
    batches = Batches(Dataset(np.ones((9, 1)), np.ones((9, 1))), size, iterations, rule)
    entered = batches.entered(time)
    change = batches.next_change(time)
    assert change > time
    assert batches.entered(change) > entered == batches.entered(change - 1)
    # An item that comes in at some time is out again when a whole batch has come in after it.
    assert batches.entered(time + iterations) == entered + size
    if rule == "oldest" and iterations >= size:
        assert batches.entered(change) == entered + 1


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize(("size", "iterations"), [(4, 8), (4, 3), (11, 5), (1, 2), (3, 7)])
def test_the_engine_holds_the_items_whose_turn_it_is(table: Dataset, rule: Any, size: int, iterations: int) -> None:
    batches = Batches(table, size, iterations, rule)
    problem = Problem(layered(5, 4, 2), table.take(slice(0, size)))
    engine = ReferenceEngine(problem)
    search = RRRSearch(problem, engine, gap_tol=0, batches=batches)
    search.begin(3)
    for time in range(1, 40):
        search.advance(1)
        first = size * (time // iterations) if rule == "whole" else time * size // iterations
        inside = {ordinal % size: ordinal % len(table) for ordinal in range(first, first + size)}
        items = [inside[slot] for slot in range(size)]
        assert np.array_equal(engine.snapshot()["given"], table.inputs[items])
        assert np.array_equal(engine.snapshot()["targets"], table.targets[items])


@pytest.mark.parametrize("precision", ["single", "double"])
def test_whole_batches_are_what_their_definition_says(table: Dataset, precision: Any) -> None:
    network = layered(5, 4, 2)
    run = train(network, table, batch=bl.Batch(4, 6), max_iter=33, gap_tol=0, seed=2, precision=precision)
    engine = make_engine(Problem(network, table.take(slice(0, 4))), precision=precision)
    engine.begin(2)
    traces = {}
    for number in range(6):
        for step in range(6 if number < 5 else 3):
            engine.iterate(1, beta=0.2, gamma=1e-3)
            traces[6 * number + step + 1] = engine.weights()
        items = np.arange(4 * number + 4, 4 * number + 8) % 11
        engine.replace(0, table.inputs[items], table.targets[items])
    looked = {line.iteration for line in run.trace}
    assert any(np.array_equal(run.model.weights, traces[iteration]) for iteration in looked)


@pytest.mark.parametrize("kind", ["boolean", "labels", "analog", "codes"])
@pytest.mark.parametrize("rule", RULES)
def test_a_batch_of_everything_is_plain_until_something_is_replaced(
    kind: str, rule: Any, rng: np.random.Generator
) -> None:
    bits = rng.integers(0, 2, (8, 4))
    dataset = {
        "boolean": Dataset(bits, bits[:, :2]),
        "labels": Dataset.labelled(bits, rng.integers(0, 3, 8), 3),
        "analog": Dataset(rng.uniform(-1, 1, (8, 4)), bits[:, :2], InputKind.ANALOG),
        "codes": Dataset.generative(bits, InputKind.ONE_HOT_CODE),
    }[kind]
    network = layered(4, 4, dataset.n_output_nodes)
    options: dict[str, Any] = {"gap_tol": 0, "max_iter": 40, "seed": 5}
    plain = train(network, dataset, **options)
    # The first item leaves after 64/8 = 8 iterations in the one rule, after all 64 in the other.
    batched = train(network, dataset, **options, batch=bl.Batch(8, 64 if rule == "whole" else 400, rule))
    assert np.array_equal(plain.model.weights, batched.model.weights)
    assert [line.gap for line in plain.trace] == [line.gap for line in batched.trace]
    replaced = train(network, dataset, **options, batch=bl.Batch(8, 8, rule))
    assert [line.gap for line in replaced.trace] != [line.gap for line in plain.trace]


@pytest.mark.parametrize("rule", RULES)
def test_a_batch_is_solved_when_all_items_are_right(rule: Any) -> None:
    bits = (np.arange(16)[:, None] >> np.arange(4)) & 1
    gates = Dataset(bits, np.stack([bits[:, 0] & bits[:, 1], bits[:, 2] | bits[:, 3]], axis=1))
    run = train(layered(4, 2), gates, batch=bl.Batch(8, rule=rule), max_iter=2000, restarts=20)
    assert run.status is Status.SOLVED
    assert run.train_accuracy == 1
    assert run.proved


@pytest.mark.parametrize("kind", [InputKind.ANY_CODE, InputKind.ONE_HOT_CODE])
@pytest.mark.parametrize("rule", RULES)
def test_codes_of_items_outside_are_remembered(rule: Any, kind: InputKind, rng: np.random.Generator) -> None:
    dataset = Dataset.generative(rng.integers(0, 2, (7, 5)), kind)
    batches = Batches(dataset, 3, 200, rule)
    problem = Problem(layered(4, 6, 5), dataset.take(slice(0, 3)), 1)  # with σ = 1 codes change often
    engine = make_engine(problem)
    search = RRRSearch(problem, engine, gap_tol=0, batches=batches)
    search.begin(1)
    changed = set()
    for time in range(1500):
        before = search.codes()
        search.advance(1)
        after = search.codes()
        assert before is not None
        assert after is not None
        inside = set(batches.items(batches.entered(time), 3)) | set(batches.items(batches.entered(time + 1), 3))
        different = set(np.flatnonzero((before != after).any(axis=1)))
        assert different <= inside
        changed |= different
        if kind is InputKind.ONE_HOT_CODE:
            assert ((after > 0).sum(axis=1) == 1).all()
        if batches.entered(time + 1) > batches.entered(time):
            slots = np.arange(batches.entered(time + 1), batches.entered(time + 1) + 3)
            entered = slots[3 - (batches.entered(time + 1) - batches.entered(time)) :]
            values = engine.input_values()[entered % 3]
            assert np.array_equal(np.where(values > 0, 1, -1), before[entered % 7]), "they come in as they left"
    assert len(changed) > 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"batch": 12}, "'batch' parameter must be an integer from 1 to 11"),
        ({"batch": 0}, "'batch' parameter must be an integer of at least 1"),
        ({"batch": 2.5}, "'batch' parameter must be an integer of at least 1"),
        (
            {"batch_iter": 5},
            "There is no parameter 'batch_iter'; use batch=Batch",
        ),
        (
            {"batch": 3, "solver": "gates"},
            "The solver 'gates' has no parameter 'batch'; 'rrr', 'auto'",
        ),
        ({"batch": 3, "solver": "hybrid"}, "'batch' parameter must be left out with 'gates', which needs all items"),
    ],
)
def test_bad_values_are_refused_by_name(table: Dataset, options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        train(layered(5, 2), table, **options)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, 0), "'batch_iter' parameter must be an integer of at least 1"),
        ((3, None, "newest"), "'batch_rule' parameter must be 'whole' or 'oldest'"),
    ],
)
def test_bad_batches_are_refused_by_name(arguments: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        bl.Batch(*arguments)


LARGE = """
import resource, sys
import numpy as np
from boolearn.data import Dataset
from boolearn.network import layered
from boolearn.training import train

items, width, batch = 100_000, 2000, int(sys.argv[2])
inputs = np.memmap(sys.argv[1], np.int8, "r", shape=(items, width))
network = layered(width, 2)
train(network, Dataset(inputs[:50], inputs[:50, :2]), max_iter=2, threads=1)  # all that is loaded once
used = next(int(line.split()[1]) << 10 for line in open("/proc/self/status") if line.startswith("VmData"))
resource.setrlimit(resource.RLIMIT_DATA, (used + (100 << 20),) * 2)
dataset = Dataset(inputs, inputs[:, :2])
run = train(network, dataset, items=90_000, batch=batch, max_iter=2, checkpoint=sys.argv[3], threads=1)
print(run.iterations, len(run.trace))
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="needs a limit on the memory of a process")
def test_data_on_a_disk_is_not_loaded(tmp_path: Path) -> None:
    """A file of 200 MB, with 100 MB to be had: enough for a batch, not for the data."""
    row = np.where(np.random.default_rng(0).integers(0, 2, (1000, 2000), np.int8) > 0, np.int8(1), np.int8(-1))
    with (tmp_path / "inputs").open("wb") as stream:
        for shift in range(100):
            stream.write(np.roll(row, shift, axis=1).tobytes())

    def learn(batch: int, states: str) -> subprocess.CompletedProcess[str]:
        words = [sys.executable, "-c", LARGE, str(tmp_path / "inputs"), str(batch), str(tmp_path / states)]
        return subprocess.run(words, capture_output=True, text=True, check=False)

    small = learn(50, "small")
    assert small.returncode == 0, small.stderr
    assert small.stdout.split() == ["2", "1"]
    large = learn(20_000, "large")
    assert large.returncode != 0
    assert "MemoryError" in large.stderr or "bad_alloc" in large.stderr
