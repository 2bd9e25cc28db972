"""A circuit as a network with weights, so that a search can go on from it."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import numpy as np

from boolearn.circuit.circuit import Circuit, Literal, checked_circuit
from boolearn.circuit.gate import Gate
from boolearn.circuit.rewriting.decompose import decompose
from boolearn.circuit.rewriting.simplify import remove_dead
from boolearn.model import BoolNet
from boolearn.network import CONSTANT, Network


def as_model(circuit: Circuit) -> BoolNet:
    """The same function as a ``BoolNet``: a neuron for every And, Or and Maj of the decomposed circuit.

    These are gates that every solver can hold; ``boolearn.grow`` makes room around them. An output that is an input,
    a negation, or used twice gets a neuron that copies it.
    """
    nameless = replace(circuit, gates=tuple(replace(gate, name=None) for gate in checked_circuit(circuit).gates))
    small = _with_outputs_apart(remove_dead(decompose(nameless, majority=True, fan_in=2)))
    senders, weights = [], []
    for gate in small.gates:
        nodes = [signal + 1 for signal in gate.inputs]
        row = dict(zip(nodes, map(float, gate.weights), strict=True))
        row[CONSTANT] = -float(gate.bias)
        if not nodes:
            row[1] = 0.0  # a network wants every neuron to be reached from an input
        senders.append(sorted(row))
        values = np.array([row[node] for node in senders[-1]])
        weights.append(values * math.sqrt(len(values)) / np.linalg.norm(values))
    network = Network(
        n_inputs=len(small.inputs),
        n_outputs=len(small.outputs),
        start=np.concatenate(([0], np.cumsum([len(row) for row in senders]))),
        sender=np.concatenate(senders),
    )
    names = tuple(name for name, _ in small.outputs)
    return BoolNet(network, np.concatenate(weights), input_names=small.inputs, output_names=names)


def _with_outputs_apart(circuit: Circuit) -> Circuit:
    """The last gates are the outputs, one each, read by nothing else."""
    n = len(circuit.inputs)
    readers = Counter(signal for gate in circuit.gates for signal in gate.inputs)
    readers.update(literal.signal for _, literal in circuit.outputs)
    own = [literal.signal >= n and readers[literal.signal] == 1 for _, literal in circuit.outputs]
    moved = {literal.signal for (_, literal), alone in zip(circuit.outputs, own, strict=True) if alone}
    kept = [signal for signal in range(circuit.n_signals) if signal not in moved]
    place = {signal: number for number, signal in enumerate(kept)}

    def placed(gate: Gate, sign: int = 1) -> Gate:
        weights = tuple(sign * weight for weight in gate.weights)
        return Gate(tuple(place[signal] for signal in gate.inputs), weights, sign * gate.bias)

    gates = [placed(circuit.gates[signal - n]) for signal in kept if signal >= n]
    for (_, literal), alone in zip(circuit.outputs, own, strict=True):
        copy = Gate((literal.signal,), (1,))
        gates.append(placed(circuit.gates[literal.signal - n] if alone else copy, literal.sign))
    first = n + len(gates) - len(circuit.outputs)
    outputs = tuple((name, Literal(first + index)) for index, (name, _) in enumerate(circuit.outputs))
    return Circuit(circuit.inputs, tuple(gates), outputs)
