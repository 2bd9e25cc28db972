"""Clauses for SAT solvers: circuits, and networks whose real weights are integers of any length, encoded exactly.

Literals are nonzero integers, −l the negation of l; literal 1 is true. Nodes that compute the same thing from the
same literals are made once, so two descriptions of one function often become one literal before any search.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Sequence

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.threshold.binary_sum import BitAlgebra
from boolearn.circuit.threshold.diagram import threshold_diagram

TRUE = 1
_MOST_NODES = 3000
_TABLE_INPUTS = 8


class ClauseBuilder:
    """Collects clauses; every method that makes a node returns its literal."""

    def __init__(self) -> None:
        self.clauses: list[list[int]] = [[TRUE]]
        self.n_variables = 1
        self._known: dict[tuple[int, ...], int] = {}

    def variable(self) -> int:
        self.n_variables += 1
        return self.n_variables

    def both(self, a: int, b: int) -> int:
        """a and b."""
        a, b = sorted((a, b), key=abs)
        if a in (TRUE, b):
            return b
        if a in (-TRUE, -b):
            return -TRUE
        known = self._known.get((a, b))
        if known is None:
            known = self._known[a, b] = self.variable()
            self.clauses += [[-known, a], [-known, b], [known, -a, -b]]
        return known

    def either(self, a: int, b: int) -> int:
        """a or b."""
        return -self.both(-a, -b)

    def choose(self, asked: int, high: int, low: int) -> int:
        """high if asked else low."""
        if high == low or asked == TRUE:
            return high
        if asked == -TRUE:
            return low
        if asked < 0:
            asked, high, low = -asked, low, high
        if high in (TRUE, asked):
            return self.either(asked, low)
        if high in (-TRUE, -asked):
            return self.both(-asked, low)
        if low in (-TRUE, asked):
            return self.both(asked, high)
        if low in (TRUE, -asked):
            return self.either(-asked, high)
        if high < 0:
            return -self.choose(asked, -high, -low)
        known = self._known.get((asked, high, low))
        if known is None:
            known = self._known[asked, high, low] = self.variable()
            self.clauses += [
                [-asked, -high, known],
                [-asked, high, -known],
                [asked, -low, known],
                [asked, low, -known],
                [-high, -low, known],
                [high, low, -known],
            ]
        return known

    def differ(self, a: int, b: int) -> int:
        """a xor b."""
        return self.choose(a, -b, b)

    def threshold(self, literals: Sequence[int], weights: Sequence[int], bias: int) -> int:
        """``bias + Σ weight·x > 0`` with x = +1 where a literal is true and −1 where it is false."""
        # One node for each input, as And and Or need, is never too many.
        diagram = threshold_diagram(weights, bias, max(_MOST_NODES, len(weights)))
        if diagram is None:
            return self._by_adders(literals, weights, bias)
        asked = [literals[k] * sign for k, sign in zip(diagram.inputs, diagram.signs, strict=True)]
        used = sorted({node.literal for node in diagram.nodes})
        if len(used) <= _TABLE_INPUTS:
            # The same function of the same literals must give the same nodes whatever its weights were.
            used.sort(key=lambda k: abs(asked[k]))
            table = []
            for answers in itertools.product((True, False), repeat=len(used)):
                holds = dict(zip(used, (a == (asked[k] > 0) for a, k in zip(answers, used, strict=True)), strict=True))
                number = diagram.root
                while number > 1:
                    node = diagram.nodes[number - 2]
                    number = node.high if holds[node.literal] else node.low
                table.append(bool(number))
            return self._tabled([abs(asked[k]) for k in used], table)
        made = {0: -TRUE, 1: TRUE}
        for number, node in enumerate(diagram.nodes, 2):
            made[number] = self.choose(asked[node.literal], made[node.high], made[node.low])
        return made[diagram.root]

    def _tabled(self, variables: list[int], table: list[bool]) -> int:
        """A function given by its values, true answers first; literals are asked in the given order."""
        if not variables:
            return TRUE if table[0] else -TRUE
        half = len(table) // 2
        return self.choose(
            variables[0], self._tabled(variables[1:], table[:half]), self._tabled(variables[1:], table[half:])
        )

    def _by_adders(self, literals: Sequence[int], weights: Sequence[int], bias: int) -> int:
        """Add the weights up in binary, where a diagram would be too large: proofs take longer."""
        algebra = BitAlgebra(false=-TRUE, true=TRUE, both=self.both, either=self.either, add=self._add)
        signed = (
            (abs(weight), literal if weight > 0 else -literal)
            for literal, weight in zip(literals, weights, strict=True)
        )
        return algebra.sum_at_least(signed, (sum(map(abs, weights)) - bias) // 2 + 1)

    def _add(self, a: int, b: int, c: int) -> tuple[int, int]:
        odd = self.differ(a, b)
        return self.differ(odd, c), self.choose(odd, c, a)


def encode_circuit(builder: ClauseBuilder, circuit: Circuit, inputs: Sequence[int]) -> list[int]:
    """The outputs' literals, given those of the inputs."""
    signals = list(inputs)
    for gate in circuit.gates:
        read = [signals[signal] for signal in gate.inputs]
        if gate.xor:
            signed = (literal * sign for literal, sign in zip(read, gate.weights, strict=True))
            signals.append(functools.reduce(builder.differ, sorted(signed, key=abs)))
        else:
            signals.append(builder.threshold(read, gate.weights, gate.bias))
    return [signals[literal.signal] * literal.sign for _, literal in circuit.outputs]
