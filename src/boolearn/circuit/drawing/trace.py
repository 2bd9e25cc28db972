"""The part of a circuit that one output depends on."""

from __future__ import annotations

from dataclasses import replace

from boolearn.circuit.circuit import Circuit, Literal
from boolearn.errors import ParameterError


def trace(circuit: Circuit, output: str) -> Circuit:
    """A circuit with this output alone, and with the gates and inputs that lead to it."""
    found = dict(circuit.outputs).get(output)
    if found is None:
        raise ParameterError("output", f"one of {', '.join(name for name, _ in circuit.outputs)}", output)
    n = len(circuit.inputs)
    used = {found.signal}
    for index in range(circuit.n_signals - 1, n - 1, -1):
        if index in used:
            used.update(circuit.gates[index - n].inputs)
    kept = sorted(used)
    place = {signal: number for number, signal in enumerate(kept)}
    gates = [circuit.gates[signal - n] for signal in kept if signal >= n]
    return Circuit(
        tuple(circuit.inputs[signal] for signal in kept if signal < n),
        tuple(replace(gate, inputs=tuple(place[signal] for signal in gate.inputs)) for gate in gates),
        ((output, Literal(place[found.signal], found.sign)),),
    )
