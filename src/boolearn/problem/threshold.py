"""Set A at a neuron: the output is ±1 and w·x has the same sign with margin μ.

    A = A₊ ∪ A₋,   A± = {(w, x, y): ±w·x ≥ μ, y = ±1}

Elser & Lal, "Projecting to the BTF constraint".
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boolearn.problem.bilinear import distance_moved, margin_root

Floats = npt.NDArray[np.float64]


class ThresholdStep(NamedTuple):
    """How to project neurons on A: w + x and w − x are scaled, y is replaced."""

    sum_scale: Floats
    difference_scale: Floats
    y: Floats

    def move(self, w: Floats, x: Floats) -> tuple[Floats, Floats]:
        """The pair (w', x') this leads to."""
        half_sum = self.sum_scale * (w + x) / 2
        half_difference = self.difference_scale * (w - x) / 2
        return half_sum + half_difference, half_sum - half_difference


def threshold_step(s: Floats, d: Floats, y: Floats, mu: Floats) -> ThresholdStep:
    """The nearest point of A, from S = |w + x|²/2, D = |w − x|²/2 and y.

    Four cases: the signs of y and w·x agree or not, the margin is kept or not. Where the signs
    agree that side is nearer. Where they do not, both sides are tried and the nearer is taken.
    """
    p = (s - d) / 2
    to_plus = np.where(p < mu, margin_root(s, d, mu), 1.0)
    to_minus = np.where(p > -mu, margin_root(d, s, mu), 1.0)
    cost_plus = distance_moved(s, d, to_plus) + (1 - y) ** 2
    cost_minus = distance_moved(d, s, to_minus) + (1 + y) ** 2
    plus = np.where(y * p > 0, y > 0, cost_plus < cost_minus)
    return ThresholdStep(
        sum_scale=np.where(plus, 1 / to_plus, 1 / (2 - to_minus)),
        difference_scale=np.where(plus, 1 / (2 - to_plus), 1 / to_minus),
        y=np.where(plus, 1.0, -1.0),
    )


def project_threshold(w: Floats, x: Floats, y: float, mu: float) -> tuple[Floats, Floats, float]:
    """The nearest (w', x', y') in A for one neuron: the plain form of what engines do for all."""
    s, d = np.sum((w + x) ** 2) / 2, np.sum((w - x) ** 2) / 2
    step = threshold_step(np.array(s), np.array(d), np.array(y), np.array(mu))
    return *step.move(w, x), float(step.y)
