"""Building circuits gate by gate from literals: constants fold away, repeated inputs add up, equal gates are shared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.gate import Gate, constant
from boolearn.circuit.threshold.relevance import ThresholdForm, threshold_form

_CONSTANT = -1
"""A signal that always holds +1; it becomes a gate only where an output or a name needs it."""

TRUE = Literal(_CONSTANT, 1)
FALSE = Literal(_CONSTANT, -1)


def signed(literal: Literal, sign: int) -> Literal:
    """The literal, or its negation when the sign is negative."""
    return literal if sign > 0 else negation(literal)


def negation(literal: Literal) -> Literal:
    return Literal(literal.signal, -literal.sign)


class CircuitBuilder:
    """Makes gates over literals and returns the literal that holds each, which may need no new gate.

    With ``reduce`` every threshold gate is brought to its relevant inputs with the smallest weights; without, gates
    keep the weights they are given. ``fan_in`` is the most inputs an And or an Or may have.
    """

    def __init__(self, inputs: Sequence[str], *, reduce: bool = False, fan_in: int | None = None) -> None:
        self.inputs = tuple(inputs)
        self.reduce = reduce
        self.fan_in = fan_in
        self.gates: list[Gate] = []
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...], int, bool], int] = {}

    def conjunction(self, literals: Iterable[Literal]) -> Literal:
        """And; of nothing it is true."""
        return self._join(literals, TRUE)

    def disjunction(self, literals: Iterable[Literal]) -> Literal:
        """Or; of nothing it is false."""
        return self._join(literals, FALSE)

    def exclusive(self, literals: Iterable[Literal], name: str | None = None) -> Literal:
        """Xor; of nothing it is false. Repeated inputs and Nots cancel in pairs. Only a new gate takes the name."""
        odd: set[int] = set()
        sign = 1
        for literal in literals:
            odd ^= {literal.signal}
            sign *= literal.sign
        if _CONSTANT in odd:
            odd.remove(_CONSTANT)
            sign = -sign
        if len(odd) < 2:
            return signed(Literal(odd.pop()) if odd else FALSE, sign)
        signals, rest = tuple(sorted(odd)), (1,) * (len(odd) - 1)
        opposite = signals, (-sign, *rest), 0, True
        if opposite in self._known:
            return Literal(self._known[opposite], -1)
        return Literal(self._place(signals, (sign, *rest), 0, name, xor=True))

    def majority(self, a: Literal, b: Literal, c: Literal) -> Literal:
        """Maj of three; of literals that share a signal it is one of them."""
        for first, second, third in ((a, b, c), (a, c, b), (b, c, a)):
            if first.signal == second.signal:
                return first if first == second else third
        return self.threshold((a, b, c), (1, 1, 1), 0)

    def threshold(
        self, literals: Sequence[Literal], weights: Sequence[int], bias: int, name: str | None = None
    ) -> Literal:
        """``bias + Σ weight·literal > 0``, a sum that must never be zero. Only a new gate takes the name."""
        total: dict[int, int] = {}
        for literal, weight in zip(literals, weights, strict=True):
            if literal.signal == _CONSTANT:
                bias += weight * literal.sign
            else:
                total[literal.signal] = total.get(literal.signal, 0) + weight * literal.sign
        signals = tuple(signal for signal, weight in sorted(total.items()) if weight)
        kept = tuple(total[signal] for signal in signals)
        if self.reduce:
            form = _reduced(kept, bias)
            signals, kept, bias = tuple(signals[k] for k in form.inputs), form.weights, form.bias
        if sum(map(abs, kept)) <= abs(bias):
            return TRUE if bias > 0 else FALSE
        if len(signals) == 1:
            return Literal(signals[0], 1 if kept[0] > 0 else -1)
        return self._add(signals, kept, bias, name)

    def named(self, literal: Literal, name: str) -> Literal:
        """A signal with this name that holds what the literal holds: the last gate if it can be, else a copy of it."""
        last = len(self.inputs) + len(self.gates) - 1
        if self.gates and literal == Literal(last) and self.gates[-1].name is None:
            self.gates[-1] = replace(self.gates[-1], name=name)
            return literal
        if literal.signal == _CONSTANT:
            self.gates.append(constant(literal.sign, name))
        else:
            self.gates.append(Gate((literal.signal,), (literal.sign,), name=name))
        return Literal(last + 1)

    def circuit(self, outputs: Iterable[tuple[str, Literal]]) -> Circuit:
        placed = []
        for name, literal in outputs:
            if literal.signal == _CONSTANT:
                literal = Literal(self._place((), (), 1, None), literal.sign)
            placed.append((name, literal))
        return Circuit(self.inputs, tuple(self.gates), tuple(placed))

    def _join(self, literals: Iterable[Literal], neutral: Literal) -> Literal:
        signs: dict[int, int] = {}
        for literal in literals:
            if literal == negation(neutral) or signs.get(literal.signal, literal.sign) != literal.sign:
                return negation(neutral)
            if literal != neutral:
                signs[literal.signal] = literal.sign
        if self.fan_in is not None and len(signs) > self.fan_in:
            # Groups first, which keeps the tree as shallow as it can be.
            parts = [Literal(signal, sign) for signal, sign in signs.items()]
            groups = [parts[first : first + self.fan_in] for first in range(0, len(parts), self.fan_in)]
            return self._join([self._join(group, neutral) for group in groups], neutral)
        if len(signs) < 2:
            return next((Literal(signal, sign) for signal, sign in signs.items()), neutral)
        signals = tuple(sorted(signs))
        return self._add(signals, tuple(signs[s] for s in signals), -neutral.sign * (len(signs) - 1), None)

    def _add(self, signals: tuple[int, ...], weights: tuple[int, ...], bias: int, name: str | None) -> Literal:
        """A gate and its negation are one gate: whichever was there first."""
        opposite = signals, tuple(-weight for weight in weights), -bias, False
        if opposite in self._known:
            return Literal(self._known[opposite], -1)
        return Literal(self._place(signals, weights, bias, name))

    def _place(
        self, signals: tuple[int, ...], weights: tuple[int, ...], bias: int, name: str | None, xor: bool = False
    ) -> int:
        key = signals, weights, bias, xor
        if key not in self._known:
            self._known[key] = len(self.inputs) + len(self.gates)
            self.gates.append(Gate(signals, weights, bias, name, xor))
        return self._known[key]


@lru_cache(maxsize=4096)
def _reduced(weights: tuple[int, ...], bias: int) -> ThresholdForm:
    """The relevant inputs with the smallest weights; given weights stay where none smaller are found."""
    form = threshold_form(weights, bias)
    given = sum(map(abs, weights)) + abs(bias)
    if len(form.inputs) == len(weights) and sum(map(abs, form.weights)) + abs(form.bias) >= given:
        return ThresholdForm(form.inputs, weights, bias)
    return form
