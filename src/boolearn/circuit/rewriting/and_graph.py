"""The And-inverter graph of a circuit, after structural hashing: what logic synthesis counts and AIGER files hold."""

from __future__ import annotations

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.gate import Gate, Kind
from boolearn.circuit.rewriting.decompose import decompose


class AndGraph:
    """A circuit as And gates of two literals; literal 2v is variable v, 2v + 1 its negation, 0 is false.

    Structural hashing: an And of the same two literals is made once, and none with a constant, with a literal twice or
    with its negation. Ands that no output depends on are left out.
    """

    def __init__(self, circuit: Circuit) -> None:
        simple = decompose(circuit)
        self.n_inputs = len(simple.inputs)
        self.ands: list[tuple[int, int]] = []
        """The two literals of every And, the higher first; And k is variable ``n_inputs + k + 1``."""
        self._known: dict[tuple[int, int], int] = {}
        signals = [2 * index for index in range(1, self.n_inputs + 1)]
        live = simple.live
        for signal, gate in enumerate(simple.gates, self.n_inputs):
            signals.append(self._gate(gate, signals) if signal in live else 0)
        self.outputs = [signals[literal.signal] ^ (literal.sign < 0) for _, literal in simple.outputs]
        self._remove_dead()

    def literal_of(self, index: int) -> int:
        return 2 * (self.n_inputs + index + 1)

    def _gate(self, gate: Gate, signals: list[int]) -> int:
        literals = [signals[signal] ^ (weight < 0) for signal, weight in zip(gate.inputs, gate.weights, strict=True)]
        match gate.kind:
            case Kind.CONSTANT:
                return int(gate.bias > 0)
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

    def _remove_dead(self) -> None:
        """An And whose reader folded to a constant, or to something else, is read by nothing."""
        first = self.n_inputs + 1
        read = {literal >> 1 for literal in self.outputs}
        for index in range(len(self.ands) - 1, -1, -1):
            if first + index in read:
                read.update(literal >> 1 for literal in self.ands[index])
        place = {variable: variable for variable in range(first)}
        kept = [index for index in range(len(self.ands)) if first + index in read]
        place.update((first + index, first + number) for number, index in enumerate(kept))

        def placed(literal: int) -> int:
            return 2 * place[literal >> 1] | literal & 1

        self.ands = [(placed(high), placed(low)) for high, low in (self.ands[index] for index in kept)]
        self.outputs = [placed(literal) for literal in self.outputs]


def count_ands(circuit: Circuit) -> int:
    """And nodes of the circuit's And-inverter graph after structural hashing."""
    return len(AndGraph(circuit).ands)
