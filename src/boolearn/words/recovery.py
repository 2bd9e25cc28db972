"""Do codes hold known features? Bits are compared with them up to order and negation."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boolearn.data.signs import as_signs
from boolearn.errors import DataError


def recovered(codes: npt.ArrayLike, features: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """For every feature the largest share of words on which one bit, or its negation, equals it; 1 is exact."""
    bits, truth = as_signs(codes, "codes").astype(np.int64), as_signs(features, "features").astype(np.int64)
    if bits.ndim != 2 or truth.ndim != 2 or len(bits) != len(truth):
        raise DataError(f"codes and features must have equally many rows. Got {bits.shape} and {truth.shape} instead.")
    agreement = np.abs(bits.T @ truth) / len(truth)
    return np.asarray((1 + agreement.max(axis=0)) / 2)
