"""BENCH, the format of the ISCAS benchmark circuits: every gate by its name, Nots as gates of their own."""

from __future__ import annotations

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.gate import Kind
from boolearn.circuit.names import escape, name_signals
from boolearn.circuit.rewriting.decompose import decompose
from boolearn.errors import FileError
from boolearn.files import PathLike, write_text

_WORDS = {Kind.AND: "AND", Kind.OR: "OR", Kind.XOR: "XOR", Kind.COPY: "BUFF"}


def write_bench(circuit: Circuit, path: PathLike) -> None:
    """Write the circuit with AND, OR, XOR, NOT and BUFF; the format has no constants, so they cost an AND or OR."""
    simple = decompose(circuit, xor=True)
    names = name_signals(simple, _token, one_port=True)
    n = len(simple.inputs)
    lines = [f"INPUT({token})" for token in names.signals[:n]]
    lines += [f"OUTPUT({token})" for token in names.outputs]
    inverted: dict[int, str] = {}

    def literal(signal: int, sign: int) -> str:
        if sign > 0:
            return names.signals[signal]
        if signal not in inverted:
            inverted[signal] = names.unique(f"{names.signals[signal]}_not")
            lines.append(f"{inverted[signal]} = NOT({names.signals[signal]})")
        return inverted[signal]

    for token, gate in zip(names.signals[n:], simple.gates, strict=True):
        if gate.kind is Kind.CONSTANT:
            if not simple.inputs:
                raise FileError(path, None, "BENCH cannot hold a constant in a circuit without inputs.")
            word = "OR" if gate.bias > 0 else "AND"
            lines.append(f"{token} = {word}({names.signals[0]}, {literal(0, -1)})")
        elif gate.kind is Kind.NOT:
            lines.append(f"{token} = NOT({names.signals[gate.inputs[0]]})")
        else:
            read = [literal(signal, weight) for signal, weight in zip(gate.inputs, gate.weights, strict=True)]
            lines.append(f"{token} = {_WORDS[gate.kind]}({', '.join(read)})")
    for token, (_, output) in zip(names.outputs, simple.outputs, strict=True):
        if token != names.signals[output.signal]:
            lines.append(f"{token} = {'BUFF' if output.sign > 0 else 'NOT'}({names.signals[output.signal]})")
    write_text(path, "\n".join(lines) + "\n")


def _token(name: str) -> str:
    return escape(name, " #(),=")
