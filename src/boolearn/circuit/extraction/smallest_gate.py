"""The smallest gate that holds a neuron's values on every item.

Keeping a neuron's largest weights does not find it: before training has fully converged the gate hides among
weights of similar size. Searching all gates over the signals the neuron reads does. Smaller means fewer inputs,
then a smaller total weight Σ|weight| + |bias|, so And and Or come before Maj, Maj before (2, 1, 1, 1); among
equals the gate closest in direction to the learned weights is taken.
"""

from __future__ import annotations

import enum
import itertools
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boolearn.circuit.extraction.support_search import BudgetExceededError, SupportSearch
from boolearn.circuit.threshold.integer_weights import real_weights, rounded, smallest_weights
from boolearn.data.signs import Signs

DEFAULT_EFFORT = 5_000_000
_MOST_ALTERNATIVES = 200
_REWEIGHTINGS = 4


class Reading(enum.Enum):
    """How the gate of a neuron was determined."""

    CONSTANT = "never changes"
    MERGED = "equals another signal"
    SMALLEST = "smallest gate"
    REDUCED = "reduced, possibly not the smallest gate"
    WHOLE_CUBE = "equal on all inputs"


@dataclass(frozen=True)
class FoundGate:
    """Positions among the candidate signals, their integer weights, the bias, and what is known about it."""

    inputs: tuple[int, ...]
    weights: tuple[int, ...]
    bias: int
    reading: Reading


def smallest_gate(
    values: Signs, target: Signs, near: npt.NDArray[np.float64], effort: int = DEFAULT_EFFORT
) -> FoundGate | None:
    """The smallest gate over the columns of ``values`` that equals ``target`` on every item, or None if none does.

    ``near`` holds the learned weight of every column and, last, the bias. Columns must differ from each other, from
    their negations and from constants. ``effort`` bounds the search; when it does not suffice the gate found
    is a sparse one, marked as perhaps not the smallest.
    """
    rows, first = np.unique(np.column_stack((values, target)), axis=0, return_index=True)
    first = np.sort(first)
    values, target = values[first], target[first]
    if len(np.unique(rows[:, :-1], axis=0)) != len(rows):
        return None
    if (target == target[0]).all():
        return FoundGate((), (), int(target[0]), Reading.CONSTANT)
    agree = values.astype(np.int64).T @ target
    equal = np.flatnonzero(np.abs(agree) == len(target))
    if equal.size:
        return FoundGate((int(equal[0]),), (int(np.sign(agree[equal[0]])),), 0, Reading.SMALLEST)
    search = SupportSearch(values, target, effort)
    try:
        for size in range(2, values.shape[1] + 1):
            supports = list(itertools.islice(search.supports(size), _MOST_ALTERNATIVES))
            if supports:
                return _best_gate(supports, values, target, near)
    except BudgetExceededError:
        return _sparse_gate(values, target, near)
    return None


def _best_gate(
    supports: list[tuple[int, ...]], values: Signs, target: Signs, near: npt.NDArray[np.float64]
) -> FoundGate:
    best: tuple[tuple[int, float], FoundGate] | None = None
    # Weights on signals a gate leaves out count against it.
    length = max(float(np.linalg.norm(near)), 1e-300)
    for support in supports:
        columns = list(support)
        own = near[[*columns, -1]]
        found = smallest_weights(*_patterns(values[:, columns], target), own)
        if found is None:
            continue
        weights, bias = found
        row = np.array([*weights, bias], np.float64)
        rank = (int(np.abs(row).sum()), -float(row @ own) / (length * float(np.linalg.norm(row))))
        if best is None or rank < best[0]:
            best = rank, FoundGate(support, weights, bias, Reading.SMALLEST)
    if best is None:
        raise AssertionError("a support that works must have weights")
    return best[1]


def _sparse_gate(values: Signs, target: Signs, near: npt.NDArray[np.float64]) -> FoundGate | None:
    """Few inputs without a promise: linear programs that favour weights already large, then leaving inputs out."""
    columns = np.arange(values.shape[1])
    cost = 1 / (1e-2 + np.abs(near) / max(float(np.abs(near).max()), 1e-300))
    solution = real_weights(values, target, cost)
    if solution is None:
        return None
    for _ in range(_REWEIGHTINGS):
        kept = np.flatnonzero(np.abs(solution[:-1]) > 1e-9)
        columns = columns[kept]
        size = np.abs(solution[[*kept, -1]])
        again = real_weights(values[:, columns], target, 1 / (1e-2 + size / max(float(size.max()), 1e-300)))
        if again is None:  # pragma: no cover - the weights just found remain a solution
            break
        solution = again
    for column in columns[np.argsort(np.abs(solution[:-1]), kind="stable")]:
        fewer = columns[columns != column]
        patterns, wanted = _patterns(values[:, fewer], target)
        if len(np.unique(patterns, axis=0)) == len(patterns) and (
            real_weights(patterns, wanted, np.ones(len(fewer) + 1)) is not None
        ):
            columns = fewer
    patterns, wanted = _patterns(values[:, columns], target)
    found = smallest_weights(patterns, wanted, near[[*columns, -1]])
    if found is None:
        last = real_weights(patterns, wanted, np.ones(len(columns) + 1))
        if last is None:
            return None
        found = rounded(last, patterns, wanted)
    used = [k for k, weight in enumerate(found[0]) if weight]
    return FoundGate(tuple(int(columns[k]) for k in used), tuple(found[0][k] for k in used), found[1], Reading.REDUCED)


def _patterns(values: Signs, target: Signs) -> tuple[Signs, Signs]:
    """The different rows of a few columns, with their targets."""
    rows = np.unique(np.column_stack((values, target)), axis=0)
    return rows[:, :-1], rows[:, -1]
