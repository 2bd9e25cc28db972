"""Arithmetic: one bit of a sum, a difference, a comparison, a product, a quotient, a remainder or a square root.

The catalogue of ``operations`` is a prior, not a theorem: it holds what arithmetic units compute, on operands that are
the two halves of the inputs or alternate, the lowest bit first or last. Each of its H members, bits and negations
counted, is compared with the examples, row by row, until one contradicts it. By the union bound, m random labels agree
with some member with a chance of at most H·2^−m, so a few dozen examples settle which it is, although thousands hardly
show the low bits of an adder: what singles the member out is that weights double from bit to bit. Nothing is recognised
where the inputs stand in another order.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from boolearn.circuit.building import CircuitBuilder, negation
from boolearn.circuit.circuit import Literal
from boolearn.learning.classes.fitted import Bits, Drawing, Fitted, listed
from boolearn.learning.classes.operations import CATALOGUE, Operation

NAME = "arithmetic"
_FEWEST_INPUTS = 4
_FIRST = 100


@dataclass(frozen=True)
class _Member:
    """An operation with the columns of its operands, the lowest bit first; still without the bit."""

    operation: Operation
    columns: tuple[range, ...]

    @property
    def result(self) -> int:
        return self.operation.result(len(self.columns[0]))


def fit(inputs: Bits, output: Bits) -> Fitted | None:
    """The first member of the catalogue that agrees with every example."""
    n = inputs.shape[1]
    if n < _FEWEST_INPUTS or not len(output):
        return None
    members = list(_members(n))
    bits = math.log2(sum(2 * member.result for member in members))
    for member in members:
        # Nearly all are contradicted at once, so that only what is left looks at all rows.
        if _agreeing(member, inputs[:_FIRST], output[:_FIRST]) is not None:
            found = _agreeing(member, inputs, output)
            if found is not None:
                return Fitted(NAME, _sentence(member, *found), bits, n, _drawings(member, *found))
    return None


def _members(n: int) -> Iterator[_Member]:
    """The operations on every layout of the operands."""
    half = n // 2
    pairs = ((range(half), range(half, n)), (range(0, n, 2), range(1, n, 2)))
    for operation in CATALOGUE:
        if operation.operands == 1:
            yield from (_Member(operation, (range(n)[::step],)) for step in (1, -1))
        elif n % 2 == 0:
            for a, b in pairs:
                for step in (1, -1):
                    yield _Member(operation, (a[::step], b[::step]))
                    if not operation.commutes:
                        yield _Member(operation, (b[::step], a[::step]))


def _numbers(columns: Bits) -> list[int]:
    octets = np.packbits(columns, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in octets]


def _agreeing(member: _Member, inputs: Bits, output: Bits) -> tuple[int, bool] | None:
    """The lowest bit of the result that agrees with every example, and whether it has to be negated."""
    every = (1 << member.result) - 1
    as_it_is = negated = every
    numbers = [_numbers(inputs[:, columns]) for columns in member.columns]
    width, value = len(member.columns[0]), member.operation.value
    for label, *operands in zip(output.tolist(), *numbers, strict=True):
        result = value(operands, width) ^ (0 if label else -1)  # the bits that agree with the label
        as_it_is &= result
        negated &= ~result
        if not as_it_is | negated:
            return None
    left = as_it_is or negated
    return (left & -left).bit_length() - 1, not as_it_is


def _drawings(member: _Member, bit: int, negated: bool) -> tuple[Drawing, ...]:
    words = [[Literal(column) for column in columns] for columns in member.columns]
    drawings = member.operation.drawings(words, bit)
    return tuple(Drawing(_negated(drawing.make), drawing.ands) for drawing in drawings) if negated else drawings


def _negated(make: Callable[[CircuitBuilder], Literal]) -> Callable[[CircuitBuilder], Literal]:
    return lambda builder: negation(make(builder))


def _sentence(member: _Member, bit: int, negated: bool) -> str:
    operands = " and ".join(
        f"{letter} is {_run(columns)}" for letter, columns in zip("ab", member.columns, strict=False)
    )
    which = f"bit {bit} of " if member.result > 1 else ""
    return f"{'not ' * negated}{which}{member.operation.words}, where {operands}, the lowest bit first"


def _run(columns: range) -> str:
    return listed(columns[:2]) + (f", …, {listed(columns[-1:])}" if len(columns) > 2 else "")
