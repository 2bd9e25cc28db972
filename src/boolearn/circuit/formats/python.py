"""Python: a module with one function and its helpers, which needs nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.gate import Gate, Kind
from boolearn.circuit.rewriting.decompose import decompose
from boolearn.files import PathLike, write_text

_MOST_IN_A_ROW = 500
"""Operands one after another; longer expressions are hard for Python's parser."""


def python_source(
    circuit: Circuit,
    function: str = "predict",
    conditions: Mapping[str, str] | None = None,
    helpers: Mapping[str, str] | None = None,
) -> str:
    """The source of ``predict(row)``: from a mapping of names to values to a dict of the outputs, True or False.

    ``conditions`` gives, for an input, the condition on ``row`` under which it is true, such as ``row['age'] > 37.5``.
    An input without one is ``row[name]``, a bool, or a number that is true above 0, so that both 0/1 and ±1 work.
    ``helpers`` gives, by name, the source of functions that conditions may call; those that are called are written.
    """
    simple = decompose(circuit, fan_in=_MOST_IN_A_ROW)
    wanted = {name: f"row[{name!r}] > 0" for name in simple.inputs} | dict(conditions or {})
    n = len(simple.inputs)
    names = [f"x{signal}" if signal < n else f"g{signal - n}" for signal in range(simple.n_signals)]
    values = [wanted[name] for name in simple.inputs] + [_expression(gate, names) for gate in simple.gates]
    body = [f"{names[signal]} = {values[signal]}" for signal in sorted(simple.live)]
    answers = [f"    {name!r}: {_literal(names[literal.signal], literal.sign)}," for name, literal in simple.outputs]
    lines = [*body, "return {", *answers, "}"]
    text = f"{len(circuit.inputs)} inputs, {len(circuit.outputs)} outputs, {len(circuit.gates)} gates"
    called = [source for name, source in (helpers or {}).items() if any(f"{name}(" in line for line in body)]
    main = f"def {function}(row):\n" + "".join(f"    {line}\n" for line in lines)
    return "\n\n".join([f'"""A circuit of {text}."""\n', *called, main])


def write_python(circuit: Circuit, path: PathLike) -> None:
    """Write the module."""
    write_text(path, python_source(circuit))


def _expression(gate: Gate, names: Sequence[str]) -> str:
    if gate.kind is Kind.CONSTANT:
        return str(gate.bias > 0)
    literals = [_literal(names[signal], weight) for signal, weight in zip(gate.inputs, gate.weights, strict=True)]
    return (" or " if gate.kind is Kind.OR else " and ").join(literals)


def _literal(name: str, sign: int) -> str:
    return name if sign > 0 else f"not {name}"
