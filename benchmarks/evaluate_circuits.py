"""Circuits like those that training finds, and the same circuits as dense layered networks."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np

from boolearn.circuit import Circuit, Gate, Kind, Literal
from boolearn.circuit.gate import conjunction, disjunction, majority
from boolearn.model import BoolNet
from boolearn.network import layered


def random_circuit(kind: str, width: int = 32, depth: int = 5, seed: int = 0) -> Circuit:
    """Every node is a copy or, with probability one half, a gate of random inputs, negated at random."""
    rng = np.random.default_rng(seed)
    gates = []
    for layer in range(depth):
        for _ in range(width):
            signals = rng.choice(width, 3, replace=False) + layer * width
            literals = [(int(signal), int(rng.choice((-1, 1)))) for signal in signals]
            if rng.random() < 0.5:
                gates.append(Gate((literals[0][0],), (1,)))
            elif kind == "maj":
                gates.append(majority(literals))
            else:
                gates.append((conjunction if rng.random() < 0.5 else disjunction)(literals[:2]))
    outputs = [Literal(depth * width + k) for k in range(width)]
    return _named(width, gates, outputs)


def multiplier(bits: int = 3) -> Circuit:
    """Partial products added up column by column; a full adder is two threshold gates."""
    gates: list[Gate] = []

    def add(gate: Gate) -> int:
        gates.append(gate)
        return 2 * bits + len(gates) - 1

    columns: list[list[int]] = [[] for _ in range(2 * bits + 1)]
    for i, j in itertools.product(range(bits), repeat=2):
        columns[i + j].append(add(conjunction([(i, 1), (bits + j, 1)])))
    for low, high in itertools.pairwise(columns):
        while len(low) > 1:
            three = low[:3]
            del low[:3]
            if len(three) == 3:
                carry = add(majority([(signal, 1) for signal in three]))
                low.append(add(Gate((*three, carry), (1, 1, 1, -2))))
            else:
                carry = add(conjunction([(signal, 1) for signal in three]))
                low.append(add(Gate((*three, carry), (1, 1, -2), bias=-1)))
            high.append(carry)
    return _named(2 * bits, gates, [Literal(column[0]) for column in columns[: 2 * bits]])


def _named(n_inputs: int, gates: list[Gate], outputs: list[Literal]) -> Circuit:
    return Circuit(
        tuple(f"x{k}" for k in range(n_inputs)),
        tuple(gates),
        tuple((f"y{k}", literal) for k, literal in enumerate(outputs)),
    )


CIRCUITS: dict[str, Callable[[], Circuit]] = {
    "random And/Or, 5 × 32": lambda: random_circuit("and/or"),
    "random Maj, 5 × 32": lambda: random_circuit("maj"),
    "3-bit multiplier": multiplier,
}


def worked_gates(circuit: Circuit) -> int:
    """Gates an output depends on, copies, negations and constants not counted."""
    needed = {literal.signal for _, literal in circuit.outputs}
    for index in range(circuit.n_signals - 1, len(circuit.inputs) - 1, -1):
        if index in needed:
            needed.update(circuit.gates[index - len(circuit.inputs)].inputs)
    free = (Kind.COPY, Kind.NOT, Kind.CONSTANT)
    return sum(
        index in needed and gate.kind not in free for index, gate in enumerate(circuit.gates, len(circuit.inputs))
    )


def as_boolnet(circuit: Circuit) -> BoolNet:
    """The circuit as a fully connected layered network with few weights that are not 0.

    A signal needed in a later layer is copied through the layers between, as a trained network does.
    """
    n_inputs = len(circuit.inputs)
    depth = circuit.depth
    last_needed = list(circuit.levels)
    for index, gate in enumerate(circuit.gates, n_inputs):
        for signal in gate.inputs:
            last_needed[signal] = max(last_needed[signal], circuit.levels[index] - 1)
    for _, literal in circuit.outputs:
        last_needed[literal.signal] = depth - 1
    rows = [[s for s in range(circuit.n_signals) if circuit.levels[s] <= k <= last_needed[s]] for k in range(depth)]
    rows[0] = list(range(n_inputs))
    outputs = [literal for _, literal in circuit.outputs]
    network = layered(*map(len, rows), len(outputs))
    blocks = []
    for level in range(1, depth + 1):
        place = {signal: 1 + k for k, signal in enumerate(rows[level - 1])}
        for node in rows[level] if level < depth else outputs:
            signal, sign = (node, 1) if isinstance(node, int) else (node.signal, node.sign)
            row = np.zeros(1 + len(place))
            if circuit.levels[signal] < level:
                row[place[signal]] = sign
            else:
                gate = circuit.gates[signal - n_inputs]
                row[0] = -sign * gate.bias
                for sender, weight in zip(gate.inputs, gate.weights, strict=True):
                    row[place[sender]] = sign * weight
            blocks.append(row)
    return BoolNet(network, np.concatenate(blocks))
