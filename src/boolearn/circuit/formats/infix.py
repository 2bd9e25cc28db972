"""Gates as ``&``, ``|``, ``^`` and ``~`` between names, as C and Verilog write them."""

from __future__ import annotations

from collections.abc import Sequence

from boolearn.circuit.gate import Gate, Kind

_OPERATORS = {Kind.AND: " & ", Kind.XOR: " ^ "}


def infix(gate: Gate, names: Sequence[str], constants: tuple[str, str], majority: str) -> str:
    """One gate of a decomposed circuit; the words for 0 and 1, and how a majority of a, b and c is best written."""
    literals = [
        f"{'~' if weight < 0 else ''}{names[signal]}" for signal, weight in zip(gate.inputs, gate.weights, strict=True)
    ]
    match gate.kind:
        case Kind.CONSTANT:
            return constants[gate.bias > 0]
        case Kind.MAJ:
            return majority.format(**dict(zip("abc", literals, strict=True)))
    return _OPERATORS.get(gate.kind, " | ").join(literals)
