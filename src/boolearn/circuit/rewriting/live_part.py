"""Only what outputs need: a circuit without dead gates, or the part that one output depends on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from boolearn.circuit.circuit import Circuit, Literal
from boolearn.errors import ParameterError


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
    """The circuit with only these signals, numbered anew."""
    signals = sorted(kept)
    place = {signal: number for number, signal in enumerate(signals)}
    n = len(circuit.inputs)
    gates = (circuit.gates[signal - n] for signal in signals if signal >= n)
    return Circuit(
        tuple(circuit.inputs[signal] for signal in signals if signal < n),
        tuple(replace(gate, inputs=tuple(place[signal] for signal in gate.inputs)) for gate in gates),
        tuple((name, Literal(place[literal.signal], literal.sign)) for name, literal in circuit.outputs),
    )
