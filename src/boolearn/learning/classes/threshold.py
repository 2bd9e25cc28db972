"""One threshold gate: the sign of a weighted sum of the inputs with whole weights.

Examples are separable by a hyperplane if and only if the linear program "minimise Σ|w_i| subject to y·(w·x + b) ≥ 1"
is feasible. Rows are added as they are violated, so that the program stays small: it has few more rows than it needs at
its optimum, which Clarkson (1995) bounds by O(n²) for random samples. Its solution is then scaled by 1, 2, 3, … and
rounded until it agrees with every example, so weights are as small as this finds them. Every threshold function of n
inputs has whole weights below n^(n/2) (Muroga 1971); those that the examples determine are much smaller.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from boolearn.circuit.building import CircuitBuilder
from boolearn.circuit.circuit import Literal
from boolearn.learning.classes.fitted import Bits, Drawing, Fitted, integer_bits, subset_bits

NAME = "threshold gate"
_ROUNDS = 60
_LARGEST_SCALE = 1024
_MOST_INPUTS = 300
_ROWS_FIRST = 1000

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


def fit(inputs: Bits, output: Bits) -> Fitted | None:
    """A threshold gate that agrees, or None where there is none, or none with weights of a thousand."""
    n = inputs.shape[1]
    if not 1 <= n <= _MOST_INPUTS or not len(output):
        return None
    x = np.where(inputs, 1.0, -1.0)
    real = _separated(x, np.where(output, 1.0, -1.0))
    if real is None:
        return None
    whole = _whole(x, output, *real)
    return None if whole is None else _fitted(*whole)


def _separated(x: Floats, y: Floats) -> tuple[Floats, float] | None:
    """Real weights and a bias with margin 1, the sum of the weights' sizes least; None if there are none."""
    from scipy.optimize import linprog  # slow to import

    items, n = x.shape
    rows = np.zeros(items, bool)
    rows[: 4 * n + 40] = True
    cost = np.concatenate((np.ones(2 * n), [0.0]))  # w = p − q with p, q ≥ 0
    bounds = [(0, None)] * (2 * n) + [(None, None)]
    for _ in range(_ROUNDS):
        part = y[rows, None] * x[rows]
        constraints = -np.concatenate((part, -part, y[rows, None]), axis=1)
        result = linprog(cost, constraints, -np.ones(len(part)), bounds=bounds, method="highs")
        if result.x is None:
            return None
        weights, bias = result.x[:n] - result.x[n : 2 * n], float(result.x[-1])
        margin = y * (x @ weights + bias)
        violated = np.flatnonzero((margin < 1 - 1e-6) & ~rows)
        if not len(violated):
            return weights, bias
        rows[violated[np.argsort(margin[violated], kind="stable")[: 4 * n + 40]]] = True
    return None


def _whole(x: Floats, output: Bits, weights: Floats, bias: float) -> tuple[Integers, int] | None:
    """The smallest multiple of the weights that is right when rounded, with a bias that makes no sum zero."""
    largest = float(np.abs(weights).max(initial=0.0))
    if largest == 0:
        return None
    some = slice(0, _ROWS_FIRST)
    for scale in range(1, _LARGEST_SCALE + 1):
        whole = np.rint(weights * (scale / largest)).astype(np.int64)
        first = x[some] @ whole
        if first[output[some]].min(initial=np.inf) <= first[~output[some]].max(initial=-np.inf):
            continue
        sums = np.rint(x @ whole).astype(np.int64)
        low = int(sums[output].min(initial=np.abs(whole).sum() + 2))
        high = int(sums[~output].max(initial=-np.abs(whole).sum() - 2))
        if high < low:
            # Sums differ by an even number, so there is a whole number between that no sum is.
            middle = int(np.clip(-round(bias * scale / largest), high + 1, low - 1))
            return whole, -(middle if (middle - high) % 2 else middle - 1)
    return None


def _fitted(weights: Integers, bias: int) -> Fitted:
    used = np.flatnonzero(weights).tolist()
    sizes = [int(weights[index]) for index in used]

    def make(builder: CircuitBuilder) -> Literal:
        return builder.threshold([Literal(index) for index in used], sizes, bias)

    bits = subset_bits(len(weights), len(used)) + sum(map(integer_bits, sizes)) + integer_bits(bias)
    largest = max(map(abs, sizes), default=0)
    words = f"a weighted sum of {len(used)} inputs, weights up to {largest}, above a bound"
    # A bit of a sum costs a full adder for every digit of its weight.
    ands = 7.0 * sum(math.log2(abs(size)) + 1 for size in sizes)
    return Fitted(NAME, words, bits, len(weights), (Drawing(make, ands),))
