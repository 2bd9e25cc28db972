"""Point: all variables of a problem. Projections take one point to another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass
class Point:
    """Weights and inputs on every edge, outputs at every node, for every item."""

    w: Floats
    """Shape (items, n_edges)."""
    x: Floats
    """Shape (items, n_edges)."""
    y: Floats
    """Shape (items, n_nodes)."""

    def __add__(self, other: Point) -> Point:
        return Point(self.w + other.w, self.x + other.x, self.y + other.y)

    def __sub__(self, other: Point) -> Point:
        return Point(self.w - other.w, self.x - other.x, self.y - other.y)

    def __rmul__(self, factor: float) -> Point:
        return Point(factor * self.w, factor * self.x, factor * self.y)
