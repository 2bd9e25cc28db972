"""Only what is needed: fewer gates for the same function, or the part of a circuit that one output depends on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from boolearn.circuit.building import CircuitBuilder, signed
from boolearn.circuit.circuit import Circuit, Literal, checked_circuit
from boolearn.circuit.rewriting.sign_flips import with_fewest_nots
from boolearn.errors import ParameterError


def simplify(circuit: Circuit, flip_signs: bool = True) -> Circuit:
    """The same function without constants, copies, double negations, duplicate gates, irrelevant inputs, dead gates.

    With ``flip_signs`` hidden gates are negated, by De Morgan's law, where that makes the number of Nots least.
    """
    builder = CircuitBuilder(checked_circuit(circuit).inputs, reduce=True)
    literals = [Literal(signal) for signal in range(len(circuit.inputs))]
    for gate in circuit.gates:
        operands = [literals[signal] for signal in gate.inputs]
        if gate.xor:
            read = (signed(operand, weight) for operand, weight in zip(operands, gate.weights, strict=True))
            literals.append(builder.exclusive(read, gate.name))
        else:
            literals.append(builder.threshold(operands, gate.weights, gate.bias, gate.name))
    outputs = [(name, signed(literals[output.signal], output.sign)) for name, output in circuit.outputs]
    folded = remove_dead(builder.circuit(outputs))
    return with_fewest_nots(folded) if flip_signs else folded


def remove_dead(circuit: Circuit) -> Circuit:
    """The gates some output depends on, in the same order, and all inputs."""
    return _restricted(circuit, {*range(len(circuit.inputs)), *circuit.live})


def trace(circuit: Circuit, output: str) -> Circuit:
    """A circuit with this output alone, and with the gates and inputs that lead to it."""
    found = [(name, literal) for name, literal in circuit.outputs if name == output]
    if not found:
        raise ParameterError("output", f"one of {', '.join(name for name, _ in circuit.outputs)}", output)
    alone = replace(circuit, outputs=tuple(found))
    return _restricted(alone, alone.live)


def _restricted(circuit: Circuit, kept: Iterable[int]) -> Circuit:
    """The circuit with only these signals, numbered again."""
    signals = sorted(kept)
    place = {signal: number for number, signal in enumerate(signals)}
    n = len(circuit.inputs)
    gates = (circuit.gates[signal - n] for signal in signals if signal >= n)
    return Circuit(
        tuple(circuit.inputs[signal] for signal in signals if signal < n),
        tuple(replace(gate, inputs=tuple(place[signal] for signal in gate.inputs)) for gate in gates),
        tuple((name, Literal(place[literal.signal], literal.sign)) for name, literal in circuit.outputs),
    )
