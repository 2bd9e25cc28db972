"""How right a circuit is on rows that nobody has seen, estimated from rows it was not trained on."""

from __future__ import annotations

import math
import warnings
from dataclasses import dataclass

from scipy.stats import beta

CONFIDENCE = 0.95
_SMALLEST_TAIL = 1e-300


@dataclass(frozen=True)
class Estimate:
    """A share of right answers with its confidence interval."""

    accuracy: float
    low: float
    high: float
    bits: int
    """How many answers were compared."""

    def __str__(self) -> str:
        return f"{self.accuracy:.2%} ({self.low:.2%} to {self.high:.2%})"


def estimate(wrong: int, bits: int, choices: float = 0.0) -> Estimate:
    """Clopper and Pearson's interval, which holds for whatever accuracy is true.

    Where the best of n circuits was chosen on these very rows its accuracy there is flattered. An interval with
    confidence 1 − 0.05/n for each holds for all of them at once, so for the chosen one as well. ``choices`` is log n:
    circuits put together of parts that were chosen apart are one of very many.
    """
    if not bits:
        return Estimate(float("nan"), 0.0, 1.0, 0)
    tail = max(_SMALLEST_TAIL, (1 - CONFIDENCE) / 2 * math.exp(-choices))
    right = bits - wrong
    with warnings.catch_warnings():
        # The inverses may fail for very small tails, with a warning and NaN; the whole range is never wrong.
        warnings.simplefilter("ignore", RuntimeWarning)
        low = float(beta.ppf(tail, right, wrong + 1)) if right else 0.0
        high = float(beta.isf(tail, right + 1, wrong)) if wrong else 1.0
    return Estimate(right / bits, low if math.isfinite(low) else 0.0, high if math.isfinite(high) else 1.0, bits)
