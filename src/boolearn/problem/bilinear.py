r"""The set of pairs (w, x) with w·x on the right side of a margin, and the way there.

Outside the set w·x ≥ μ the nearest pair in it is

    w' = (w + u x)/(1 − u²),    x' = (x + u w)/(1 − u²)

with the one u in [0, 1) that makes w'·x' = μ. In w + x and w − x this is only a stretch and a shrink,

    w' + x' = (w + x)/(1 − u),    w' − x' = (w − x)/(1 + u),

so two numbers of the pair are enough to know u:

    S = |w + x|²/2,   D = |w − x|²/2:    S/(1 − u)² − D/(1 + u)² = 2μ.

The unknown is kept as v = 1 − u, which has all its digits where u is close to 1.

Elser & Lal, "Projecting to the BTF constraint".
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_FLOOR = 1e-24
_STEPS = 4


def margin_root(s: Floats, d: Floats, mu: Floats) -> Floats:
    """Solve S/v² − D/(2 − v)² = 2μ for v in (0, 1], where w·x = (S − D)/2 < μ.

    The start is at or below the root and the function is convex from there to the root, so Halley's steps
    cannot escape; they are kept between the start and 1 all the same. Four of them reach the last digits of
    a double. At w = −x, where S = 0, the nearest pair is not unique; the floor on S keeps v above zero and
    the answer always the same.
    """
    s = np.maximum(s, _FLOOR * (2 * mu + d))
    start: Floats = np.minimum(1.0, np.sqrt(s / (2 * mu + d)))
    v = start
    for _ in range(_STEPS):
        near, far = 1 / v, 1 / (2 - v)
        f = s * near**2 - d * far**2 - 2 * mu
        df = -2 * (s * near**3 + d * far**3)
        ddf = 6 * (s * near**4 - d * far**4)
        v = np.clip(v - 2 * f * df / (2 * df**2 - f * ddf), start, 1)
    return v


def distance_moved(s: Floats, d: Floats, v: Floats) -> Floats:
    """|w' − w|² + |x' − x|²; no vectors are needed to know it."""
    return s * ((1 - v) / v) ** 2 + d * ((1 - v) / (2 - v)) ** 2
