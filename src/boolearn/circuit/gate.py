"""Gate: one Boolean threshold function with small integer weights."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from functools import cached_property


class Kind(enum.Enum):
    """What people call a gate. Signs of the inputs do not change its kind."""

    CONSTANT = "constant"
    COPY = "copy"
    NOT = "not"
    AND = "and"
    OR = "or"
    MAJ = "maj"
    THRESHOLD = "threshold"


@dataclass(frozen=True)
class Gate:
    """``sgn(bias + Σ weight·signal)`` over ±1 signals; the sum is never zero.

    ``inputs`` are signal numbers, all different. A negative weight is a Not on that input. And/Or of
    n inputs is n weights ±1 with bias −(n−1) / +(n−1); Maj is an odd number of weights ±1 without
    bias; a constant has no inputs and bias ±1.
    """

    inputs: tuple[int, ...]
    weights: tuple[int, ...]
    bias: int = 0
    name: str | None = None

    def __post_init__(self) -> None:
        if len(self.inputs) != len(self.weights) or len(set(self.inputs)) != len(self.inputs):
            raise ValueError("a gate needs one weight for each of its inputs, all different")
        if 0 in self.weights or (not self.inputs and not self.bias):
            raise ValueError("a gate's weights must not be zero")

    @cached_property
    def kind(self) -> Kind:
        size = len(self.inputs)
        if size == 0:
            return Kind.CONSTANT
        if size == 1 and abs(self.bias) < abs(self.weights[0]):
            return Kind.COPY if self.weights[0] > 0 else Kind.NOT
        if len({abs(weight) for weight in self.weights}) == 1:
            unit = abs(self.weights[0])
            if self.bias == -(size - 1) * unit:
                return Kind.AND
            if self.bias == (size - 1) * unit:
                return Kind.OR
            if self.bias == 0 and size % 2:
                return Kind.MAJ
        return Kind.THRESHOLD


def constant(value: int, name: str | None = None) -> Gate:
    return Gate((), (), 1 if value > 0 else -1, name)


def conjunction(literals: list[tuple[int, int]], name: str | None = None) -> Gate:
    """And of (signal, sign) pairs."""
    return Gate(*_columns(literals), bias=-(len(literals) - 1), name=name)


def disjunction(literals: list[tuple[int, int]], name: str | None = None) -> Gate:
    """Or of (signal, sign) pairs."""
    return Gate(*_columns(literals), bias=len(literals) - 1, name=name)


def majority(literals: list[tuple[int, int]], name: str | None = None) -> Gate:
    """Majority of an odd number of (signal, sign) pairs."""
    if len(literals) % 2 == 0:
        raise ValueError("a majority needs an odd number of inputs")
    return Gate(*_columns(literals), name=name)


def _columns(literals: list[tuple[int, int]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(signal for signal, _ in literals), tuple(sign for _, sign in literals)
