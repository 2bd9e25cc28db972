"""Putting a circuit together gate by gate: constants fold away, equal gates are made once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.gate import Gate, conjunction, constant, disjunction, majority

Operand = Literal | bool
"""What a gate can be asked to read here: a literal or a known value."""


def negate(operand: Operand) -> Operand:
    return not operand if isinstance(operand, bool) else Literal(operand.signal, -operand.sign)


class CircuitBuilder:
    """Holds the gates so far. And, Or and Maj give back what stands for their result, which may be no new gate."""

    def __init__(self, inputs: Sequence[str]) -> None:
        self.inputs = tuple(inputs)
        self.gates: list[Gate] = []
        self._known: dict[Gate, Literal] = {}
        self._last_is_free = False

    def append(self, gate: Gate) -> Literal:
        """Add a gate as it is, even when there is one like it."""
        self.gates.append(gate)
        self._last_is_free = False
        return Literal(len(self.inputs) + len(self.gates) - 1)

    def conjunction(self, operands: Iterable[Operand]) -> Operand:
        literals = _distinct(operands, neutral=True)
        if literals is None:
            return False
        return self._shared(conjunction(literals)) if len(literals) > 1 else _single(literals, empty=True)

    def disjunction(self, operands: Iterable[Operand]) -> Operand:
        literals = _distinct(operands, neutral=False)
        if literals is None:
            return True
        return self._shared(disjunction(literals)) if len(literals) > 1 else _single(literals, empty=False)

    def majority(self, a: Operand, b: Operand, c: Operand) -> Operand:
        """Maj of three; of operands that share a signal it is an And, an Or or one of them."""
        for first, second, third in ((a, b, c), (a, c, b), (b, c, a)):
            if isinstance(third, bool):
                return self.disjunction((first, second)) if third else self.conjunction((first, second))
            if first == second:
                return first
            if first == negate(second):
                return third
        operands = [operand for operand in (a, b, c) if not isinstance(operand, bool)]
        return self._shared(majority(sorted((operand.signal, operand.sign) for operand in operands)))

    def exclusive(self, a: Operand, b: Operand) -> Operand:
        """Xor as three gates."""
        return self.conjunction((self.disjunction((a, b)), self.disjunction((negate(a), negate(b)))))

    def signal(self, operand: Operand, name: str | None = None) -> Literal:
        """A signal of its own, not negated, that holds what the operand holds; it takes the name."""
        if isinstance(operand, bool):
            return self.append(constant(1 if operand else -1, name))
        if self._last_is_free and operand == Literal(len(self.inputs) + len(self.gates) - 1):
            self._last_is_free = False
            self.gates[-1] = replace(self.gates[-1], name=name)
            return operand
        return self.append(Gate((operand.signal,), (operand.sign,), name=name))

    def circuit(self, outputs: Iterable[tuple[str, Operand]]) -> Circuit:
        named = [(name, self.signal(op) if isinstance(op, bool) else op) for name, op in outputs]
        return Circuit(self.inputs, tuple(self.gates), tuple(named))

    def _shared(self, gate: Gate) -> Literal:
        if gate not in self._known:
            self._known[gate] = self.append(gate)
            self._last_is_free = True
        return self._known[gate]


def _distinct(operands: Iterable[Operand], neutral: bool) -> list[tuple[int, int]] | None:
    """The different literals among them, in order; None when one of them decides the result by itself."""
    signs: dict[int, int] = {}
    for operand in operands:
        if isinstance(operand, bool):
            if operand != neutral:
                return None
        elif signs.setdefault(operand.signal, operand.sign) != operand.sign:
            return None
    return sorted(signs.items())


def _single(literals: list[tuple[int, int]], empty: bool) -> Operand:
    return Literal(*literals[0]) if literals else empty
