"""Arithmetic is recognised from few rows, drawn exactly, and approximated where gates are few."""

from __future__ import annotations

import numpy as np
import pytest

from boolearn.circuit import prove_equal
from boolearn.circuit.building import CircuitBuilder
from boolearn.circuit.circuit import Circuit, Literal
from boolearn.learning.classes import arithmetic
from boolearn.learning.classes.arithmetic import _members, _numbers
from boolearn.learning.classes.fitted import Bits
from boolearn.learning.classes.operations import CATALOGUE, Operation
from random_circuits import all_inputs

CASES = [(operation, width) for operation in CATALOGUE for width in (2, 3, 4, 5)]


def right(circuit: Circuit, inputs: Bits, output: Bits) -> float:
    return float(((circuit.predict(inputs)[:, 0] > 0) == output).mean())


def values(operation: Operation, columns: tuple[range, ...], inputs: Bits) -> list[int]:
    operands = [_numbers(inputs[:, part]) for part in columns]
    return [operation.value(list(row), len(columns[0])) for row in zip(*operands, strict=True)]


@pytest.mark.parametrize(("operation", "width"), CASES, ids=lambda case: getattr(case, "words", case))
def test_every_bit_of_every_operation_is_drawn_exactly(operation: Operation, width: int) -> None:
    """Compared with integers on all inputs, so that the gates are right whatever the data."""
    n = width * operation.operands
    table = all_inputs(n) > 0
    columns = tuple(range(k * width, (k + 1) * width) for k in range(operation.operands))
    truth = values(operation, columns, table)
    words = [[Literal(column) for column in part] for part in columns]
    for bit in range(operation.result(width)):
        builder = CircuitBuilder([f"x{k}" for k in range(n)])
        circuit = builder.circuit([("y", operation.drawings(words, bit)[0].make(builder))])
        assert right(circuit, table, np.array([value >> bit & 1 for value in truth], bool)) == 1


@pytest.mark.parametrize("layout", range(4))
@pytest.mark.parametrize("operation", CATALOGUE, ids=lambda operation: operation.words)
def test_a_hundred_rows_are_enough_in_every_layout(operation: Operation, layout: int) -> None:
    n = 16
    members = [member for member in _members(n) if member.operation is operation]
    member = members[layout % len(members)]
    bit = member.result // 2
    rng = np.random.default_rng(layout)
    inputs = rng.random((100, n)) < 0.5
    if operation.result(8) == 1:  # random numbers are hardly ever equal, and then < and ≤ are the same
        inputs[::2, list(member.columns[1])] = inputs[::2, list(member.columns[0])]
    output = np.array([value >> bit & 1 for value in values(operation, member.columns, inputs)], bool)
    fitted = arithmetic.fit(inputs, ~output)
    assert fitted is not None
    assert fitted.sentence.startswith("not ")
    assert fitted.bits < 11
    words = [[Literal(column) for column in part] for part in member.columns]
    builder = CircuitBuilder([f"x{k}" for k in range(n)])
    truth = builder.circuit(
        [("y", Literal((made := operation.drawings(words, bit)[0].make(builder)).signal, -made.sign))]
    )
    assert prove_equal(fitted.circuit, truth)


def test_what_is_no_arithmetic_is_not_fitted() -> None:
    rng = np.random.default_rng(1)
    inputs = rng.random((100, 16)) < 0.5
    assert arithmetic.fit(inputs, rng.random(100) < 0.5) is None
    total = np.array(_numbers(inputs[:, :8])) + np.array(_numbers(inputs[:, 8:]))
    assert arithmetic.fit(inputs[:, rng.permutation(16)], total >> 5 & 1 > 0) is None
    assert arithmetic.fit(inputs[:, :3], inputs[:, 0]) is None
    assert arithmetic.fit(inputs[:0], np.zeros(0, bool)) is None


@pytest.mark.slow
@pytest.mark.parametrize(("operation", "ands"), [("a div b", 2000), ("a div b", 4000), ("a mod b", 3000)])
def test_long_divisions_are_cut_to_the_limit_and_are_nearly_right(operation: str, ands: int) -> None:
    n = 256
    rng = np.random.default_rng(2)
    member = next(member for member in _members(n) if member.operation.words == operation)
    inputs = rng.random((4000, n)) < 0.5
    output = np.array([value & 1 for value in values(member.operation, member.columns, inputs)], bool)
    fitted = arithmetic.fit(inputs[:100], output[:100])
    assert fitted is not None
    circuit = fitted.within(ands)
    assert circuit is not None
    assert circuit.ands() <= ands
    assert right(circuit, inputs, output) > 0.998


def test_what_does_not_fit_the_limit_is_not_drawn() -> None:
    rng = np.random.default_rng(3)
    inputs = rng.random((60, 24)) < 0.5
    product = np.array(_numbers(inputs[:, :12])) * np.array(_numbers(inputs[:, 12:]))
    fitted = arithmetic.fit(inputs, (product >> 11 & 1).astype(bool))
    assert fitted is not None
    assert fitted.circuit.ands() < 500
    assert fitted.within(500) is fitted.circuit
    assert fitted.within(100) is None
