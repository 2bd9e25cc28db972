"""Integer weights: in exactly the ratio of real ones, or the smallest that give wanted signs on given patterns.

Smallest means the least Σ|weight| + |bias|: for functions of up to eight inputs these are the classical
weights, which also have the largest margin for their norm (Elser & Lal, "Representing logic gates").
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from boolearn.circuit.threshold.small_functions import MOST_INPUTS, consistent_gates, small_functions
from boolearn.data.signs import Signs
from boolearn.errors import ParameterError

Floats = npt.NDArray[np.float64]
Weights = tuple[tuple[int, ...], int]

_MOST_NODES = 2000
"""Of the integer program's search. Not a time: the same gate must come out on a busy machine."""
_MOST_PROGRAMMED = 9
_PREFERENCE = 1e-3
_NEW_ROWS = 40


def as_integers(weights: Sequence[float]) -> list[int]:
    """Integers in exactly the ratio of the weights, as small as they can be."""
    try:
        fractions = [Fraction(weight) for weight in weights]
    except (TypeError, ValueError, OverflowError):
        raise ParameterError("weights", "finite numbers", weights) from None
    scale = math.lcm(*(fraction.denominator for fraction in fractions)) if fractions else 1
    integers = [int(fraction * scale) for fraction in fractions]
    common = math.gcd(*integers) or 1
    return [integer // common for integer in integers]


def pattern_sets(patterns: Signs, wanted: Signs) -> tuple[int, int] | None:
    """Patterns of a few inputs as two sets, where true and where false is wanted; None when they overlap."""
    places = 1 << np.arange(patterns.shape[1] - 1, -1, -1)
    numbers = (patterns > 0) @ places
    true = sum(1 << int(number) for number in np.unique(numbers[wanted > 0]))
    false = sum(1 << int(number) for number in np.unique(numbers[wanted <= 0]))
    return None if true & false else (true, false)


def smallest_weights(patterns: Signs, wanted: Signs, near: Floats) -> Weights | None:
    """Integer (weights, bias) with sgn(patterns @ weights + bias) = wanted and no zero sum on any pattern at all.

    ``near`` holds preferred weights and bias: of equally small answers the one closest in direction is taken.
    None when there is no answer, since the wanted values are not a threshold function of these inputs.
    """
    n_inputs = patterns.shape[1]
    if 1 <= n_inputs <= MOST_INPUTS:
        sets = pattern_sets(patterns, wanted)
        if sets is None:
            return None
        answer = smallest_tabled(n_inputs, *sets, near)
        if answer is not None:
            return answer
    return _smallest_by_programming(patterns, wanted, near)


def smallest_tabled(n_inputs: int, true: int, false: int, near: Floats) -> Weights | None:
    """The same from the table of small gates: functions that depend on all the inputs."""
    fitting = consistent_gates(n_inputs, true, false)
    if not fitting.size:
        return None
    table = small_functions(n_inputs)
    least = fitting[table.total[fitting] == table.total[fitting[0]]]
    rows = table.weights[least]
    return _answer(rows[int(np.argmax(rows @ near / np.linalg.norm(rows, axis=1)))])


def real_weights(patterns: Signs, wanted: Signs, cost: Floats) -> Floats | None:
    """Real weights and bias with margin at least 1 on every pattern and the least Σ cost·|weight|, or None."""
    from scipy.optimize import linprog  # slow to import, and often not needed

    rows = signed_rows(patterns, wanted)
    chosen = np.arange(min(len(rows), 4 * rows.shape[1]))
    while True:
        part = rows[chosen]
        answer = linprog(
            np.concatenate((cost, cost)),
            A_ub=-np.hstack((part, -part)),
            b_ub=-np.ones(len(part)),
            method="highs",
        )
        if answer.x is None:
            return None
        weights: Floats = answer.x[: rows.shape[1]] - answer.x[rows.shape[1] :]
        violated = _most_violated(rows @ weights, 1 - 1e-7)
        violated = np.setdiff1d(violated, chosen)
        if not violated.size:
            return weights
        chosen = np.concatenate((chosen, violated))


def rounded(weights: Floats, patterns: Signs, wanted: Signs) -> Weights:
    """Integers in about the ratio of real weights that have the wanted signs, found by scaling up until they do."""
    rows = np.column_stack((patterns, np.ones(len(patterns)))).astype(np.float64)
    scale = 1.0 / max(np.abs(weights).max(), 1e-300)
    while True:
        integers = np.rint(weights * scale)
        if (np.where(rows @ integers > 0, 1, -1) == wanted).all() and (rows @ integers != 0).all():
            if int(np.abs(integers).sum()) % 2 == 0:
                integers *= 2
                integers[-1] -= 1
                if not (np.where(rows @ integers > 0, 1, -1) == wanted).all():  # pragma: no cover - sums were ≥ 1
                    raise AssertionError
            return _answer(integers)
        scale *= 1.25


def _smallest_by_programming(patterns: Signs, wanted: Signs, near: Floats) -> Weights | None:
    """Integer programming with only the rows that matter: patterns are added when an answer violates them."""
    rows = signed_rows(patterns, wanted)
    width = rows.shape[1]
    direction = near / max(float(np.linalg.norm(near)), 1e-300)
    start = real_weights(patterns, wanted, np.ones(width))
    if start is None:
        return None
    if width > _MOST_PROGRAMMED + 1:  # least integers would take too long to find and be no shorter to read
        return rounded(start, patterns, wanted)
    chosen = np.argsort(rows @ start, kind="stable")[: 4 * width]
    while True:
        answer = _integer_program(rows[chosen], direction)
        if answer is None:  # too many nodes: the real answer scaled up does as well, if less small
            return rounded(start, patterns, wanted)
        violated = np.setdiff1d(_most_violated(rows @ answer, 0.5), chosen)
        if not violated.size:
            return _answer(answer)
        chosen = np.concatenate((chosen, violated))


def _integer_program(rows: Floats, direction: Floats) -> Floats | None:
    """Least Σ|w| with rows @ w ≥ 1 and Σ w odd, so that no pattern, seen or not, can sum to zero."""
    from scipy.optimize import Bounds, LinearConstraint, milp

    width = rows.shape[1]
    unknowns = 2 * width + 1  # positive parts, negative parts, half of the odd sum
    cost = np.zeros(unknowns)
    cost[:width] = 1 - _PREFERENCE * direction
    cost[width : 2 * width] = 1 + _PREFERENCE * direction
    margin = np.hstack((rows, -rows, np.zeros((len(rows), 1))))
    parity = np.concatenate((np.ones(width), -np.ones(width), [-2.0]))
    lower = np.zeros(unknowns)
    lower[-1] = -np.inf
    result = milp(
        cost,
        integrality=np.ones(unknowns),
        bounds=Bounds(lower, np.full(unknowns, np.inf)),
        constraints=[
            LinearConstraint(margin, np.ones(len(rows)), np.full(len(rows), np.inf)),
            LinearConstraint(parity[None, :], 1.0, 1.0),
        ],
        options={"node_limit": _MOST_NODES, "mip_rel_gap": 0.0},
    )
    if result.x is None:
        return None
    found: Floats = np.rint(result.x[:width]) - np.rint(result.x[width : 2 * width])
    return found if (rows @ found > 0.5).all() else None


def signed_rows(patterns: Signs, wanted: Signs) -> Floats:
    """Patterns with a column for the bias, turned so that all products with the weights must be positive."""
    rows = np.ones((len(patterns), patterns.shape[1] + 1))
    rows[:, :-1] = patterns
    return rows * wanted[:, None].astype(np.float64)


def _most_violated(margins: Floats, least: float) -> npt.NDArray[np.intp]:
    violated = np.flatnonzero(margins < least)
    return violated[np.argsort(margins[violated], kind="stable")[:_NEW_ROWS]]


def _answer(row: npt.NDArray[np.generic]) -> Weights:
    integers = [int(value) for value in row.tolist()]
    return tuple(integers[:-1]), integers[-1]
