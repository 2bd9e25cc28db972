"""The clauses that say: this specification has a circuit with exactly this number of gates.

Three facts make the instances small. Both libraries are closed under negating a gate's inputs and its output, so
every circuit can be rewritten to hold "false" at every gate when all inputs are false, with negations left at the
outputs only: four kinds of gate remain out of eight. In that form every gate is a majority of three signals of
which at most one is negated, And and Or being those that read the constant. And a smallest circuit whose list of
fan-ins is also the least one obeys all of the following, so nothing is lost by asking for it:

* every gate is used, by a later gate or by an output;
* a gate does not read another gate together with what that gate reads (the two would be one gate);
* a gate that does not read the gate before it has the greater fan-in, in colexicographic order;
* of two inputs that can be exchanged, the first is read first.

After Knuth, The Art of Computer Programming 7.2.2.2, and Kojevnikov, Kulikov and Yaroslavtsev (2009).
"""

from __future__ import annotations

import enum
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field

from boolearn.baselines.specification import Specification
from boolearn.circuit import Circuit, Literal
from boolearn.circuit.gate import Gate, conjunction, constant, disjunction, majority

CONSTANT = -1
"""The signal that always holds "false"; And and Or read it beside two others."""

PLAIN = 3
"""The operation that negates nothing; operations 0, 1 and 2 negate the first, second or third input."""


class Library(enum.Enum):
    """What gates a circuit may use. Negation is free everywhere."""

    AND_OR = "and-or"
    AND_OR_MAJ = "and-or-maj"


@dataclass
class Formula:
    """Clauses under construction; variables are numbered from 1."""

    variables: int = 0
    clauses: list[list[int]] = field(default_factory=list)

    def new(self) -> int:
        self.variables += 1
        return self.variables

    def add(self, *literals: int) -> None:
        self.clauses.append(list(literals))

    def exactly_one(self, literals: Sequence[int]) -> None:
        self.clauses.append(list(literals))
        self.clauses.extend([-a, -b] for a, b in itertools.combinations(literals, 2))


class CompactEncoding:
    """The formula for one specification, one budget, one library and perhaps a limit on the depth."""

    def __init__(self, spec: Specification, gates: int, library: Library, depth: int | None) -> None:
        self.spec, self.gates, self.library = spec, gates, library
        self.formula = Formula()
        self.free = {h: literal for h in range(spec.n_outputs) if (literal := _without_gate(spec, h)) is not None}
        self.wanted = [h for h in range(spec.n_outputs) if h not in self.free]
        # At the row of all inputs false every gate holds false, so that row has nothing to encode.
        self.rows = [t for t in range(len(spec.inputs)) if (spec.inputs[t] > 0).any()]
        new = self.formula.new
        self.fan_ins = [self._fan_ins(i) for i in range(gates)]
        self.reads = [[new() for _ in fan_ins] for fan_ins in self.fan_ins]
        self.operation = [[new() for _ in range(4)] for _ in range(gates)]
        self.value = [{t: new() for t in self.rows} for _ in range(gates)]
        self.drives = {h: [new() for _ in range(gates)] for h in self.wanted}
        self.negated = {h: new() for h in self.wanted}
        for i in range(gates):
            self.formula.exactly_one(self.reads[i])
            self.formula.exactly_one(self.operation[i])
            self._gate_values(i)
        self._outputs()
        self._every_gate_is_used()
        self._no_reapplication()
        self._colexicographic_order()
        self._symmetric_inputs()
        if depth is not None:
            self._depth(depth)

    def decode(self, model: Sequence[int]) -> Circuit:
        """The circuit that a satisfying assignment describes."""
        true = {literal for literal in model if literal > 0}
        spec, n = self.spec, self.spec.n_inputs
        gates = [
            _as_gate(
                next(fan_in for fan_in, s in zip(self.fan_ins[i], self.reads[i], strict=True) if s in true),
                next(o for o, variable in enumerate(self.operation[i]) if variable in true),
            )
            for i in range(self.gates)
        ]
        outputs = []
        for h, name in enumerate(spec.output_names):
            found: Literal | int
            if h in self.free:
                found = self.free[h]
            else:
                i = next(i for i, variable in enumerate(self.drives[h]) if variable in true)
                found = Literal(n + i, -1 if self.negated[h] in true else 1)
            if isinstance(found, int):
                gates.append(constant(found))
                found = Literal(n + len(gates) - 1)
            outputs.append((name, found))
        return Circuit(spec.input_names, tuple(gates), tuple(outputs))

    def _fan_ins(self, i: int) -> list[tuple[int, int, int]]:
        """What gate i may read, in colexicographic order: the list for gate i begins the one for gate i + 1."""
        signals = range(self.spec.n_inputs + i)
        if self.library is Library.AND_OR:
            return [(CONSTANT, j, k) for k in signals for j in range(k)]
        return [(j, k, m) for m in signals for k in range(m) for j in range(CONSTANT, k)]

    def _literal(self, signal: int, row: int) -> int | bool:
        """The value of a signal in a row: known for inputs, a variable for gates."""
        if signal == CONSTANT:
            return False
        n = self.spec.n_inputs
        return self.value[signal - n][row] if signal >= n else bool(self.spec.inputs[row, signal] > 0)

    def _gate_values(self, i: int) -> None:
        """Under a fan-in and an operation, two equal inputs of the majority decide its value."""
        table = [self.formula.new() for _ in range(8)]  # what the operation gives for each pattern of three inputs
        for operation, variable in enumerate(self.operation[i]):
            for pattern in range(8):
                bits = [(pattern >> position) & 1 for position in range(3)]
                if operation != PLAIN:
                    bits[operation] ^= 1
                self.formula.add(-variable, table[pattern] if sum(bits) >= 2 else -table[pattern])
        for fan_in, s in zip(self.fan_ins[i], self.reads[i], strict=True):
            for row in self.rows:
                inputs = [self._literal(signal, row) for signal in fan_in]
                value = self.value[i][row]
                for pattern in range(8):
                    clause = [-s]
                    for position, literal in enumerate(inputs):
                        holds = bool((pattern >> position) & 1)
                        if isinstance(literal, bool):
                            if literal != holds:
                                break
                        else:
                            clause.append(-literal if holds else literal)
                    else:
                        self.formula.add(*clause, -value, table[pattern])
                        self.formula.add(*clause, value, -table[pattern])

    def _outputs(self) -> None:
        encoded = set(self.rows)
        for h in self.wanted:
            drives, negated = self.drives[h], self.negated[h]
            self.formula.add(*drives)
            for row, wanted in enumerate(self.spec.outputs[:, h].tolist()):
                if wanted and row not in encoded:
                    self.formula.add(negated * wanted)
                elif wanted:
                    for drive, values in zip(drives, self.value, strict=True):
                        self.formula.add(-drive, negated, values[row] * wanted)
                        self.formula.add(-drive, -negated, -values[row] * wanted)

    def _readers(self, signal: int, before: int) -> list[int]:
        """The variables that say: a gate before that one reads this signal."""
        return [
            s
            for i in range(before)
            for fan_in, s in zip(self.fan_ins[i], self.reads[i], strict=True)
            if signal in fan_in
        ]

    def _every_gate_is_used(self) -> None:
        for i in range(self.gates):
            readers = self._readers(self.spec.n_inputs + i, self.gates)
            self.formula.add(*readers, *(self.drives[h][i] for h in self.wanted))

    def _no_reapplication(self) -> None:
        for i in range(self.gates):
            signal = self.spec.n_inputs + i
            for later in range(i + 1, self.gates):
                for other, s in zip(self.fan_ins[later], self.reads[later], strict=True):
                    if signal in other:
                        beside = set(other) - {signal}
                        for fan_in, mine in zip(self.fan_ins[i], self.reads[i], strict=True):
                            if beside <= set(fan_in):
                                self.formula.add(-s, -mine)

    def _colexicographic_order(self) -> None:
        for i in range(self.gates - 1):
            mine, following = self.reads[i], self.reads[i + 1]
            # reached[q]: gate i's fan-in is number q of the list or a later one.
            reached = [self.formula.new() for _ in mine]
            for q, s in enumerate(mine):
                self.formula.add(-s, reached[q])
                if q:
                    self.formula.add(-reached[q], reached[q - 1])
                    self.formula.add(-reached[q], -following[q - 1])
                for o, p in itertools.product(range(4), repeat=2):
                    if p <= o:
                        self.formula.add(-s, -following[q], -self.operation[i][o], -self.operation[i + 1][p])

    def _symmetric_inputs(self) -> None:
        for p, q in self.spec.symmetric_pairs:
            for i in range(self.gates):
                earlier = self._readers(p, i)
                for fan_in, s in zip(self.fan_ins[i], self.reads[i], strict=True):
                    if q in fan_in and p not in fan_in:
                        self.formula.add(-s, *earlier)

    def _depth(self, depth: int) -> None:
        n = self.spec.n_inputs
        # deeper[i][d]: gate i has level d + 1 or more; every gate has level 1 or more.
        deeper = [[self.formula.new() for _ in range(depth + 1)] for _ in range(self.gates)]
        for i in range(self.gates):
            self.formula.add(deeper[i][0])
            self.formula.add(-deeper[i][depth])
            for fan_in, s in zip(self.fan_ins[i], self.reads[i], strict=True):
                for signal in fan_in:
                    if signal >= n:
                        for d in range(depth):
                            self.formula.add(-s, -deeper[signal - n][d], deeper[i][d + 1])


def _without_gate(spec: Specification, output: int) -> Literal | int | None:
    """A constant or an input, perhaps negated, that already gives all an output is asked for."""
    wanted = spec.outputs[:, output]
    cares = wanted != 0
    for sign in (1, -1):
        if (wanted[cares] == sign).all():
            return sign
    for sign in (1, -1):
        for signal in range(spec.n_inputs):
            if (wanted[cares] == sign * spec.inputs[cares, signal]).all():
                return Literal(signal, sign)
    return None


def _as_gate(fan_in: tuple[int, int, int], operation: int) -> Gate:
    literals = [(signal, -1 if position == operation else 1) for position, signal in enumerate(fan_in)]
    if fan_in[0] != CONSTANT:
        return majority(literals)
    return disjunction(literals[1:]) if operation == 0 else conjunction(literals[1:])
