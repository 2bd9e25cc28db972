"""A bound on the support of a neuron, in set B: |w|₁² ≤ s |w|₂².

n weights of one magnitude and zeros have the ratio n, so s is a number of inputs, and the ratio of any weights is the
number of inputs in effect. Of all weights of a given norm that keep the bound, the nearest to v have the signs of v and
the magnitudes max(|v| − t, 0), rescaled, with the least t that will do. This is not in the paper, where σ alone, by
its margin, keeps the support small, and only once a neuron is right on all items.
"""

from __future__ import annotations

import math

import numpy as np

from boolearn.problem.point import Floats

EQUAL = 1e-9
"""Magnitudes that differ by less than this share of the largest are equal: what is left of them would be rounding."""


def narrowed(v: Floats, support: float) -> Floats:
    """A neuron's weights, their magnitudes lessened as far as the bound asks for; the norm is for others to restore.

    Where the largest magnitudes are equal, and too many, no weights are nearest; these stay, and all others go.
    """
    size = np.abs(v)
    if size.sum() ** 2 <= support * (size**2).sum():
        return v
    t, kept = 0.0, 0
    # With the k magnitudes above t, of mean a and variance c, it is a − √(s c / (k − s)). Those below drop out.
    while (k := int(np.count_nonzero(size > t))) > support and k != kept:
        mean, variance = size[size > t].mean(), size[size > t].var()
        t, kept = max(t, mean - math.sqrt(support * variance / (k - support))), k
    largest = size.max()
    if largest - t <= EQUAL * largest:
        return np.where(size >= (1 - EQUAL) * largest, v, 0.0)
    return np.copysign(np.maximum(size - t, 0), v)
