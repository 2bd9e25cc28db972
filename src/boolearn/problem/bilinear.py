r"""The set of pairs (w, x) with w·x on the right side of a margin, and the way there.

Outside the set w·x ≥ μ the nearest pair in it is

    w' = (w + u x)/(1 − u²),    x' = (x + u w)/(1 − u²)

with the one u in [0, 1) that makes w'·x' = μ. Only two numbers of the pair matter for u:

    S = |w + x|²/2,   D = |w − x|²/2:    S/(1−u)² − D/(1+u)² = 2μ.

Elser & Lal, "Projecting to the BTF constraint".
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_FLOOR = 1e-14
_STEPS = 4


def squared_sum_and_difference(p: Floats, q: Floats) -> tuple[Floats, Floats]:
    """S and D from p = w·x and q = w·w + x·x.

    At w = ±x one of them is zero, the nearest pair is not unique and u would be ±1; a floor
    far below rounding keeps the answer finite and always the same.
    """
    floor = _FLOOR * (q + 1)
    return np.maximum(q / 2 + p, floor), np.maximum(q / 2 - p, floor)


def margin_root(s: Floats, d: Floats, mu: Floats) -> Floats:
    """Solve S/(1−u)² − D/(1+u)² = 2μ for u in [0, 1), where w·x < μ.

    The start is at or right of the root, and from the root on the function is convex, so Halley's
    steps cannot escape; they are kept between 0 and the start all the same. Four of them reach the
    last digits of a double.
    """
    start: Floats = np.maximum(0.0, 1 - np.sqrt(s / (2 * mu + d)))
    u = start
    for _ in range(_STEPS):
        near, far = 1 / (1 - u), 1 / (1 + u)
        f = s * near**2 - d * far**2 - 2 * mu
        df = 2 * (s * near**3 + d * far**3)
        ddf = 6 * (s * near**4 - d * far**4)
        u = np.clip(u - 2 * f * df / (2 * df**2 - f * ddf), 0, start)
    return u


def distance_moved(s: Floats, d: Floats, u: Floats) -> Floats:
    """|w' − w|² + |x' − x|² for the step u; no vectors are needed to know it."""
    return s * (u / (1 - u)) ** 2 + d * (u / (1 + u)) ** 2
