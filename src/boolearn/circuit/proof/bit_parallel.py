"""A circuit on 64 items at a time, with NumPy's word operations."""

from __future__ import annotations

import numpy as np

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.gate import Gate, Kind
from boolearn.circuit.proof.words import BITS, Words, pack, unpack
from boolearn.circuit.rewriting.threshold_diagram import FALSE, TRUE, ThresholdDiagram, threshold_diagram

_MOST_NODES = 400
_ONES = np.uint64(0xFFFFFFFFFFFFFFFF)


class WordEvaluator:
    """Evaluates one circuit on packed inputs again and again; threshold gates run as their decision diagrams."""

    def __init__(self, circuit: Circuit) -> None:
        self.circuit = circuit
        self._diagrams: list[ThresholdDiagram | None] = [
            threshold_diagram(gate.weights, gate.bias, _MOST_NODES) if gate.kind in (Kind.MAJ, Kind.THRESHOLD) else None
            for gate in circuit.gates
        ]

    @property
    def complete(self) -> bool:
        """Whether all gates run as word operations."""
        return all(
            diagram is not None or gate.kind not in (Kind.MAJ, Kind.THRESHOLD)
            for gate, diagram in zip(self.circuit.gates, self._diagrams, strict=True)
        )

    def outputs(self, inputs: Words) -> Words:
        """Shape (outputs, words) from shape (inputs, words)."""
        circuit = self.circuit
        signals = list(inputs)
        for gate, diagram in zip(circuit.gates, self._diagrams, strict=True):
            signals.append(self._gate(gate, diagram, signals, inputs.shape[1]))
        return np.array(
            [
                signals[literal.signal] if literal.sign > 0 else ~signals[literal.signal]
                for _, literal in circuit.outputs
            ],
            np.uint64,
        ).reshape(len(circuit.outputs), inputs.shape[1])

    def _gate(self, gate: Gate, diagram: ThresholdDiagram | None, signals: list[Words], width: int) -> Words:
        operands = [
            signals[signal] if weight > 0 else ~signals[signal]
            for signal, weight in zip(gate.inputs, gate.weights, strict=True)
        ]
        match gate.kind:
            case Kind.CONSTANT:
                return np.full(width, _ONES if gate.bias > 0 else 0, np.uint64)
            case Kind.COPY | Kind.NOT:
                return operands[0]
            case Kind.AND:
                all_of: Words = np.bitwise_and.reduce(operands)
                return all_of
            case Kind.OR:
                any_of: Words = np.bitwise_or.reduce(operands)
                return any_of
        if diagram is None:
            return _by_sums(gate, [signals[signal] for signal in gate.inputs])
        made: dict[int, Words] = {
            FALSE: np.zeros(width, np.uint64),
            TRUE: np.full(width, _ONES, np.uint64),
        }
        for number, node in enumerate(diagram.nodes, 2):
            made[number] = made[node.low] | (operands[diagram.inputs[node.literal]] & made[node.high])
        return made[diagram.root]


def _by_sums(gate: Gate, operands: list[Words]) -> Words:
    """For gates whose diagram is too large: unpack and add up."""
    items = BITS * len(operands[0])
    values = unpack(np.array(operands), items)
    local = Circuit(
        tuple(map(str, range(len(operands)))), (Gate(tuple(range(len(operands))), gate.weights, gate.bias),), ()
    )
    packed: Words = pack(local.signal_values(values)[:, -1:])[0]
    return packed
