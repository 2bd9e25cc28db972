"""AIGER, ascii (.aag) and binary (.aig): And gates of two inputs, negation on the wires, a symbol table.

Biere, "The AIGER And-Inverter Graph (AIG) Format", 2007.
"""

from __future__ import annotations

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.names import escape
from boolearn.circuit.rewriting.and_graph import AndGraph
from boolearn.files import PathLike, replacing


def write_aag(circuit: Circuit, path: PathLike) -> None:
    """Write the ascii form."""
    graph = AndGraph(circuit)
    lines = [_header(graph, "aag")]
    lines += [str(2 * index) for index in range(1, len(circuit.inputs) + 1)]
    lines += [str(literal) for literal in graph.outputs]
    lines += [f"{graph.literal_of(index)} {high} {low}" for index, (high, low) in enumerate(graph.ands)]
    _write(path, "\n".join(lines).encode() + b"\n", circuit)


def write_aig(circuit: Circuit, path: PathLike) -> None:
    """Write the binary form: inputs are implied, every And is two differences of seven-bit groups."""
    graph = AndGraph(circuit)
    head = "\n".join([_header(graph, "aig"), *map(str, graph.outputs)])
    body = bytearray(head.encode() + b"\n")
    for index, (high, low) in enumerate(graph.ands):
        for difference in (graph.literal_of(index) - high, high - low):
            while difference >= 0x80:
                body.append(difference & 0x7F | 0x80)
                difference >>= 7
            body.append(difference)
    _write(path, bytes(body), circuit)


def _write(path: PathLike, graph: bytes, circuit: Circuit) -> None:
    symbols = [f"i{index} {escape(name)}\n" for index, name in enumerate(circuit.inputs)]
    symbols += [f"o{index} {escape(name)}\n" for index, (name, _) in enumerate(circuit.outputs)]
    with replacing(path) as stream:
        stream.write(graph + "".join(symbols).encode())


def _header(graph: AndGraph, word: str) -> str:
    variables = graph.n_inputs + len(graph.ands)
    return f"{word} {variables} {graph.n_inputs} 0 {len(graph.outputs)} {len(graph.ands)}"
