"""A circuit as formulas that people, Python and SymPy read."""

from __future__ import annotations

from collections import Counter

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.gate import Gate, Kind
from boolearn.circuit.names import identifiers
from boolearn.circuit.rewriting.decompose import decompose
from boolearn.files import PathLike, write_text

_LONGEST_INLINE = 60
_MOST_IN_A_ROW = 500
"""Operators one after another; Python's parser cannot read thousands of them."""
_OPPOSITE = {"True": "False", "False": "True"}


def formulas(circuit: Circuit, expand: bool = False) -> dict[str, str]:
    """Expressions by name, each using only inputs and names above it; the outputs come last, in order.

    And, Or, Not and Xor are written ``&``, ``|``, ``~`` and ``^``, three-input majorities ``Maj(a, b, c)``, other
    threshold gates as comparisons of sums in which true counts 1 and false 0, such as ``2*a + b - c >= 2``. With
    ``expand`` all are written with ``&``, ``|`` and ``~`` alone, so that SymPy can work with the formulas. Gates that
    are used more than once, or would make a line long, get names of their own; gates that no output depends on are
    left out. Names are changed into identifiers where they are not.
    """
    if expand:
        circuit = decompose(circuit)
    n_inputs = len(circuit.inputs)
    given = [gate.name or f"g{index}" for index, gate in enumerate(circuit.gates)]
    names = identifiers(circuit.inputs, [name for name, _ in circuit.outputs], given)
    ours = names[:n_inputs] + names[n_inputs + len(circuit.outputs) :]
    live = circuit.live  # a line for any other gate would be read back as one more output
    uses = Counter(
        signal for index, gate in enumerate(circuit.gates, n_inputs) if index in live for signal in gate.inputs
    )
    uses.update(literal.signal for _, literal in circuit.outputs)
    lines: dict[str, str] = {}
    text: list[tuple[str, bool]] = [(name, True) for name in ours[:n_inputs]]
    for index, gate in enumerate(circuit.gates, n_inputs):
        if index not in live:
            text.append(("", True))  # nothing asks for it
            continue
        expression, atomic = _expression(gate, text)
        if gate.inputs and (uses[index] > 1 or len(expression) > _LONGEST_INLINE):
            lines[ours[index]] = expression
            expression, atomic = ours[index], True
        text.append((expression, atomic))
    for name, (_, literal) in zip(names[n_inputs : n_inputs + len(circuit.outputs)], circuit.outputs, strict=True):
        lines[name] = text[literal.signal][0] if literal.sign > 0 else _operand(text[literal.signal], -1)
    return lines


def formula_text(circuit: Circuit, expand: bool = False) -> str:
    """The same as lines ``name = expression``, which ``circuit_from_formulas`` reads back."""
    return "".join(f"{name} = {expression}\n" for name, expression in formulas(circuit, expand).items())


def write_formulas(circuit: Circuit, path: PathLike) -> None:
    """Write the lines."""
    write_text(path, formula_text(circuit))


def _expression(gate: Gate, text: list[tuple[str, bool]]) -> tuple[str, bool]:
    """The formula of a gate and whether it can be used anywhere without brackets."""
    operands = [_operand(text[signal], weight) for signal, weight in zip(gate.inputs, gate.weights, strict=True)]
    match gate.kind:
        case Kind.CONSTANT:
            return ("True" if gate.bias > 0 else "False"), True
        case Kind.COPY:
            return text[gate.inputs[0]]
        case Kind.NOT:
            return operands[0], True
        case Kind.AND:
            return _joined(operands, " & "), False
        case Kind.OR:
            return _joined(operands, " | "), False
        case Kind.XOR:
            return _joined(operands, " ^ "), False
        case Kind.MAJ if len(operands) == 3:
            return f"Maj({', '.join(operands)})", True
    # Σ w·x + bias > 0 with x = 2a − 1 is Σ w·a ≥ ⌊(Σ w − bias)/2⌋ + 1.
    least = (sum(gate.weights) - gate.bias) // 2 + 1
    terms = []
    for signal, weight in zip(gate.inputs, gate.weights, strict=True):
        name = _operand(text[signal], 1)
        terms.append(("- " if weight < 0 else "+ ") + (name if abs(weight) == 1 else f"{abs(weight)}*{name}"))
    groups = [_sum(terms[first : first + _MOST_IN_A_ROW]) for first in range(0, len(terms), _MOST_IN_A_ROW)]
    total = groups[0] if len(groups) == 1 else " + ".join(f"({group})" for group in groups)
    return f"{total} >= {least}", False


def _joined(operands: list[str], operator: str) -> str:
    """The operands with an operator between them, in brackets where there are very many."""
    if len(operands) <= _MOST_IN_A_ROW:
        return operator.join(operands)
    groups = [operands[first : first + _MOST_IN_A_ROW] for first in range(0, len(operands), _MOST_IN_A_ROW)]
    return _joined([f"({operator.join(group)})" for group in groups], operator)


def _sum(terms: list[str]) -> str:
    """Terms that begin with their signs; the first needs no plus."""
    first = terms[0][2:] if terms[0].startswith("+") else f"-{terms[0][2:]}"
    return " ".join([first, *terms[1:]])


def _operand(text: tuple[str, bool], weight: int) -> str:
    expression, atomic = text
    if not atomic:
        expression = f"({expression})"
    if weight > 0:
        return expression
    if expression in _OPPOSITE:  # Python's ~True is the number −2
        return _OPPOSITE[expression]
    return expression[1:] if expression.startswith("~") else f"~{expression}"
