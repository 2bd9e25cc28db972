"""Values of all signals of a circuit on all rows at once: an integer for each signal, a bit of it for each row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from boolearn.circuit import Circuit, Gate, Kind


def vector(signs: npt.NDArray[np.int8]) -> int:
    """Row r is bit r; +1 is 1."""
    return int.from_bytes(np.packbits(signs > 0, bitorder="little").tobytes(), "little")


def vectors(table: npt.NDArray[np.int8]) -> list[int]:
    """One for every column."""
    return [vector(column) for column in table.T]


def gate_vector(gate: Gate, values: Sequence[int], full: int) -> int:
    """What a constant, a copy, an And, an Or or a majority of three holds."""
    read = [values[s] if w > 0 else values[s] ^ full for s, w in zip(gate.inputs, gate.weights, strict=True)]
    match gate.kind, read:
        case Kind.CONSTANT, _:
            return full if gate.bias > 0 else 0
        case ((Kind.COPY | Kind.NOT), [a]):
            return a
        case Kind.AND, [a, b]:
            return a & b
        case Kind.OR, [a, b]:
            return a | b
        case Kind.MAJ, [a, b, c]:
            return (a & (b | c)) | (b & c)
    raise AssertionError(f"gates must be made of two-input gates and majorities of three first. Got {gate} instead.")


def signal_vectors(
    circuit: Circuit, inputs: Sequence[int], full: int, forced: Mapping[int, int] | None = None
) -> list[int]:
    """What every signal holds; ``forced`` ones hold what they are told."""
    values = list(inputs)
    forced = forced or {}
    for signal, gate in enumerate(circuit.gates, len(values)):
        values.append(forced[signal] if signal in forced else gate_vector(gate, values, full))
    return values
