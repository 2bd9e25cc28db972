"""A small circuit for a truth table with open rows.

Shannon's expansion, f = x·f₁ + x̄·f₀, with everything that saves gates first: an input on which the seen rows do not
depend is dropped and the rows are put together; where f₀ or f₁ is constant the expansion is one And or Or, and where
f₁ = f̄₀ one Xor; equal tables, and tables that are each other's negation, are made once. Before all this, two inputs on
which the table depends only through their And, Or or Xor become one (a simple disjoint decomposition, Ashenhurst 1957).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from boolearn.circuit.building import FALSE, TRUE, CircuitBuilder, negation
from boolearn.circuit.circuit import Literal
from boolearn.learning.classes.words import exclusive

_Table = tuple[int, int]
"""The rows where the function is true, and those where it is said: bit r stands for the row with the bits of r."""
_Places = tuple[tuple[bool, bool], ...]
_GATES: tuple[_Places, ...] = (
    ((True, True),),
    ((True, False),),
    ((False, True),),
    ((False, False),),
    ((True, False), (False, True)),
)
"""The values of two inputs on which a gate of them is true: an And of literals, or Xor."""


def table_literal(builder: CircuitBuilder, literals: Sequence[Literal], ones: int, said: int) -> Literal:
    """What holds in the rows ``ones``, as far as rows are ``said``; literal i is bit i of a row's number."""
    circuit = _TableCircuit(builder, literals)
    table = circuit.without_what_does_not_matter((ones & said, said))
    while (joined := next(circuit.joined_pairs(table), None)) is not None:
        circuit, table = joined
    return circuit.literal(*table)


class _TableCircuit:
    """Makes tables over the same literals; literal i is bit i of a row's number."""

    def __init__(self, builder: CircuitBuilder, literals: Sequence[Literal]) -> None:
        self.builder = builder
        self.literals = tuple(literals)
        rows = 1 << len(literals)
        self._every = (1 << rows) - 1
        # The rows in which literal i is false: blocks of 2^i ones with gaps of 2^i.
        self._low = [self._every // ((1 << (2 << i)) - 1) * ((1 << (1 << i)) - 1) for i in range(len(literals))]
        self._known: dict[_Table, Literal] = {}

    def literal(self, ones: int, said: int) -> Literal:
        """What holds where ``ones`` does, as far as it is said."""
        table = self.without_what_does_not_matter((ones & said, said))
        ones, said = table
        if not ones:
            return FALSE
        if ones == said:
            return TRUE
        if table not in self._known:
            self._known[table] = self._expanded(table)
            self._known[said & ~ones, said] = negation(self._known[table])
        return self._known[table]

    def _expanded(self, table: _Table) -> Literal:
        halves = [(x, *self._halves(table, i)) for i, x in enumerate(self.literals) if self._matters(table, i)]
        both, either = self.builder.conjunction, self.builder.disjunction
        for x, (ones, said), (low_ones, low_said) in halves:
            if not low_ones:
                return both((x, self.literal(ones, said)))
            if low_ones == low_said:
                return either((negation(x), self.literal(ones, said)))
            if not ones:
                return both((negation(x), self.literal(low_ones, low_said)))
            if ones == said:
                return either((x, self.literal(low_ones, low_said)))
        for x, (ones, said), (low_ones, low_said) in halves:
            if not ~(ones ^ low_ones) & said & low_said:
                return exclusive(self.builder, x, self.literal(low_ones | said & ~ones, said | low_said))
        x, high, low = min(halves, key=lambda half: self._roughness(half[1]) + self._roughness(half[2]))
        return either((both((x, self.literal(*high))), both((negation(x), self.literal(*low)))))

    def _halves(self, table: _Table, i: int) -> tuple[_Table, _Table]:
        """The table where literal i is true, and where it is false, each as a table that does not depend on it."""

        def spread(rows: int) -> int:
            return rows | rows << (1 << i)

        low = self._low[i]
        ones, said = table
        high = spread(ones >> (1 << i) & low), spread(said >> (1 << i) & low)
        return high, (spread(ones & low), spread(said & low))

    def joined_pairs(self, table: _Table) -> Iterator[tuple[_TableCircuit, _Table]]:
        """Where two literals matter only through a gate of both: the table with that gate in the first one's place."""
        matter = [i for i in range(len(self.literals)) if self._matters(table, i)]
        for i, j in combinations(matter, 2):
            quarters = {
                (bool(p), bool(q)): self._halves(self._halves(table, i)[1 - p], j)[1 - q]
                for p, q in product((0, 1), repeat=2)
            }
            for true in _GATES:
                false = [place for place in quarters if place not in true]
                high, low = (_put_together([quarters[place] for place in part]) for part in (true, false))
                if high is None or low is None:
                    continue
                literals = list(self.literals)
                literals[i] = self._gate(self.literals[i], self.literals[j], true)
                top = self._every & ~self._low[i]
                joined = high[0] & top | low[0] & self._low[i], high[1] & top | low[1] & self._low[i]
                yield _TableCircuit(self.builder, literals), joined

    def _gate(self, a: Literal, b: Literal, true: _Places) -> Literal:
        if len(true) == 2:
            return exclusive(self.builder, a, b)
        p, q = true[0]
        return self.builder.conjunction((a if p else negation(a), b if q else negation(b)))

    def _matters(self, table: _Table, i: int) -> bool:
        return bool(self._changes(table, i))

    def _changes(self, table: _Table, i: int) -> int:
        """The rows, literal i being false, where both answers are said and differ."""
        ones, said = table
        return (ones ^ ones >> (1 << i)) & said & said >> (1 << i) & self._low[i]

    def _roughness(self, table: _Table) -> int:
        return sum(self._changes(table, i).bit_count() for i in range(len(self.literals)))

    def without_what_does_not_matter(self, table: _Table) -> _Table:
        for i in range(len(self.literals)):
            if not self._changes(table, i):
                (ones, said), (low_ones, low_said) = self._halves(table, i)
                table = ones | low_ones, said | low_said
        return table


def _put_together(tables: Sequence[_Table]) -> _Table | None:
    """One table for several, unless they contradict each other."""
    ones = said = 0
    for more_ones, more_said in tables:
        if (ones ^ more_ones) & said & more_said:
            return None
        ones, said = ones | more_ones, said | more_said
    return ones, said
