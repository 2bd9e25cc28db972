"""Symmetric functions: those of the number of ones among some inputs, each possibly negated.

If y depends on x only through c = #{i ∈ S : x_i ≠ f_i}, then over uniform inputs all first-order correlations E[y·x_i],
i ∈ S, have one size and the signs of f, and all second-order ones E[y·x_i·x_j] one size and the product of two
signs (a symmetric function has a symmetric spectrum); inputs outside of S have none. So S and f are read from
whichever order is present, the second as the leading eigenvector of a matrix of rank one and noise, and then the
examples either determine a table of |S| + 1 bits or contradict it. Functions whose correlations of both orders drown in
the noise, such as "divisible by three", are found only where all inputs count and none is negated.
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

Signs = npt.NDArray[np.int8]
Floats = npt.NDArray[np.float64]


def fit(inputs: Bits, output: Bits) -> Fitted | None:
    """A symmetric function of all inputs, or else of those that the correlations name."""
    if not inputs.shape[1] or not len(output):
        return None
    for signs in _candidates(inputs, output):
        table = _table(inputs, output, signs)
        if table is not None:
            return _fitted(signs, table)
    return None


def _candidates(inputs: Bits, output: Bits) -> Iterator[Signs]:
    """Shape (n,): 1 for an input, −1 for a negated one, 0 for one that does not count."""
    yield np.ones(inputs.shape[1], np.int8)
    yield from _by_size(first_order(inputs, output))
    yield from _by_size(_leading(second_order(inputs, output).astype(np.float64)))


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
    """The shortest period of the answers that are seen, every phase of which is; 0 where there is none."""
    for period in range(1, _LONGEST_PERIOD + 1):
        phases = [table[phase::period] for phase in range(period)]
        seen = [set(phase[phase != _UNKNOWN].tolist()) for phase in phases]
        if all(len(answers) == 1 for answers in seen):
            return period
    return 0
