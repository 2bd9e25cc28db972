"""Symmetric functions: those of the number of ones among some inputs, each possibly negated.

If y depends on x only through c = #{i ∈ S : x_i ≠ f_i}, then over uniform inputs all first-order correlations E[y·x_i],
i ∈ S, have one size and the signs of f, and all second-order ones E[y·x_i·x_j] one size and the product of two
signs (a symmetric function has a symmetric spectrum); inputs outside of S have none. So S and f are read from
whichever order is present, the second as the leading eigenvector of a matrix of rank one and noise, and then the
examples either determine a table of |S| + 1 bits or contradict it. Functions whose correlations of both orders drown in
the noise, such as "divisible by three", are found only where all inputs count and none is negated.

Inputs of tables are not uniform: of the tests ``colour = red`` and ``colour = blue`` one excludes the other. There, and
where there are few examples, a search of all ways to count helps: one input after the other is counted, counted negated
or left out, whichever leaves the answers to each number most alike, from several starts until nothing improves.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from boolearn.circuit.building import CircuitBuilder
from boolearn.circuit.circuit import Literal
from boolearn.learning.classes.correlations import first_order, second_order
from boolearn.learning.classes.fitted import Bits, Drawing, Fitted, subset_bits
from boolearn.learning.classes.table import table_literal
from boolearn.learning.classes.words import count

NAME = "symmetric"
_LONGEST_PERIOD = 4
_UNKNOWN = -1
_MULTIPLICATIONS = 30
_MOST_TO_CLIMB = 64
"""Inputs for which all ways to count are searched,"""
_ROWS_TO_CLIMB = 512
_CLIMBS = 16
_WAYS = np.array([-1, 0, 1], np.int8)

Signs = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float64]


def fit(inputs: Bits, output: Bits) -> Fitted | None:
    """A symmetric function of all inputs, or else of those that the correlations name, or else the search finds."""
    if not inputs.shape[1] or not len(output):
        return None
    for signs in _candidates(inputs, output):
        table = _table(inputs, output, signs)
        if table is not None:
            return _fitted(signs, table)
    found = [
        _fitted(signs, table)
        for signs in _climbs(inputs, output)
        if (table := _table(inputs, output, signs)) is not None
    ]
    return min(found, key=lambda fitted: fitted.bits, default=None)


def _candidates(inputs: Bits, output: Bits) -> Iterator[Signs]:
    """Shape (n,): 1 for an input, −1 for a negated one, 0 for one that does not count."""
    yield np.ones(inputs.shape[1], np.int8)
    yield from _by_size(first_order(inputs, output))
    yield from _by_size(_leading(second_order(inputs, output).astype(np.float64)))


def _climbs(inputs: Bits, output: Bits) -> Iterator[Signs]:
    """What the search finds from counting nothing, and from counting at random."""
    n = inputs.shape[1]
    if n > _MOST_TO_CLIMB:
        return
    rng = np.random.default_rng(0)
    some = slice(0, _ROWS_TO_CLIMB)
    for climb in range(_CLIMBS):
        yield _climbed(inputs[some], output[some], rng.choice(_WAYS, n) if climb else np.zeros(n, np.int8))


def _climbed(inputs: Bits, output: Bits, signs: Signs) -> Signs:
    """Change the one input that helps most, until no change helps."""
    now = np.inf
    while True:
        ones = np.where(signs > 0, inputs, np.where(signs < 0, ~inputs, False)).astype(np.int64)
        rest = ones.sum(axis=1)[:, None] - ones
        ways = np.stack([_mixture(rest + ~inputs, output), _mixture(rest, output), _mixture(rest + inputs, output)])
        way, place = np.unravel_index(int(ways.argmin()), ways.shape)
        if ways[way, place] >= now - 1e-9:
            return signs
        now, signs = float(ways[way, place]), signs.copy()
        signs[place] = _WAYS[way]


def _mixture(counts: npt.NDArray[np.int64], output: Bits) -> Floats:
    """Shape (n,): for each column of counts how far the answers to each number differ, 0 where nowhere."""
    n = counts.shape[1]
    cell = counts * n + np.arange(n)
    size = n * (int(counts.max()) + 1)
    total = np.bincount(cell.ravel(), minlength=size)
    true = np.bincount(cell[output].ravel(), minlength=size)
    return np.asarray((true * (total - true) / np.maximum(total, 1)).reshape(-1, n).sum(axis=0))


def _leading(matrix: Floats) -> Floats:
    """The eigenvector of the eigenvalue of the largest size, by repeated multiplication."""
    vector = np.linalg.norm(matrix, axis=0) * np.where(matrix[np.abs(matrix).sum(axis=1).argmax()] < 0, -1.0, 1.0)
    for _ in range(_MULTIPLICATIONS):
        vector = matrix @ (matrix @ vector)
        size = float(np.linalg.norm(vector))
        if not size:
            break
        vector /= size
    return np.asarray(vector)


def _by_size(strength: npt.NDArray[np.floating]) -> Iterator[Signs]:
    """All inputs with the signs, and those above the widest gap between sizes."""
    signs = np.where(strength < 0, -1, 1).astype(np.int8)
    yield signs
    sizes = np.abs(strength)
    order = np.sort(sizes)
    if len(order) > 1:
        gap = int(np.diff(order).argmax())
        yield np.where(sizes > order[gap], signs, 0).astype(np.int8)


def _table(inputs: Bits, output: Bits, signs: Signs) -> npt.NDArray[np.int8] | None:
    """For every number of ones the answer, or −1 where no example has it; None where examples contradict."""
    relevant = np.flatnonzero(signs)
    ones = (inputs[:, relevant] ^ (signs[relevant] < 0)).sum(axis=1)
    total = np.bincount(ones, minlength=len(relevant) + 1)
    true = np.bincount(ones, weights=output, minlength=len(relevant) + 1).astype(np.int64)
    if ((true > 0) & (true < total)).any():
        return None
    return np.where(total == 0, _UNKNOWN, np.minimum(true, 1)).astype(np.int8)


def _fitted(signs: Signs, table: npt.NDArray[np.int8]) -> Fitted:
    relevant = np.flatnonzero(signs).tolist()
    answers_to_all = _completed(table)

    def make(builder: CircuitBuilder) -> Literal:
        counted = count(builder, [Literal(index, int(signs[index])) for index in relevant])
        ones = sum(int(answer) << number for number, answer in enumerate(answers_to_all.tolist()))
        return table_literal(builder, counted, ones, (1 << len(table)) - 1)

    n, k = len(signs), len(relevant)
    negated = int((signs < 0).sum())
    answers = "".join("?" if answer == _UNKNOWN else str(answer) for answer in table)
    words = f"the answer to how many of {'all' if k == n else k} inputs are 1"
    words += f", {negated} of them negated" * bool(negated)
    bits = subset_bits(n, k) + (k if negated else 0) + 1 + k + 1
    return Fitted(NAME, f"{words}: {answers[:80]}, from none upwards", bits, n, (Drawing(make),))


def _completed(table: npt.NDArray[np.int8]) -> npt.NDArray[np.int8]:
    """Answers for numbers of ones that no example has: by the period of the others, if any, else the nearest."""
    seen = np.flatnonzero(table != _UNKNOWN)
    period = _period(table)
    completed = table.copy()
    for number in np.flatnonzero(table == _UNKNOWN):
        alike = seen[(seen - number) % period == 0] if period else seen
        completed[number] = table[alike[np.abs(alike - number).argmin()]]
    return completed


def _period(table: npt.NDArray[np.int8]) -> int:
    """The shortest period of the answers that are seen; 0 where there is none.

    Every phase is seen, and both answers come back after a period: 001000 alone does not say that the next is 1.
    """
    for period in range(1, _LONGEST_PERIOD + 1):
        phases = [table[phase::period] for phase in range(period)]
        seen = [phase[phase != _UNKNOWN].tolist() for phase in phases]
        again = {answer for answers in seen if len(answers) > 1 for answer in answers}
        if all(len(set(answers)) == 1 for answers in seen) and again == set(table.tolist()) - {_UNKNOWN}:
            return period
    return 0
