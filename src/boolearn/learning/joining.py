"""Several circuits as one: a majority of votes, a choice by some inputs, the outputs of a data set."""

from __future__ import annotations

from collections.abc import Sequence

from boolearn.circuit import Circuit
from boolearn.circuit.building import FALSE, TRUE, CircuitBuilder, negation, signed
from boolearn.circuit.circuit import Literal
from boolearn.circuit.rewriting.simplify import remove_dead
from boolearn.learning.classes.words import count, less

_ONE_GATE = 5
"""Votes up to which a majority gate is smaller than adders."""


def copied(builder: CircuitBuilder, circuit: Circuit) -> list[Literal]:
    """Put a circuit over the builder's inputs; returns its outputs. Gates that are there already are shared."""
    literals = [Literal(signal) for signal in range(len(circuit.inputs))]
    for gate in circuit.gates:
        read = [literals[signal] for signal in gate.inputs]
        if gate.xor:
            literals.append(builder.exclusive(signed(one, sign) for one, sign in zip(read, gate.weights, strict=True)))
        else:
            literals.append(builder.threshold(read, gate.weights, gate.bias))
    return [signed(literals[output.signal], output.sign) for _, output in circuit.outputs]


def majority(circuits: Sequence[Circuit]) -> Circuit:
    """The answer of most circuits with one output each, which must be an odd number.

    Few votes are one gate. Many are counted by adders, which take fewer And nodes than the gate would become.
    """
    builder = CircuitBuilder(circuits[0].inputs)
    votes = [copied(builder, circuit)[0] for circuit in circuits]
    if len(votes) <= _ONE_GATE:
        answer = builder.threshold(votes, [1] * len(votes), 0)
    else:
        number = count(builder, votes)
        half = [TRUE if len(votes) // 2 >> digit & 1 else FALSE for digit in range(len(number))]
        answer = less(builder, half, number)
    return remove_dead(builder.circuit([(circuits[0].outputs[0][0], answer)]))


def chosen_by(inputs: Sequence[str], test: int, high: Circuit, low: Circuit) -> Circuit:
    """A multiplexer: ``high`` where the input is true, else ``low``."""
    builder = CircuitBuilder(inputs)
    one, other = copied(builder, high)[0], copied(builder, low)[0]
    return remove_dead(builder.circuit([(high.outputs[0][0], multiplexer(builder, Literal(test), one, other))]))


def multiplexer(builder: CircuitBuilder, test: Literal, high: Literal, low: Literal) -> Literal:
    if high == low:
        return high
    return builder.disjunction((builder.conjunction((test, high)), builder.conjunction((negation(test), low))))


def side_by_side(circuits: Sequence[Circuit]) -> Circuit:
    """One circuit with the outputs of all; equal gates are shared."""
    builder = CircuitBuilder(circuits[0].inputs)
    outputs = [(circuit.outputs[0][0], copied(builder, circuit)[0]) for circuit in circuits]
    return remove_dead(builder.circuit(outputs))
