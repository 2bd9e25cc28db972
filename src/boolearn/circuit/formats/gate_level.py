"""Threshold gates as And, Or and Not, exactly.

A threshold over literals ℓ with positive weights asks whether Σ wᵢℓᵢ ≥ need. Decided one literal after the other,
it is a decision diagram of few nodes as long as the weights are small; because it can only rise with a literal,
every node is ``low ∨ (ℓ ∧ high)``. Where the weights are so wild that the diagram would be large, the sum is added
up in binary instead.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace

from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.formats.builder import CircuitBuilder, Operand
from boolearn.circuit.gate import Gate, Kind, conjunction, constant, disjunction, majority
from boolearn.errors import ParameterError

_GATES_PER_ADDED_BIT = 9
_ALWAYS_SMALL = 256


def gate_level(circuit: Circuit, majority: bool = True, fan_in: int | None = None) -> Circuit:
    """The same circuit with And, Or, copies, Nots and constants only; with ``majority`` also Maj of three.

    Every gate of the circuit keeps a gate of its own that holds its value and has its name. The gates that are put
    before it have no names. ``fan_in`` is the most inputs an And or Or may have: 2 or more, or None for any number.
    """
    if fan_in is not None and fan_in < 2:
        raise ParameterError("fan_in", "None or at least 2", fan_in)
    simple = _without_thresholds(circuit, majority)
    return simple if fan_in is None else _narrowed(simple, fan_in)


def _without_thresholds(circuit: Circuit, majority: bool) -> Circuit:
    builder = CircuitBuilder(circuit.inputs)
    place = list(range(len(circuit.inputs)))
    for gate in circuit.gates:
        moved = replace(gate, inputs=tuple(place[signal] for signal in gate.inputs))
        simple = _with_unit_weights(moved, majority)
        if simple is not None:
            place.append(builder.append(simple).signal)
        else:
            place.append(builder.signal(_threshold(builder, moved), gate.name).signal)
    outputs = tuple((name, Literal(place[literal.signal], literal.sign)) for name, literal in circuit.outputs)
    return Circuit(circuit.inputs, tuple(builder.gates), outputs)


def _narrowed(circuit: Circuit, fan_in: int) -> Circuit:
    """And and Or of many inputs as balanced trees."""
    builder = CircuitBuilder(circuit.inputs)
    place = list(range(len(circuit.inputs)))
    for gate in circuit.gates:
        literals = [Literal(place[signal], weight) for signal, weight in zip(gate.inputs, gate.weights, strict=True)]
        if gate.kind in (Kind.AND, Kind.OR):
            combine = builder.conjunction if gate.kind is Kind.AND else builder.disjunction
            parts: list[Operand] = list(literals)
            while len(parts) > fan_in:
                parts = [combine(parts[first : first + fan_in]) for first in range(0, len(parts), fan_in)]
            place.append(builder.signal(combine(parts), gate.name).signal)
        else:
            moved = replace(gate, inputs=tuple(literal.signal for literal in literals))
            place.append(builder.append(moved).signal)
    outputs = tuple((name, Literal(place[literal.signal], literal.sign)) for name, literal in circuit.outputs)
    return Circuit(circuit.inputs, tuple(builder.gates), outputs)


def _with_unit_weights(gate: Gate, keep_majority: bool) -> Gate | None:
    """The gate with weights ±1, if its kind is one that stays."""
    literals = [(signal, 1 if weight > 0 else -1) for signal, weight in zip(gate.inputs, gate.weights, strict=True)]
    match gate.kind:
        case Kind.CONSTANT:
            return constant(gate.bias, gate.name)
        case Kind.COPY | Kind.NOT:
            return Gate(gate.inputs, (literals[0][1],), name=gate.name)
        case Kind.AND:
            return conjunction(literals, gate.name)
        case Kind.OR:
            return disjunction(literals, gate.name)
        case Kind.MAJ if keep_majority and len(literals) == 3:
            return majority(literals, gate.name)
    return None


def _threshold(builder: CircuitBuilder, gate: Gate) -> Operand:
    # With bits b = (1 + s)/2 of the literals, bias + Σ|w|s > 0 says Σ|w|b > (Σ|w| − bias)/2.
    terms = sorted(zip((abs(weight) for weight in gate.weights), gate.inputs, gate.weights, strict=True), reverse=True)
    weights = [size for size, _, _ in terms]
    literals = [Literal(signal, 1 if weight > 0 else -1) for _, signal, weight in terms]
    need = (sum(weights) - gate.bias) // 2 + 1
    diagram = _Diagram(weights, need)
    if diagram.complete:
        return diagram.build(builder, literals)
    return _compare_sum(builder, weights, literals, need)


class _Diagram:
    """The decision diagram of Σ wᵢℓᵢ ≥ need: node (i, interval) decides about the literals from i on.

    All needs in one interval ask for the same function, so they share the node (Abío et al., "A new look at BDDs for
    pseudo-Boolean constraints").
    """

    def __init__(self, weights: list[int], need: int) -> None:
        self.weights, self.need = weights, need
        self.rest = [sum(weights[i:]) for i in range(len(weights) + 1)]
        self.order: list[tuple[int, int, int]] = []  # the nodes, (i, least need, greatest need), children first
        self.intervals: list[list[tuple[int, int]]] = [[] for _ in weights]
        limit = max(_ALWAYS_SMALL, _GATES_PER_ADDED_BIT * len(weights) * sum(weights).bit_length())
        stack = [(0, need)]
        while stack and len(self.order) <= limit:
            i, wanted = stack[-1]
            if self._find(i, wanted):
                stack.pop()
                continue
            low, high = self._find(i + 1, wanted), self._find(i + 1, wanted - weights[i])
            if low and high:
                least, greatest = max(low[0], high[0] + weights[i]), min(low[1], high[1] + weights[i])
                position = bisect_right(self.intervals[i], (least, greatest))
                self.intervals[i].insert(position, (least, greatest))
                self.order.append((i, least, greatest))
            elif not low:
                stack.append((i + 1, wanted))
            else:
                stack.append((i + 1, wanted - weights[i]))
        self.complete = not stack

    def _find(self, i: int, need: int) -> tuple[int, int] | None:
        """The interval of needs around this one for which the function is the same, if it is known yet."""
        total = self.rest[i]
        if need <= 0:
            return -self.rest[0], 0
        if need > total:
            return total + 1, 2 * self.rest[0] + abs(self.need)
        least = self.weights[-1]
        if need <= least:
            return 1, least  # any of the rest
        if need > total - least:
            return total - least + 1, total  # all of the rest
        position = bisect_right(self.intervals[i], (need, 2 * self.rest[0])) - 1
        if position >= 0 and need <= self.intervals[i][position][1]:
            return self.intervals[i][position]
        return None

    def build(self, builder: CircuitBuilder, literals: list[Literal]) -> Operand:
        made: dict[tuple[int, int], Operand] = {}

        def operand(i: int, need: int) -> Operand:
            if need <= 0 or need > self.rest[i]:
                return need <= 0
            if need <= self.weights[-1]:
                return builder.disjunction(literals[i:])
            if need > self.rest[i] - self.weights[-1]:
                return builder.conjunction(literals[i:])
            interval = self._find(i, need)
            assert interval is not None
            return made[i, interval[0]]

        for i, least, _ in self.order:
            low, high = operand(i + 1, least), operand(i + 1, least - self.weights[i])
            made[i, least] = builder.disjunction((low, builder.conjunction((literals[i], high))))
        return operand(0, self.need)


def _compare_sum(builder: CircuitBuilder, weights: list[int], literals: list[Literal], need: int) -> Operand:
    """Add Σ wᵢℓᵢ + 2ᵇ − need in binary, 2ᵇ beyond the largest sum: bit b says whether the need is met."""
    top = sum(weights).bit_length()
    columns: list[list[Operand]] = [[] for _ in range(top + 1)]
    for weight, literal in zip(weights, literals, strict=True):
        for bit in range(top):
            if weight >> bit & 1:
                columns[bit].append(literal)
    offset = (1 << top) - need
    for bit in range(top + 1):
        if offset >> bit & 1:
            columns[bit].append(True)
    for bit in range(top):
        column = columns[bit]
        while len(column) > 1:
            a, b = column.pop(0), column.pop(0)
            c = column.pop(0) if column else False
            half = builder.exclusive(a, b)
            column.append(builder.exclusive(half, c))
            carry = builder.conjunction((c, builder.disjunction((a, b))))
            columns[bit + 1].append(builder.disjunction((builder.conjunction((a, b)), carry)))
    # The sum stays below 2ᵇ⁺¹, so at most one carry arrives here.
    return builder.disjunction(columns[top])
