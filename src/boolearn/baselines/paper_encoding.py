"""The paper's own encoding of "this specification has a circuit of G gates", clause for clause.

Every gate picks one of the eight operations and, for each of its two inputs, one earlier signal; one variable per
row for every signal and for every picked input. Outputs pick a signal and cannot be negated. There is no symmetry
breaking: it is kept to compare with, as the statement of the problem that needs no argument to be believed.

Elser & Lal, supplement, "Joint circuit model and SAT encoding".
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from boolearn.baselines.exact_encoding import Formula
from boolearn.baselines.specification import Specification
from boolearn.circuit import Circuit, Literal
from boolearn.circuit.gate import Gate, conjunction, constant, disjunction

_OPERATIONS = tuple(itertools.product((True, False), (1, -1), (1, -1)))
"""(is it an And, sign of the first input, sign of the second)."""


class PaperEncoding:
    """The formula for one specification and one budget, over the eight-gate library."""

    def __init__(self, spec: Specification, gates: int) -> None:
        self.spec, self.gates = spec, gates
        self.formula = Formula()
        n, rows = spec.n_inputs, range(len(spec.inputs))
        new, add = self.formula.new, self.formula.add
        self.operation = [[new() for _ in _OPERATIONS] for _ in range(gates)]
        self.source = [[[new() for _ in range(n + j)] for _ in range(2)] for j in range(gates)]
        self.value = [[new() for _ in rows] for _ in range(n + gates)]
        self.picked = [[[new() for _ in rows] for _ in range(2)] for _ in range(gates)]
        self.drives = [[new() for _ in range(n + gates)] for _ in range(spec.n_outputs)]
        for signal, t in itertools.product(range(n), rows):
            add(self.value[signal][t] if spec.inputs[t, signal] > 0 else -self.value[signal][t])
        for j in range(gates):
            self.formula.exactly_one(self.operation[j])
            for side in range(2):
                self.formula.exactly_one(self.source[j][side])
                for (signal, s), t in itertools.product(enumerate(self.source[j][side]), rows):
                    add(-s, -self.picked[j][side][t], self.value[signal][t])
                    add(-s, self.picked[j][side][t], -self.value[signal][t])
            self._operations(j)
        for h in range(spec.n_outputs):
            self.formula.exactly_one(self.drives[h])
            for (signal, s), t in itertools.product(enumerate(self.drives[h]), rows):
                if spec.outputs[t, h]:
                    add(-s, self.value[signal][t] if spec.outputs[t, h] > 0 else -self.value[signal][t])

    def _operations(self, j: int) -> None:
        """Four clauses, one for each pattern of the two inputs, per operation and row."""
        for (is_and, *signs), operation in zip(_OPERATIONS, self.operation[j], strict=True):
            for t, pattern in itertools.product(range(len(self.spec.inputs)), itertools.product((1, -1), repeat=2)):
                seen = [sign * bit > 0 for sign, bit in zip(signs, pattern, strict=True)]
                holds = all(seen) if is_and else any(seen)
                value = self.value[self.spec.n_inputs + j][t]
                differs = [-bit * self.picked[j][side][t] for side, bit in enumerate(pattern)]
                self.formula.add(-operation, *differs, value if holds else -value)

    def decode(self, model: Sequence[int]) -> Circuit:
        """The circuit that a satisfying assignment describes."""
        true = {literal for literal in model if literal > 0}

        def chosen(variables: Sequence[int]) -> int:
            return next(index for index, variable in enumerate(variables) if variable in true)

        gates = []
        for j in range(self.gates):
            is_and, *signs = _OPERATIONS[chosen(self.operation[j])]
            gates.append(_as_gate(is_and, [(chosen(self.source[j][side]), signs[side]) for side in range(2)]))
        outputs = [
            (name, Literal(chosen(drives))) for name, drives in zip(self.spec.output_names, self.drives, strict=True)
        ]
        return Circuit(self.spec.input_names, tuple(gates), tuple(outputs))


def _as_gate(is_and: bool, literals: list[tuple[int, int]]) -> Gate:
    """And/Or of two literals; of one signal taken twice it is a copy, a Not or a constant."""
    (first, sign), (second, other) = literals
    if first != second:
        return conjunction(literals) if is_and else disjunction(literals)
    return Gate((first,), (sign,)) if sign == other else constant(-1 if is_and else 1)
