"""Decision lists: if this test holds then this answer, else if that test holds …, with tests of one or two literals.

Rivest (1987): any test whose remaining examples all have one answer can stand first, since putting it there takes
nothing from a list that agrees with the others. So taking such tests greedily finds a list whenever there is one, in
polynomial time, and each test can be the one that settles most examples, which makes lists short. With N tests there
are (2N)^r lists of r of them; that many choices, r·log₂(2N) bits and the length, are what is reported.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from boolearn.circuit.building import FALSE, CircuitBuilder
from boolearn.circuit.circuit import Literal
from boolearn.learning.classes.fitted import Bits, Drawing, Fitted, integer_bits

NAME = "decision list"
_MOST_FOR_PAIRS = 128

Rule = tuple[tuple[int, ...], bool]
"""Columns of the literals, negated ones n further on, and the answer where all hold."""


def fit(inputs: Bits, output: Bits) -> Fitted | None:
    """A list of single literals if there is one, else of pairs, of which there must not be too many."""
    n = inputs.shape[1]
    if not n or not len(output):
        return None
    literals = np.concatenate((inputs, ~inputs), axis=1)
    tests = 2 * n
    rules = _single(literals, output)
    if rules is None and n <= _MOST_FOR_PAIRS:
        tests = 2 * n + 2 * n * (n - 1)
        rules = _pairs(literals, output, int(len(output) / math.log2(2 * tests)))
    if rules is None:
        return None
    sizes = {len(columns) for columns, _ in rules}
    words = f"a decision list of {len(rules)} tests" + " of one literal each" * (sizes <= {0, 1})
    return Fitted(
        NAME, words, len(rules) * math.log2(2 * tests) + integer_bits(len(rules)), n, (Drawing(_made(rules, n)),)
    )


def _single(literals: Bits, output: Bits) -> list[Rule] | None:
    """Counts of both answers for every literal, kept up to date as examples are settled."""
    true, false = literals[output].sum(axis=0), literals[~output].sum(axis=0)
    left = np.ones(len(output), bool)
    rules: list[Rule] = []
    while True:
        here = output[left]
        if here.all() or not here.any():
            return [*rules, ((), bool(len(here) and here[0]))]
        settles = np.where((true == 0) | (false == 0), true + false, 0)
        best = int(settles.argmax())
        if not settles[best]:
            return None
        answer = bool(true[best])
        settled = left & literals[:, best]
        gone = literals[settled].sum(axis=0)
        true, false = (true - gone, false) if answer else (true, false - gone)
        left &= ~settled
        rules.append(((best,), answer))


def _pairs(literals: Bits, output: Bits, most: int) -> list[Rule] | None:
    """Counts for all pairs at once, as products of matrices; a pair of a literal with itself is that literal."""
    left = literals.astype(np.float32)
    rules: list[Rule] = []
    while len(rules) < most:
        if output.all() or not output.any():
            return [*rules, ((), bool(len(output) and output[0]))]
        counts = [left[which].T @ left[which] for which in (output, ~output)]
        settles = np.where((counts[0] == 0) | (counts[1] == 0), counts[0] + counts[1], 0)
        # Among tests that settle as many, one of a single literal is the simpler.
        np.fill_diagonal(settles, settles.diagonal() + 0.5 * (settles.diagonal() > 0))
        best = divmod(int(settles.argmax()), len(settles))
        if not settles[best]:
            return None
        rules.append((tuple(sorted(set(best))), bool(counts[0][best])))
        keep = left[:, best[0]] * left[:, best[1]] == 0
        left, output = left[keep], output[keep]
    return None


def _made(rules: list[Rule], n: int) -> Callable[[CircuitBuilder], Literal]:
    def make(builder: CircuitBuilder) -> Literal:
        answer = FALSE
        for columns, value in reversed(rules):
            test = builder.conjunction(Literal(column % n, -1 if column >= n else 1) for column in columns)
            negated = Literal(test.signal, -test.sign)
            answer = builder.disjunction((test, answer)) if value else builder.conjunction((negated, answer))
        return answer

    return make
