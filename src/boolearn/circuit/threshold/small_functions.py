"""All threshold functions of up to four inputs, each with its smallest integer weights.

Their number is known (2, 8, 72 and 1536 functions that depend on all of 1, 2, 3 and 4 inputs; Muroga, "Threshold
logic and its applications"), so looking one up is exact and quicker than solving for it.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from boolearn.circuit.threshold.all_inputs import all_inputs

MOST_INPUTS = 4
_LARGEST_WEIGHT = 3  # enough for 4 inputs and a bias


@dataclass(frozen=True)
class SmallFunctions:
    """Functions sorted by total weight Σ|weight| + |bias|.

    ``truth[f]`` has bit k set when the function is true on pattern k of ``all_inputs``; row f of ``weights``
    holds its weights and, last, its bias.
    """

    truth: npt.NDArray[np.uint32]
    weights: npt.NDArray[np.int64]
    total: npt.NDArray[np.int64]


@cache
def small_functions(n_inputs: int) -> SmallFunctions:
    """The functions that depend on all of ``n_inputs`` inputs."""
    span = range(-_LARGEST_WEIGHT, _LARGEST_WEIGHT + 1)
    rows = np.array(list(itertools.product([w for w in span if w], repeat=n_inputs)), np.int64)
    size = np.abs(rows).sum(axis=1)
    found: dict[int, tuple[int, ...]] = {}
    patterns = all_inputs(n_inputs).astype(np.int64)
    sums = rows @ patterns.T
    places = np.left_shift(np.uint32(1), np.arange(len(patterns), dtype=np.uint32))
    candidates = []
    for bias in range(-n_inputs * _LARGEST_WEIGHT, n_inputs * _LARGEST_WEIGHT + 1):
        odd = (size + bias) % 2 == 1  # then no sum is ever zero
        truth = ((sums[odd] + bias > 0) * places).sum(axis=1).astype(np.uint32)
        candidates += [
            (int(total) + abs(bias), int(value), (*row, bias))
            for total, value, row in zip(size[odd], truth, rows[odd].tolist(), strict=True)
        ]
    for _, value, row in sorted(candidates, key=lambda candidate: (candidate[0], [-w for w in candidate[2]])):
        found.setdefault(value, row)
    kept = {value: row for value, row in found.items() if _depends_on_all(value, n_inputs)}
    weights = np.array(list(kept.values()), np.int64)
    return SmallFunctions(np.array(list(kept), np.uint32), weights, np.abs(weights).sum(axis=1))


def consistent_gates(n_inputs: int, true: int, false: int) -> npt.NDArray[np.intp]:
    """Functions true on every pattern in the set ``true`` and false on every one in ``false``, smallest first."""
    table = small_functions(n_inputs)
    wrong = (~table.truth & np.uint32(true)) | (table.truth & np.uint32(false))
    return np.flatnonzero(wrong == 0)


def _depends_on_all(truth: int, n_inputs: int) -> bool:
    patterns = range(1 << n_inputs)
    return all(any((truth >> k ^ truth >> (k ^ 1 << place)) & 1 for k in patterns) for place in range(n_inputs))
