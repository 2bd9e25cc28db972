"""Fewer gates for the same function: every step is an identity."""

from __future__ import annotations

from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.rewriting.gate_builder import GateBuilder, remove_dead
from boolearn.circuit.rewriting.sign_flips import with_fewest_nots


def simplify(circuit: Circuit, flip_signs: bool = True) -> Circuit:
    """The same function without constants, copies, double negations, duplicate gates, irrelevant inputs, dead gates.

    With ``flip_signs`` hidden gates are negated, by De Morgan's law, where that makes the number of Nots least.
    """
    builder = GateBuilder(len(circuit.inputs), reduce=True)
    literals = [Literal(signal) for signal in range(len(circuit.inputs))]
    for gate in circuit.gates:
        operands = [literals[signal] for signal in gate.inputs]
        literals.append(builder.threshold(operands, gate.weights, gate.bias, gate.name))
    outputs = [
        (name, Literal(literals[output.signal].signal, literals[output.signal].sign * output.sign))
        for name, output in circuit.outputs
    ]
    folded = remove_dead(builder.circuit(circuit.inputs, outputs))
    return with_fewest_nots(folded) if flip_signs else folded
