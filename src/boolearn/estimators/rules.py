"""Rules: few tests that alone decide what a circuit answers, whatever the other columns hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.circuit import Circuit
from boolearn.data.signs import Signs
from boolearn.data.tables import ColumnTest
from boolearn.data.tables.questions import implied

_MOST_ITEMS = 500
"""Different rows with one answer from which rules are made; more would say little that is new."""


@dataclass(frozen=True)
class Rule:
    """A conjunction of tests, and what the circuit answers where all of them hold."""

    text: str
    prediction: str
    coverage: float
    """The share of the rows to which it applies."""
    precision: float
    """The share of these rows on which the prediction is true."""
    literals: tuple[tuple[int, int], ...]
    """Pairs (test, sign): the tests by number, and the answers they must have."""


def find_rules(
    circuit: Circuit,
    tests: Sequence[ColumnTest],
    rows: Signs,
    truth: npt.NDArray[np.str_],
    say: Callable[[Signs], str],
) -> list[Rule]:
    """Rules that together explain what the circuit answers on all rows, those that apply to most of them first.

    For each answer: a row is taken as a conjunction of all its tests, and tests are dropped as long as the circuit
    is certain of its answer. Of the rules so found the one that applies to most rows not yet explained is kept, and
    again, until all are explained. ``truth`` has what is true of every row, ``say`` puts answers into the same words.
    """
    answers = circuit.predict(rows)
    consequences = _consequences(tests)
    rules = []
    for answer in np.unique(answers, axis=0):
        left = (answers == answer).all(axis=1)
        different = np.unique(rows[left], axis=0)[:_MOST_ITEMS]
        kept = np.unique(_reduced(circuit, different, answer, consequences), axis=0)
        applies = [np.where(known, rows == known, True).all(axis=1) for known in kept]
        prediction = say(answer)
        while left.any():
            best = max(range(len(kept)), key=lambda k: int((applies[k] & left).sum()))
            mine = applies[best]
            if not (mine & left).any():
                break  # rows beyond those that rules are made from
            left &= ~mine
            literals = tuple((int(test), int(kept[best, test])) for test in np.flatnonzero(kept[best]))
            text = " and ".join(tests[test].name if sign > 0 else tests[test].negation for test, sign in literals)
            right = float((truth[mine] == prediction).mean())
            rules.append(Rule(text or "always", prediction, float(mine.mean()), right, literals))
    return sorted(rules, key=lambda rule: -rule.coverage)


def _consequences(tests: Sequence[ColumnTest]) -> list[tuple[int, int, int, int]]:
    """(test, sign, other, sign): the first answer implies the second."""
    return [
        (i, 1 if answer else -1, j, 1 if told else -1)
        for i, given in enumerate(tests)
        for j, other in enumerate(tests)
        if given.column == other.column
        for answer in (True, False)
        if (told := implied(given, answer, other)) is not None
    ]


def _reduced(circuit: Circuit, rows: Signs, answer: Signs, consequences: list[tuple[int, int, int, int]]) -> Signs:
    """The rows with as many tests as possible set to 0, unknown, so that the circuit is certain of the answer."""
    live = [signal for signal in range(len(circuit.inputs)) if signal in circuit.live]
    known = np.zeros_like(rows)
    known[:, live] = rows[:, live]
    # Tests on which the rows differ most go first: what remains then applies to more of them.
    for signal in sorted(live, key=lambda signal: abs(int(rows[:, signal].sum(dtype=np.int64)))):
        without = known.copy()
        without[:, signal] = 0
        certain = (certain_answers(circuit, _completed(without, consequences)) == answer).all(axis=1)
        known[certain] = without[certain]
    return known


def _completed(known: Signs, consequences: list[tuple[int, int, int, int]]) -> Signs:
    """With the answers that others imply."""
    full = known.copy()
    for test, sign, other, told in consequences:
        full[known[:, test] == sign, other] = told
    return full


def certain_answers(circuit: Circuit, rows: Signs) -> Signs:
    """Shape (rows, outputs): ±1 where the output is certain, 0 where it may depend on inputs that are 0, unknown.

    Bounds are carried from gate to gate, so 0 may be said where every case would give the same answer, but never ±1
    where one would not.
    """
    values = np.zeros((len(rows), circuit.n_signals), np.int8)
    values[:, : len(circuit.inputs)] = rows
    for signal, gate in enumerate(circuit.gates, len(circuit.inputs)):
        if gate.xor:  # certain only where all inputs are; an odd number of inputs that hold
            terms = values[:, gate.inputs] * np.array(gate.weights, np.int8)
            odd = np.where((terms > 0).sum(axis=1) % 2, 1, -1)
            values[:, signal] = np.where((terms == 0).any(axis=1), 0, odd)
            continue
        wide: Any = np.int64 if sum(map(abs, gate.weights)) + abs(gate.bias) < 1 << 62 else np.object_
        read, weights = values[:, gate.inputs].astype(wide), np.array(gate.weights, wide)
        total = read @ weights + gate.bias
        unknown = np.where(read == 0, np.abs(weights), 0).sum(axis=1)
        values[:, signal] = np.where(total > unknown, 1, np.where(total < -unknown, -1, 0))
    signals = [literal.signal for _, literal in circuit.outputs]
    return np.asarray(values[:, signals] * np.array([literal.sign for _, literal in circuit.outputs], np.int8))
