"""DOT, the language of Graphviz: for drawing by others and for looking at the wiring."""

from __future__ import annotations

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.gate import Gate, Kind
from boolearn.files import PathLike, write_text

_COLOURS = {
    Kind.CONSTANT: "white",
    Kind.COPY: "grey80",
    Kind.NOT: "grey80",
    Kind.AND: "lightblue",
    Kind.OR: "lightcoral",
    Kind.MAJ: "palegreen",
    Kind.XOR: "plum",
    Kind.THRESHOLD: "moccasin",
}


def write_dot(circuit: Circuit, path: PathLike) -> None:
    """Write a graph with the inputs at the bottom; red edges negate."""
    lines = ["digraph circuit {", "  rankdir=BT;", "  node [style=filled, fillcolor=white];"]
    n = len(circuit.inputs)
    for index, name in enumerate(circuit.inputs):
        lines.append(f"  s{index} [label={_quoted(name)}, shape=box];")
    for index, gate in enumerate(circuit.gates, n):
        lines.append(f"  s{index} [label={_quoted(_label(gate))}, fillcolor={_COLOURS[gate.kind]}];")
        heavy = len({abs(weight) for weight in gate.weights}) > 1
        for signal, weight in zip(gate.inputs, gate.weights, strict=True):
            attributes = ["color=red"] if weight < 0 else []
            attributes += [f'label="{weight}"'] if heavy else []
            lines.append(f"  s{signal} -> s{index}{_listed(attributes)};")
    for number, (name, literal) in enumerate(circuit.outputs):
        lines.append(f"  o{number} [label={_quoted(name)}, shape=box];")
        lines.append(f"  s{literal.signal} -> o{number}{_listed(['color=red'] if literal.sign < 0 else [])};")
    for word, tokens in (
        ("min", [f"s{index}" for index in range(n)]),
        ("max", [f"o{number}" for number in range(len(circuit.outputs))]),
    ):
        if tokens:
            lines.append(f"  {{ rank={word}; {'; '.join(tokens)}; }}")
    lines.append("}")
    write_text(path, "\n".join(lines) + "\n")


def _label(gate: Gate) -> str:
    if gate.kind is Kind.CONSTANT:
        what = "1" if gate.bias > 0 else "0"
    elif gate.kind is Kind.THRESHOLD:
        what = f"bias {gate.bias}"
    else:
        what = gate.kind.value.capitalize()
    return f"{gate.name}: {what}" if gate.name else what


def _listed(attributes: list[str]) -> str:
    return f" [{', '.join(attributes)}]" if attributes else ""


def _quoted(text: str) -> str:
    clean = text.encode("utf-8", "replace").decode()
    return '"' + clean.replace("\\", "\\\\").replace('"', '\\"').replace("\r", "\\r").replace("\n", "\\n") + '"'
