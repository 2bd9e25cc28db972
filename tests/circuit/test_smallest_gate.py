"""The smallest gate for given values, against trying all of them."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boolearn.circuit.extraction.consolidate import consolidate
from boolearn.circuit.extraction.smallest_gate import FoundGate, Reading, smallest_gate
from boolearn.circuit.threshold.small_functions import small_functions
from boolearn.data.signs import Signs


def values_of(gate: FoundGate, values: Signs) -> Signs:
    sums = values[:, list(gate.inputs)].astype(np.int64) @ np.array(gate.weights, np.int64) + gate.bias
    assert (sums != 0).all()
    return np.where(sums > 0, 1, -1).astype(np.int8)


def distinct(values: Signs) -> Signs:
    """Only columns that differ from each other, from their negations and from constants."""
    classes = consolidate(np.column_stack((-np.ones(len(values), np.int8), values)))
    return values[:, [k - 1 for k in range(1, values.shape[1] + 1) if classes.representative[k] == k]]


def least_by_trying(values: Signs, target: Signs) -> tuple[int, int] | None:
    """(inputs, total weight) of the smallest gate with up to 4 inputs, from the table and nothing else."""
    for size in range(1, 5):
        table = small_functions(size)
        totals = [
            int(table.total[k])
            for columns in itertools.combinations(range(values.shape[1]), size)
            for k in range(len(table.truth))
            if (np.where(values[:, columns] @ table.weights[k, :-1] + table.weights[k, -1] > 0, 1, -1) == target).all()
        ]
        if totals:
            return size, min(totals)
    return None


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(2, 30), st.integers(3, 5))
def test_nothing_smaller_fits(seed: int, items: int, width: int) -> None:
    rng = np.random.default_rng(seed)
    values = distinct(rng.choice(np.array([-1, 1], np.int8), (items, width)))
    if not values.shape[1]:
        return
    near = np.append(rng.normal(size=values.shape[1]) * rng.choice([1, 0.3], values.shape[1]), rng.normal())
    target = np.where(values @ near[:-1] + near[-1] > 0, 1, -1).astype(np.int8)
    gate = smallest_gate(values, target, near)
    assert gate is not None
    assert (values_of(gate, values) == target).all()
    if (target == target[0]).all():
        assert gate.reading is Reading.CONSTANT
        return
    assert gate.reading is Reading.SMALLEST
    least = least_by_trying(values, target)
    if least is None:
        assert len(gate.inputs) > 4
    else:
        assert (len(gate.inputs), sum(map(abs, gate.weights)) + abs(gate.bias)) == least


@pytest.mark.parametrize(
    ("weights", "bias"),
    [
        ([1, -1], -1),
        ([1, 1], 1),
        ([1, 1, -1], 0),
        ([1, 1, 1], -2),
        ([2, 1, -1, 1], 0),
        ([1, 1, 1, 1, -1], 0),
        ([3, 2, -2, 1, 1], 0),
        ([1, 1, 1, 1, 1], 4),
        ([1, 1, -1, 1, 1, 1], -1),
    ],
)
def test_a_gate_hidden_among_many_signals_is_found(weights: list[int], bias: int, rng: np.random.Generator) -> None:
    values = rng.choice(np.array([-1, 1], np.int8), (512, 32))
    columns = np.sort(rng.choice(32, len(weights), replace=False))
    target = np.where(values[:, columns] @ np.array(weights) + bias > 0, 1, -1).astype(np.int8)
    gate = smallest_gate(values, target, np.zeros(33))
    assert gate == FoundGate(tuple(columns.tolist()), tuple(weights), bias, Reading.SMALLEST)


def test_more_than_64_signals(rng: np.random.Generator) -> None:
    values = rng.choice(np.array([-1, 1], np.int8), (300, 150))
    target = np.where(values[:, [2, 70, 149]].sum(axis=1) > 0, 1, -1).astype(np.int8)
    gate = smallest_gate(values, target, np.zeros(151))
    assert gate == FoundGate((2, 70, 149), (1, 1, 1), 0, Reading.SMALLEST)


def test_learned_weights_break_ties() -> None:
    # On these items all of a & b, a & c and b & c hold the target.
    values = np.array([[-1, -1, 1], [-1, 1, -1], [1, -1, -1], [1, 1, 1]], np.int8)
    target = np.array([-1, -1, -1, 1], np.int8)
    for columns in ((0, 1), (0, 2), (1, 2)):
        near = np.zeros(4)
        near[[*columns, 3]] = [1.0, 1.0, -1.0]
        gate = smallest_gate(values, target, near)
        assert gate is not None
        assert gate.inputs == columns


def test_without_effort_the_gate_still_fits_and_says_so(rng: np.random.Generator) -> None:
    values = rng.choice(np.array([-1, 1], np.int8), (200, 24))
    near = rng.normal(size=25)
    target = np.where(values @ near[:-1] + near[-1] > 0, 1, -1).astype(np.int8)
    gate = smallest_gate(values, target, near, effort=1)
    assert gate is not None
    assert gate.reading is Reading.REDUCED
    assert (values_of(gate, values) == target).all()


def test_values_that_are_no_threshold_function_are_refused() -> None:
    values = np.array([[-1, -1], [-1, 1], [1, -1], [1, 1]], np.int8)
    assert smallest_gate(values, np.array([-1, 1, 1, -1], np.int8), np.zeros(3)) is None
    assert smallest_gate(np.repeat(values, 2, axis=0), np.array([1, -1] * 4, np.int8), np.zeros(3)) is None


def test_a_set_that_tells_all_items_apart_may_still_need_company() -> None:
    # Exclusive or of a and b, told by a, b and a third signal that is their And.
    rows = [(a, b, min(a, b)) for a in (-1, 1) for b in (-1, 1)]
    values = np.array(rows, np.int8)
    target = np.array([-a * b for a, b, _ in rows], np.int8)
    gate = smallest_gate(values, target, np.zeros(4))
    assert gate is not None
    assert (gate.inputs, gate.weights, gate.bias) == ((0, 1, 2), (1, 1, -2), -1)


@given(st.integers(0, 10**6))
def test_consolidation_finds_equal_opposite_and_constant_signals(seed: int) -> None:
    rng = np.random.default_rng(seed)
    base = rng.choice(np.array([-1, 1], np.int8), (int(rng.integers(1, 12)), 4))
    pick, sign = rng.integers(0, 4, 9), rng.choice(np.array([-1, 1], np.int8), 9)
    values = np.column_stack((-np.ones(len(base), np.int8), base[:, pick] * sign))
    classes = consolidate(values)
    assert (values == values[:, classes.representative] * classes.sign).all()
    for k in range(10):
        earlier = [j for j in range(k + 1) if abs(int(values[:, j].astype(int) @ values[:, k])) == len(values)]
        assert classes.representative[k] == min(earlier)
