"""A circuit in numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.gate import Kind

_MOST_UNUSED = 12
"""Inputs that are listed as unused; after that they are counted."""


@dataclass(frozen=True)
class CircuitSummary:
    """Gates by kind, Nots, depth, and how many inputs gates have; ``str()`` is one line for people."""

    inputs: int
    outputs: int
    gates: int
    counts: dict[Kind, int]
    nots: int
    """Inputs of gates, and outputs, that are used negated."""
    depth: int
    supports: dict[int, int]
    """How many gates have how many inputs."""
    unused_inputs: tuple[str, ...]

    def __str__(self) -> str:
        kinds = ", ".join(f"{self.counts[kind]} {kind.value}" for kind in Kind if self.counts.get(kind))
        fan_in = ", ".join(f"{count} of {size}" for size, count in sorted(self.supports.items()))
        counts = (self.inputs, "input"), (self.outputs, "output"), (self.gates, "gate")
        text = ", ".join(_counted(*count) for count in counts) + (f" ({kinds})" if kinds else "")
        text += f", {_counted(self.nots, 'not')}" + (f", depth {self.depth}" if self.gates else "")
        if fan_in:
            text += f"; gates by number of inputs: {fan_in}"
        if self.unused_inputs:
            shown, more = self.unused_inputs[:_MOST_UNUSED], len(self.unused_inputs) - _MOST_UNUSED
            text += f"; unused inputs: {', '.join(shown)}" + (f" and {more} more" if more > 0 else "")
        return text + "."


def summarize(circuit: Circuit) -> CircuitSummary:
    used = {signal for gate in circuit.gates for signal in gate.inputs}
    used.update(literal.signal for _, literal in circuit.outputs)
    return CircuitSummary(
        inputs=len(circuit.inputs),
        outputs=len(circuit.outputs),
        gates=len(circuit.gates),
        counts=dict(circuit.counts),
        nots=count_nots(circuit),
        depth=circuit.depth,
        supports=dict(Counter(len(gate.inputs) for gate in circuit.gates)),
        unused_inputs=tuple(name for signal, name in enumerate(circuit.inputs) if signal not in used),
    )


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"


def count_nots(circuit: Circuit) -> int:
    """How many gate inputs and outputs are negated."""
    on_inputs = sum(weight < 0 for gate in circuit.gates for weight in gate.weights)
    return on_inputs + sum(literal.sign < 0 for _, literal in circuit.outputs)
