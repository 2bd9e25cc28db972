"""A logistic curve through successes and failures: where the transition is, and how wide."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boolearn.checks import generator
from boolearn.errors import DataError

Floats = npt.NDArray[np.float64]

NARROWEST, WIDEST = 0.05, 4.0
"""Points that a step separates determine no width; the curve is never narrower than this, in doublings."""
MIDDLES, WIDTHS = 181, 31
"""Curves of the grid. At a range of four doublings and two beyond on either side, middles are 3 % apart."""
RESAMPLES = 400


@dataclass(frozen=True)
class Transition:
    """P(x) = 1/(1 + exp(−(log₂ x − log₂ middle)/width))."""

    middle: float
    """The x at which half of the trials succeed."""
    width: float
    """In doublings of x; from 10 % to 90 % it takes 2 ln 9 ≈ 4.4 of it."""
    low: float
    high: float
    """The middle 68 % of ``middle`` when groups of trials are drawn again with replacement."""

    def at(self, x: Floats) -> Floats:
        return _curve(np.log2(x), math.log2(self.middle), self.width)


def fit_transition(x: Sequence[float], success: Sequence[float], group: Sequence[int], seed: int = 0) -> Transition:
    """Maximum likelihood over a grid of curves, with an interval by resampling groups.

    Trials of a group, such as those of one circuit, are not independent. ``success`` is a share from 0 to 1. The middle
    is kept within a factor of four of the values that were tried.
    """
    values, shares, groups = np.asarray(x, float), np.asarray(success, float), np.asarray(group)
    if not len(values) or not len(values) == len(shares) == len(groups):
        raise DataError(
            "a transition must have as many values as successes and groups, at least one. "
            f"Got {len(values)}, {len(shares)} and {len(groups)} instead."
        )
    if values.min() <= 0:
        raise DataError(
            f"a transition is fitted on a logarithmic scale, to values above 0. Got {values.min()} instead."
        )
    log_x = np.log2(values)
    middles = np.linspace(log_x.min() - 2, log_x.max() + 2, MIDDLES)
    widths = np.geomspace(NARROWEST, WIDEST, WIDTHS)
    p = np.clip(_curve(log_x[:, None, None], middles[:, None], widths), 1e-9, 1 - 1e-9)
    likelihood = shares[:, None, None] * np.log(p) + (1 - shares[:, None, None]) * np.log1p(-p)
    # Of every group a table over all curves, so that drawing groups again is a sum of tables.
    tables = np.stack([likelihood[groups == name].sum(axis=0).ravel() for name in np.unique(groups)])
    best = int(tables.sum(axis=0).argmax())
    drawn = generator(seed).multinomial(len(tables), [1 / len(tables)] * len(tables), RESAMPLES)
    others = middles[(drawn @ tables).argmax(axis=1) // WIDTHS]
    low, high = np.quantile(others, (0.16, 0.84))
    middle, width = middles[best // WIDTHS], widths[best % WIDTHS]
    return Transition(float(2**middle), float(width), float(2**low), float(2**high))


def _curve(log_x: Floats, middle: Floats | float, width: Floats | float) -> Floats:
    return 1 / (1 + np.exp(-np.clip((log_x - middle) / width, -50, 50)))
