"""Juntas: functions of few inputs, whatever they are.

A set of inputs is enough if no two examples agree on it and differ in the output; then the examples determine a row of
the truth table for every pattern of the set they show. With k relevant inputs of n, O(2^k·(k log n + log 1/δ)) random
examples leave no other set of k with probability 1 − δ (Blumer et al. 1987), and to find the set is the learning of
juntas, for which no fast method is known in general (Mossel, O'Donnell & Servedio 2004). Here: take the input that
leaves the fewest contradicting pairs, again and again, then drop what is not needed; also from the pairs of inputs with
the strongest second-order correlation, as inputs of a parity have no strength alone. Sets so large that an average
pattern is seen less than twice are not tried. The result can be larger than the smallest set; none of its inputs can be
left out.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from boolearn.circuit.building import CircuitBuilder
from boolearn.circuit.circuit import Literal
from boolearn.learning.classes.correlations import second_order
from boolearn.learning.classes.fitted import Bits, Drawing, Fitted, listed, subset_bits
from boolearn.learning.classes.table import table_literal

NAME = "few inputs"
_MOST_INPUTS = 12
_PAIRS = 2
_MOST_FOR_PAIRS = 1500
_QUICK = 1 << 22
"""Bits of examples that are looked at to choose the next input."""


def fit(inputs: Bits, output: Bits) -> Fitted | None:
    """A function of few inputs that agrees, or None where none is found."""
    most = min(_MOST_INPUTS, max(len(output), 2).bit_length() - 2)
    best: list[int] | None = None
    for start in _starts(inputs, output):
        found = _enough(inputs, output, start, most)
        if found is not None and (best is None or len(found) < len(best)):
            best, most = found, len(found) - 1
    return None if best is None else _fitted(inputs, output, sorted(best))


def _starts(inputs: Bits, output: Bits) -> Iterator[list[int]]:
    """Nothing, and the pairs of inputs whose parity tells most about the output."""
    yield []
    n = inputs.shape[1]
    if 2 <= n <= _MOST_FOR_PAIRS:
        strength = np.triu(np.abs(second_order(inputs, output)), 1).ravel()
        for pair in np.argpartition(-strength, _PAIRS)[:_PAIRS].tolist():
            if strength[pair] > 0:
                yield list(divmod(pair, n))


def _enough(inputs: Bits, output: Bits, start: list[int], most: int) -> list[int] | None:
    """The start and more inputs, at most ``most``, that leave no contradiction; then without those not needed."""
    chosen = list(start)
    cell = _cells(inputs[:, chosen])
    rows = _undecided(cell, output)
    while len(rows):
        if len(chosen) >= most:
            return None
        some = rows[: max(64, _QUICK // inputs.shape[1])]
        left = _contradictions(inputs[some], output[some], cell[some])
        left[chosen] = np.iinfo(np.int64).max
        chosen.append(int(left.argmin()))
        cell[rows] = _cells(inputs[rows][:, chosen])
        rows = rows[_undecided(cell[rows], output[rows])]
    for index in list(chosen):
        fewer = [other for other in chosen if other != index]
        if not len(_undecided(_cells(inputs[:, fewer]), output)):
            chosen = fewer
    return chosen if len(chosen) <= most else None


def _cells(columns: Bits) -> npt.NDArray[np.int64]:
    """The number that the bits of every row make."""
    return columns @ (1 << np.arange(columns.shape[1], dtype=np.int64))


def _undecided(cell: npt.NDArray[np.int64], output: Bits) -> npt.NDArray[np.intp]:
    """The rows in cells that hold both answers."""
    true = np.bincount(cell, weights=output)
    total = np.bincount(cell)
    return np.flatnonzero(((true > 0) & (true < total))[cell])


def _contradictions(inputs: Bits, output: Bits, cell: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Shape (n,): how many pairs of one cell with different answers would be left with each input."""
    order = np.argsort(cell, kind="stable")
    inputs, output, cell = inputs[order], output[order], cell[order]
    first = np.flatnonzero(np.diff(cell, prepend=cell[0] - 1))

    def summed(which: Bits) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        ones = np.add.reduceat(inputs & which[:, None], first, axis=0, dtype=np.int64)
        return ones, np.add.reduceat(which, first, dtype=np.int64)[:, None] - ones

    (true_ones, true_zeros), (false_ones, false_zeros) = summed(output), summed(~output)
    return np.asarray((true_ones * false_ones + true_zeros * false_zeros).sum(axis=0), np.int64)


def _fitted(inputs: Bits, output: Bits, chosen: list[int]) -> Fitted:
    n, k = inputs.shape[1], len(chosen)
    cell = _cells(inputs[:, chosen])
    ones = sum(1 << row for row in set(cell[output].tolist()))
    said = sum(1 << row for row in set(cell.tolist()))

    def make(builder: CircuitBuilder) -> Literal:
        return table_literal(builder, [Literal(index) for index in chosen], ones, said)

    words = f"a function of {k} {'input' if k == 1 else 'inputs'}: {listed(chosen)}"
    return Fitted(NAME, words, subset_bits(n, k) + (1 << k), n, (Drawing(make),))
