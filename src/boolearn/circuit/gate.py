"""Gate: one Boolean threshold function with small integer weights, or an exclusive or."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from operator import index

from boolearn.errors import CircuitError


class Kind(enum.Enum):
    """What people call a gate. Signs of the inputs do not change its kind."""

    CONSTANT = "constant"
    COPY = "copy"
    NOT = "not"
    AND = "and"
    OR = "or"
    MAJ = "maj"
    XOR = "xor"
    THRESHOLD = "threshold"


@dataclass(frozen=True)
class Gate:
    """``sgn(bias + Σ weight·signal)`` over ±1 signals; the sum is never zero.

    ``inputs`` are signal numbers, all different. A negative weight is a Not on that input. And/Or of
    n inputs is n weights ±1 with bias −(n−1) / +(n−1); Maj is an odd number of weights ±1 without
    bias; a constant has no inputs and bias ±1.

    With ``xor`` the gate is no threshold function but the exclusive or of its inputs, +1 when ``weight·signal`` is +1
    for an odd number of them: two inputs or more, weights ±1, no bias.
    """

    inputs: tuple[int, ...]
    weights: tuple[int, ...]
    bias: int = 0
    name: str | None = None
    xor: bool = False

    def __post_init__(self) -> None:
        for name in ("inputs", "weights"):
            object.__setattr__(self, name, _integers(name, getattr(self, name)))
        if type(self.bias) is not int:
            object.__setattr__(self, "bias", _integers("bias", (self.bias,))[0])
        if len(self.inputs) != len(self.weights):
            counts = f"{len(self.inputs)} inputs and {len(self.weights)} weights"
            raise CircuitError(f"a gate must have one weight for each of its inputs. Got {counts} instead.")
        if len(set(self.inputs)) != len(self.inputs):
            raise CircuitError(f"the inputs of a gate must be different. Got {self.inputs} instead.")
        if 0 in self.weights:
            raise CircuitError(f"the weights of a gate must not be zero. Got {self.weights} instead.")
        if self.name is not None and (not isinstance(self.name, str) or not self.name):
            raise CircuitError(
                f"the name of a gate must be None or a text that is not empty. Got {self.name!r} instead."
            )
        if not self.inputs and not self.bias:
            raise CircuitError("the bias of a gate without inputs must not be zero. Got 0 instead.")
        if self.xor and (len(self.inputs) < 2 or self.bias or {*self.weights} - {1, -1}):
            found = f"weights {self.weights} and bias {self.bias}"
            raise CircuitError(
                f"an exclusive or must have two inputs or more, weights ±1 and no bias. Got {found} instead."
            )

    @cached_property
    def kind(self) -> Kind:
        size = len(self.inputs)
        if self.xor:
            return Kind.XOR
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

    def value(self, signals: Iterable[int]) -> int:
        """What the gate holds, +1 or −1, where its inputs hold these."""
        terms = [weight * signal for weight, signal in zip(self.weights, signals, strict=True)]
        holds = sum(term > 0 for term in terms) % 2 if self.xor else sum(terms) + self.bias > 0
        return 1 if holds else -1


def _integers(name: str, values: Iterable[int]) -> tuple[int, ...]:
    if type(values) is tuple and all(type(value) is int for value in values):
        return values
    try:
        return tuple(index(value) for value in values)
    except TypeError:
        raise CircuitError(f"the {name} of a gate must be integers. Got {values!r} instead.") from None


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
        raise CircuitError(f"a majority must have an odd number of inputs. Got {len(literals)} instead.")
    return Gate(*_columns(literals), name=name)


def exclusive(literals: list[tuple[int, int]], name: str | None = None) -> Gate:
    """Exclusive or of (signal, sign) pairs: whether an odd number of them hold."""
    return Gate(*_columns(literals), name=name, xor=True)


def _columns(literals: list[tuple[int, int]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    try:
        return tuple(signal for signal, _ in literals), tuple(sign for _, sign in literals)
    except (TypeError, ValueError):
        raise CircuitError(f"a gate's literals must be pairs (signal, sign). Got {literals!r} instead.") from None
