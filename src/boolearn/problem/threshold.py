"""Set A at a neuron: the output is ±1 and w·x has the same sign with margin μ.

    A = A₊ ∪ A₋,   A± = {(w, x, y): ±w·x ≥ μ, y = ±1}

Elser & Lal, "Projecting to the BTF constraint".
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boolearn.problem.bilinear import distance_moved, margin_root, squared_sum_and_difference

Floats = npt.NDArray[np.float64]


def threshold_step(p: Floats, q: Floats, y: Floats, mu: Floats) -> tuple[Floats, Floats]:
    """How to project neurons on A, given p = w·x, q = w·w + x·x and y: the step u and the new y.

    Four cases: the signs of y and w·x agree or not, the margin is kept or not. Where the signs
    agree that side is nearer. Where they do not, both sides are tried and the nearer is taken.
    """
    s, d = squared_sum_and_difference(p, q)
    to_plus = np.where(p < mu, margin_root(s, d, mu), 0.0)
    to_minus = np.where(p > -mu, margin_root(d, s, mu), 0.0)
    cost_plus = distance_moved(s, d, to_plus) + (1 - y) ** 2
    cost_minus = distance_moved(d, s, to_minus) + (1 + y) ** 2
    plus = np.where(y * p > 0, y > 0, cost_plus < cost_minus)
    return np.where(plus, to_plus, -to_minus), np.where(plus, 1.0, -1.0)


def move(w: Floats, x: Floats, u: Floats) -> tuple[Floats, Floats]:
    """The pair (w', x') that the step u leads to."""
    a, b = 1 / (1 - u**2), u / (1 - u**2)
    return a * w + b * x, a * x + b * w


def project_threshold(w: Floats, x: Floats, y: float, mu: float) -> tuple[Floats, Floats, float]:
    """The nearest (w', x', y') in A for one neuron: the plain form of what engines do for all."""
    p, q = np.array(w @ x), np.array(w @ w + x @ x)
    u, new_y = threshold_step(p, q, np.array(y), np.array(mu))
    new_w, new_x = move(w, x, u)
    return new_w, new_x, float(new_y)
