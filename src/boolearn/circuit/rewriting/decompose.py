"""Threshold gates as And and Or gates, for formats and readers that know nothing else.

Negations stay where they are, as signs on inputs.
"""

from __future__ import annotations

from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.gate import Gate, Kind
from boolearn.circuit.rewriting.gate_builder import FALSE, TRUE, GateBuilder
from boolearn.circuit.rewriting.threshold_diagram import threshold_diagram
from boolearn.errors import CircuitError, ParameterError

_MOST_NODES = 100_000


def decompose(circuit: Circuit, fan_in: int | None = None) -> Circuit:
    """The same function from And and Or gates alone, of at most ``fan_in`` inputs if that is given.

    A threshold gate becomes its decision diagram. Since the function rises with every literal, a node of it is
    ``low | (literal & high)``, and nodes that several others lead to are shared.
    """
    if fan_in is not None and fan_in < 2:
        raise ParameterError("fan_in", "at least 2, or None", fan_in)
    builder = GateBuilder(len(circuit.inputs))
    literals = [Literal(signal) for signal in range(len(circuit.inputs))]
    for gate in circuit.gates:
        operands = [
            Literal(literals[signal].signal, literals[signal].sign * (1 if weight > 0 else -1))
            for signal, weight in zip(gate.inputs, gate.weights, strict=True)
        ]
        if gate.kind in (Kind.AND, Kind.OR):
            literals.append(_joined(builder, gate.kind, operands, gate.name, fan_in))
        else:
            literals.append(_from_diagram(builder, gate, operands))
    outputs = [
        (name, Literal(literals[output.signal].signal, literals[output.signal].sign * output.sign))
        for name, output in circuit.outputs
    ]
    return builder.circuit(circuit.inputs, outputs)


def _joined(builder: GateBuilder, kind: Kind, operands: list[Literal], name: str | None, most: int | None) -> Literal:
    """And or Or; too many operands are joined in groups first, which keeps the tree as shallow as it can be."""
    join = builder.conjunction if kind is Kind.AND else builder.disjunction
    while most is not None and len(operands) > most:
        operands = [join(operands[k : k + most]) for k in range(0, len(operands), most)]
    return join(operands, name)


def _from_diagram(builder: GateBuilder, gate: Gate, operands: list[Literal]) -> Literal:
    diagram = threshold_diagram(gate.weights, gate.bias, _MOST_NODES)
    if diagram is None:
        raise CircuitError(
            f"a threshold gate of {len(gate.inputs)} inputs takes more than {_MOST_NODES} And and Or gates."
        )
    made = {0: FALSE, 1: TRUE}
    for number, node in enumerate(diagram.nodes, 2):
        asked = operands[diagram.inputs[node.literal]]
        name = gate.name if number == diagram.root else None
        both = builder.conjunction([asked, made[node.high]], name if node.low == 0 else None)
        made[number] = builder.disjunction([made[node.low], both], name)
    return made[diagram.root]
