"""Threshold gates and exclusive ors as And and Or gates, exactly, for formats and readers that know nothing else.

A threshold gate becomes its decision diagram, which has few nodes as long as the weights are small. Where they are so
wild that the diagram would be large, the sum is added up in binary instead. Negations stay on the gates' inputs.
"""

from __future__ import annotations

from boolearn.checks import checked_integer
from boolearn.circuit.building import FALSE, TRUE, CircuitBuilder, negation, signed
from boolearn.circuit.circuit import Circuit, Literal, checked_circuit
from boolearn.circuit.gate import Gate, Kind
from boolearn.circuit.threshold.binary_sum import BitAlgebra
from boolearn.circuit.threshold.diagram import Join, Majority, Node, ThresholdDiagram, threshold_diagram

_GATES_PER_ADDED_BIT = 9
_ALWAYS_SMALL = 256
_ALWAYS_LARGE = 100_000


def decompose(circuit: Circuit, *, majority: bool = False, xor: bool = False, fan_in: int | None = None) -> Circuit:
    """The same function from And and Or gates, with ``majority`` also Maj of three and with ``xor`` Xor of two.

    Every gate that has a name keeps a gate of its own that holds its value: a copy, a Not or a constant where nothing
    else is left of it. Other gates vanish where they say nothing new, and what is put before a gate has no name.
    ``fan_in`` is the most inputs an And or Or may have: 2 or more, or None for any number.
    """
    if fan_in is not None:
        fan_in = checked_integer("fan_in", fan_in, 2)
    builder = CircuitBuilder(checked_circuit(circuit).inputs, fan_in=fan_in)
    literals = [Literal(signal) for signal in range(len(circuit.inputs))]
    for gate in circuit.gates:
        operands = [signed(literals[signal], weight) for signal, weight in zip(gate.inputs, gate.weights, strict=True)]
        literal = _parity(builder, operands, xor) if gate.xor else decomposed_gate(builder, gate, operands, majority)
        literals.append(literal if gate.name is None else builder.named(literal, gate.name))
    return builder.circuit((name, signed(literals[output.signal], output.sign)) for name, output in circuit.outputs)


def _parity(builder: CircuitBuilder, operands: list[Literal], xor: bool) -> Literal:
    """Exclusive or, as a balanced tree of exclusive ors of two."""
    while len(operands) > 1:
        pairs = zip(operands[::2], operands[1::2], strict=False)
        joined = [builder.exclusive(pair) if xor else _different(builder, *pair) for pair in pairs]
        operands = joined + operands[len(operands) & ~1 :]
    return operands[0]


def _different(builder: CircuitBuilder, a: Literal, b: Literal) -> Literal:
    """Exclusive or as And and Or."""
    return builder.disjunction((builder.conjunction((a, negation(b))), builder.conjunction((negation(a), b))))


def decomposed_gate(builder: CircuitBuilder, gate: Gate, operands: list[Literal], majority: bool) -> Literal:
    """The threshold gate over operands that already have the signs of its weights."""
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
    digits = sum(map(abs, gate.weights)).bit_length()
    most = min(max(_ALWAYS_SMALL, _GATES_PER_ADDED_BIT * len(operands) * digits), _ALWAYS_LARGE)
    diagram = threshold_diagram(gate.weights, gate.bias, most)
    if diagram is None:
        return _added_up(builder, gate, operands)
    return _decided(builder, diagram, operands, majority)


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


def _added_up(builder: CircuitBuilder, gate: Gate, operands: list[Literal]) -> Literal:
    def add(a: Literal, b: Literal, c: Literal) -> tuple[Literal, Literal]:
        carried = builder.conjunction((c, builder.disjunction((a, b))))
        carry = builder.disjunction((builder.conjunction((a, b)), carried))
        return _different(builder, _different(builder, a, b), c), carry

    algebra = BitAlgebra(
        false=FALSE,
        true=TRUE,
        both=lambda a, b: builder.conjunction((a, b)),
        either=lambda a, b: builder.disjunction((a, b)),
        add=add,
    )
    sizes = [abs(weight) for weight in gate.weights]
    return algebra.sum_at_least(zip(sizes, operands, strict=True), (sum(sizes) - gate.bias) // 2 + 1)
