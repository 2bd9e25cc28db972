"""Threshold gates as And and Or gates, exactly, for formats and readers that know nothing else.

A threshold gate becomes its decision diagram, which has few nodes as long as the weights are small. Where they are so
wild that the diagram would be large, the sum is added up in binary instead. Negations stay on the gates' inputs.
"""

from __future__ import annotations

from collections.abc import Sequence

from boolearn.circuit.building import FALSE, TRUE, CircuitBuilder
from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.gate import Gate, Kind
from boolearn.circuit.rewriting.threshold_diagram import Join, Majority, Node, ThresholdDiagram, threshold_diagram
from boolearn.errors import ParameterError

_GATES_PER_ADDED_BIT = 9
_ALWAYS_SMALL = 256


def decompose(circuit: Circuit, *, majority: bool = False, fan_in: int | None = None) -> Circuit:
    """The same function from And and Or gates, and with ``majority`` also Maj of three.

    Every gate that has a name keeps a gate of its own that holds its value: a copy, a Not or a constant where nothing
    else is left of it. Other gates vanish where they say nothing new, and what is put before a gate has no name.
    ``fan_in`` is the most inputs an And or Or may have: 2 or more, or None for any number.
    """
    if fan_in is not None and fan_in < 2:
        raise ParameterError("fan_in", "None or at least 2", fan_in)
    builder = CircuitBuilder(circuit.inputs, fan_in=fan_in)
    literals = [Literal(signal) for signal in range(len(circuit.inputs))]
    for gate in circuit.gates:
        operands = [
            Literal(literals[signal].signal, literals[signal].sign * (1 if weight > 0 else -1))
            for signal, weight in zip(gate.inputs, gate.weights, strict=True)
        ]
        literal = _decomposed(builder, gate, operands, majority)
        literals.append(literal if gate.name is None else builder.named(literal, gate.name))
    return builder.circuit(
        (name, Literal(literals[output.signal].signal, literals[output.signal].sign * output.sign))
        for name, output in circuit.outputs
    )


def _decomposed(builder: CircuitBuilder, gate: Gate, operands: list[Literal], majority: bool) -> Literal:
    """The gate over operands that already have the signs of its weights."""
    match gate.kind:
        case Kind.CONSTANT:
            return TRUE if gate.bias > 0 else FALSE
        case Kind.COPY | Kind.NOT:
            return operands[0]
        case Kind.AND:
            return builder.conjunction(operands)
        case Kind.OR:
            return builder.disjunction(operands)
        case Kind.MAJ if majority and len(operands) == 3:
            return builder.majority(*operands)
    sizes = [abs(weight) for weight in gate.weights]
    most_nodes = max(_ALWAYS_SMALL, _GATES_PER_ADDED_BIT * len(sizes) * sum(sizes).bit_length())
    diagram = threshold_diagram(gate.weights, gate.bias, most_nodes)
    if diagram is not None:
        return _decided(builder, diagram, operands, majority)
    return _added_up(builder, sizes, operands, need=(sum(sizes) - gate.bias) // 2 + 1)


def _decided(builder: CircuitBuilder, diagram: ThresholdDiagram, operands: list[Literal], majority: bool) -> Literal:
    asked = [operands[k] for k in diagram.inputs]
    made = {0: FALSE, 1: TRUE}
    for number, part in diagram.parts(majority):
        match part:
            case Node(literal, high, low):
                both = builder.conjunction((asked[literal], made[high]))
                made[number] = builder.disjunction((made[low], both))
            case Join(literals, all_needed):
                join = builder.conjunction if all_needed else builder.disjunction
                made[number] = join(asked[k] for k in literals)
            case Majority(a, b, c):
                made[number] = builder.majority(asked[a], asked[b], asked[c])
    return made[diagram.root]


def _added_up(builder: CircuitBuilder, weights: Sequence[int], literals: Sequence[Literal], need: int) -> Literal:
    """Add Σ wᵢℓᵢ + 2ᵇ − need in binary, 2ᵇ beyond the largest sum: bit b says whether the need is met."""
    top = sum(weights).bit_length()
    columns: list[list[Literal]] = [[] for _ in range(top + 1)]
    for weight, literal in zip(weights, literals, strict=True):
        for bit in range(top):
            if weight >> bit & 1:
                columns[bit].append(literal)
    offset = (1 << top) - need
    for bit in range(top + 1):
        if offset >> bit & 1:
            columns[bit].append(TRUE)
    for bit in range(top):
        column = columns[bit]
        while len(column) > 1:
            a, b = column.pop(0), column.pop(0)
            c = column.pop(0) if column else FALSE
            column.append(builder.exclusive(builder.exclusive(a, b), c))
            carry = builder.conjunction((c, builder.disjunction((a, b))))
            columns[bit + 1].append(builder.disjunction((builder.conjunction((a, b)), carry)))
    # The sum stays below 2ᵇ⁺¹, so at most one carry arrives here.
    return builder.disjunction(columns[top])
