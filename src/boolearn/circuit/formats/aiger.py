"""AIGER, ascii (.aag) and binary (.aig): And gates of two inputs, negation on the wires, a symbol table.

Biere, "The AIGER And-Inverter Graph (AIG) Format", 2007.
"""

from __future__ import annotations

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.formats.gate_level import gate_level
from boolearn.circuit.formats.names import escape
from boolearn.circuit.gate import Gate, Kind
from boolearn.files import PathLike, replacing


def write_aag(circuit: Circuit, path: PathLike) -> None:
    """Write the ascii form."""
    graph = AndGraph(circuit)
    lines = [graph.header("aag")]
    lines += [str(2 * index) for index in range(1, len(circuit.inputs) + 1)]
    lines += [str(literal) for literal in graph.outputs]
    lines += [f"{graph.literal_of(index)} {high} {low}" for index, (high, low) in enumerate(graph.ands)]
    _write(path, "\n".join(lines).encode() + b"\n", circuit)


def write_aig(circuit: Circuit, path: PathLike) -> None:
    """Write the binary form: inputs are implied, every And is two differences of seven-bit groups."""
    graph = AndGraph(circuit)
    head = "\n".join([graph.header("aig"), *map(str, graph.outputs)])
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


class AndGraph:
    """A circuit as And gates of two literals; literal 2v is variable v, 2v + 1 its negation, 0 is false."""

    def __init__(self, circuit: Circuit) -> None:
        simple = gate_level(circuit)
        self.n_inputs = len(simple.inputs)
        self.ands: list[tuple[int, int]] = []
        self._known: dict[tuple[int, int], int] = {}
        signals = [2 * index for index in range(1, self.n_inputs + 1)]
        for gate in simple.gates:
            signals.append(self._gate(gate, signals))
        self.outputs = [signals[literal.signal] ^ (literal.sign < 0) for _, literal in simple.outputs]

    def header(self, word: str) -> str:
        variables = self.n_inputs + len(self.ands)
        return f"{word} {variables} {self.n_inputs} 0 {len(self.outputs)} {len(self.ands)}"

    def literal_of(self, index: int) -> int:
        return 2 * (self.n_inputs + index + 1)

    def _gate(self, gate: Gate, signals: list[int]) -> int:
        literals = [signals[signal] ^ (weight < 0) for signal, weight in zip(gate.inputs, gate.weights, strict=True)]
        match gate.kind:
            case Kind.CONSTANT:
                return int(gate.bias > 0)
            case Kind.MAJ:
                a, b, c = literals
                return self._all([self._all([a, b]) ^ 1, self._all([c, self._all([a ^ 1, b ^ 1]) ^ 1]) ^ 1]) ^ 1
            case Kind.OR:
                return self._all([literal ^ 1 for literal in literals]) ^ 1
        return self._all(literals)

    def _all(self, literals: list[int]) -> int:
        """And of any number, as a balanced tree."""
        while len(literals) > 1:
            pairs = [self._both(*literals[i : i + 2]) for i in range(0, len(literals) - 1, 2)]
            literals = pairs + literals[len(literals) & ~1 :]
        return literals[0]

    def _both(self, a: int, b: int) -> int:
        low, high = sorted((a, b))
        if low == 0 or low == high ^ 1:
            return 0
        if low == 1 or low == high:
            return high
        if (high, low) not in self._known:
            self._known[high, low] = self.literal_of(len(self.ands))
            self.ands.append((high, low))
        return self._known[high, low]
