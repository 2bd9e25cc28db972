"""Building circuits gate by gate from literals: constants are folded, repeated inputs added up, equal gates shared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.extraction.relevance import ThresholdForm, threshold_form
from boolearn.circuit.gate import Gate

_CONSTANT = -1
"""A signal that always holds +1; it becomes a gate only where an output needs it."""

TRUE = Literal(_CONSTANT, 1)
FALSE = Literal(_CONSTANT, -1)


class GateBuilder:
    """Makes gates over literals and hands back the literal that holds each.

    With ``reduce`` every gate is brought to its relevant inputs with the smallest weights; without, gates keep the
    weights they are given.
    """

    def __init__(self, n_inputs: int, reduce: bool = False) -> None:
        self.n_inputs = n_inputs
        self.reduce = reduce
        self.gates: list[Gate] = []
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...], int], int] = {}

    def conjunction(self, literals: Iterable[Literal], name: str | None = None) -> Literal:
        """And; of nothing it is true."""
        return self._join(literals, TRUE, name)

    def disjunction(self, literals: Iterable[Literal], name: str | None = None) -> Literal:
        """Or; of nothing it is false."""
        return self._join(literals, FALSE, name)

    def threshold(
        self, literals: Sequence[Literal], weights: Sequence[int], bias: int, name: str | None = None
    ) -> Literal:
        """``bias + Σ weight·literal > 0``, a sum that must never be zero."""
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

    def circuit(self, inputs: tuple[str, ...], outputs: Iterable[tuple[str, Literal]]) -> Circuit:
        placed = []
        for name, literal in outputs:
            if literal.signal == _CONSTANT:
                literal = Literal(self._place((), (), 1, None), literal.sign)
            placed.append((name, literal))
        return Circuit(inputs, tuple(self.gates), tuple(placed))

    def _join(self, literals: Iterable[Literal], neutral: Literal, name: str | None) -> Literal:
        signs: dict[int, int] = {}
        for literal in literals:
            if literal == negation(neutral) or signs.get(literal.signal, literal.sign) != literal.sign:
                return negation(neutral)
            if literal != neutral:
                signs[literal.signal] = literal.sign
        if len(signs) < 2:
            return next((Literal(signal, sign) for signal, sign in signs.items()), neutral)
        return self._add(tuple(signs), tuple(signs.values()), -neutral.sign * (len(signs) - 1), name)

    def _add(self, signals: tuple[int, ...], weights: tuple[int, ...], bias: int, name: str | None) -> Literal:
        """A gate and its negation are one gate: whichever was there first."""
        order = sorted(range(len(signals)), key=lambda k: signals[k])
        signals, weights = tuple(signals[k] for k in order), tuple(weights[k] for k in order)
        opposite = signals, tuple(-weight for weight in weights), -bias
        if opposite in self._known:
            return Literal(self._known[opposite], -1)
        return Literal(self._place(signals, weights, bias, name))

    def _place(self, signals: tuple[int, ...], weights: tuple[int, ...], bias: int, name: str | None) -> int:
        key = signals, weights, bias
        if key not in self._known:
            self._known[key] = self.n_inputs + len(self.gates)
            self.gates.append(Gate(signals, weights, bias, name))
        return self._known[key]


def negation(literal: Literal) -> Literal:
    return Literal(literal.signal, -literal.sign)


def remove_dead(circuit: Circuit) -> Circuit:
    """Only the gates some output needs, in the same order."""
    n_inputs = len(circuit.inputs)
    needed = {literal.signal for _, literal in circuit.outputs}
    for index in range(circuit.n_signals - 1, n_inputs - 1, -1):
        if index in needed:
            needed.update(circuit.gates[index - n_inputs].inputs)
    number = {signal: signal for signal in range(n_inputs)}
    gates: list[Gate] = []
    for index, gate in enumerate(circuit.gates, n_inputs):
        if index in needed:
            number[index] = n_inputs + len(gates)
            gates.append(replace(gate, inputs=tuple(number[signal] for signal in gate.inputs)))
    outputs = tuple((name, Literal(number[literal.signal], literal.sign)) for name, literal in circuit.outputs)
    return Circuit(circuit.inputs, tuple(gates), outputs)


@lru_cache(maxsize=4096)
def _reduced(weights: tuple[int, ...], bias: int) -> ThresholdForm:
    """The relevant inputs with the smallest weights; given weights stay where none smaller are found."""
    form = threshold_form(weights, bias)
    given = sum(map(abs, weights)) + abs(bias)
    if len(form.inputs) == len(weights) and sum(map(abs, form.weights)) + abs(form.bias) >= given:
        return ThresholdForm(form.inputs, weights, bias)
    return form
