"""Fewer gates for the same function: every step is an identity, so nothing has to be checked afterwards."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.gate import Gate
from boolearn.circuit.relevance import threshold_form
from boolearn.circuit.sign_flips import with_fewest_nots

_CONSTANT = -1
"""Stands for a signal that always holds +1 while gates are folded."""


def simplify(circuit: Circuit, flip_signs: bool = True) -> Circuit:
    """The same function without constants, copies, double negations, duplicate gates, irrelevant inputs, dead gates.

    With ``flip_signs`` hidden gates are negated, by De Morgan's law, where that makes the number of Nots least.
    """
    folded = remove_dead(_fold(circuit))
    return with_fewest_nots(folded) if flip_signs else folded


def _fold(circuit: Circuit) -> Circuit:
    """One pass over the gates, inputs first: each becomes a literal of what is already there, or a new gate."""
    n_inputs = len(circuit.inputs)
    literals = [Literal(signal) for signal in range(n_inputs)]
    gates: list[Gate] = []
    known: dict[tuple[tuple[int, ...], tuple[int, ...], int], int] = {}
    for gate in circuit.gates:
        literal, reduced = _resolved(gate, literals)
        if reduced is not None:
            # A gate and its negation are one gate: the one whose first weight is positive.
            sign = 1 if reduced.weights[0] > 0 else -1
            if sign < 0:
                reduced = negated(reduced)
            key = reduced.inputs, reduced.weights, reduced.bias
            if key not in known:
                known[key] = n_inputs + len(gates)
                gates.append(reduced)
            literal = Literal(known[key], sign)
        literals.append(literal)
    outputs = []
    for name, output in circuit.outputs:
        literal = literals[output.signal]
        if literal.signal == _CONSTANT:
            key = ((), (), 1)
            if key not in known:
                known[key] = n_inputs + len(gates)
                gates.append(Gate((), (), 1))
            literal = Literal(known[key], literal.sign)
        outputs.append((name, Literal(literal.signal, literal.sign * output.sign)))
    return Circuit(circuit.inputs, tuple(gates), tuple(outputs))


def _resolved(gate: Gate, literals: list[Literal]) -> tuple[Literal, Gate | None]:
    """A gate over what its inputs have become: a literal when that is all it is, else a smaller gate."""
    bias = gate.bias
    total: dict[int, int] = {}
    for signal, weight in zip(gate.inputs, gate.weights, strict=True):
        literal = literals[signal]
        if literal.signal == _CONSTANT:
            bias += weight * literal.sign
        else:
            total[literal.signal] = total.get(literal.signal, 0) + weight * literal.sign
    signals = tuple(sorted(signal for signal, weight in total.items() if weight))
    form = _reduced(tuple(total[signal] for signal in signals), bias)
    if not form.inputs:
        return Literal(_CONSTANT, form.bias), None
    if len(form.inputs) == 1:
        return Literal(signals[form.inputs[0]], 1 if form.weights[0] > 0 else -1), None
    return Literal(0), Gate(tuple(signals[k] for k in form.inputs), form.weights, form.bias, gate.name)


@dataclass(frozen=True)
class _Form:
    inputs: tuple[int, ...]
    weights: tuple[int, ...]
    bias: int


@lru_cache(maxsize=4096)
def _reduced(weights: tuple[int, ...], bias: int) -> _Form:
    """The relevant inputs with the smallest weights; weights that are given stay where none smaller are found."""
    form = threshold_form(weights, bias)
    own = sum(abs(weights[k]) for k in form.inputs) + abs(bias)
    if len(form.inputs) == len(weights) and sum(map(abs, form.weights)) + abs(form.bias) >= own:
        return _Form(form.inputs, weights, bias)
    return _Form(form.inputs, form.weights, form.bias)


def negated(gate: Gate) -> Gate:
    """The gate that always says the opposite; it reads the same inputs."""
    return replace(gate, weights=tuple(-weight for weight in gate.weights), bias=-gate.bias)


def remove_dead(circuit: Circuit) -> Circuit:
    """Only the gates some output needs, in the same order."""
    n_inputs = len(circuit.inputs)
    needed = {literal.signal for _, literal in circuit.outputs}
    for index in range(circuit.n_signals - 1, n_inputs - 1, -1):
        if index in needed:
            needed.update(circuit.gates[index - n_inputs].inputs)
    number = {signal: signal for signal in range(n_inputs)}
    gates = []
    for index, gate in enumerate(circuit.gates, n_inputs):
        if index in needed:
            number[index] = n_inputs + len(gates)
            gates.append(replace(gate, inputs=tuple(number[signal] for signal in gate.inputs)))
    outputs = tuple((name, Literal(number[literal.signal], literal.sign)) for name, literal in circuit.outputs)
    return Circuit(circuit.inputs, tuple(gates), outputs)
