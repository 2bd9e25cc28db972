"""Synthetic inputs, on which functions that agree on all training items may still differ."""

from __future__ import annotations

import numpy as np

from boolearn.data.signs import Signs

UNSEEN = 1024
"""So many show a difference on a half per cent of all inputs nearly always."""


def crossed(inputs: Signs, n: int, seed: int) -> Signs:
    """n new items, each bit of which is that of one of two random items: as like the given ones as can be had."""
    rng = np.random.default_rng([seed, 1])
    one, other = inputs[rng.integers(len(inputs), size=(2, n))]
    return np.asarray(np.where(rng.random(one.shape) < 0.5, one, other))
