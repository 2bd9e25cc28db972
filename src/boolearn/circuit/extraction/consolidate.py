"""Signals that always agree, or always disagree, on the values seen are one signal.

The paper calls such nodes consolidated: a neuron may spread one weight over all of them (Elser & Lal, Section II),
which hides the gate it computes until they are merged.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boolearn.data.signs import Signs


@dataclass(frozen=True, eq=False)
class Consolidation:
    """For every signal the first one it equals, or equals negated: ``value = sign · value[representative]``."""

    representative: npt.NDArray[np.int64]
    sign: Signs


def consolidate(values: Signs) -> Consolidation:
    """Merge the columns of ±1 values, shape (items, signals), that are exactly correlated or anticorrelated.

    A column that never changes is merged with an earlier one that never does: node 0 of a network, the constant.
    """
    # Relative to its value on the first item a signal and its negation look the same.
    sign = values[0]
    packed = np.packbits(values.T > 0, axis=1)
    flipped = np.packbits(values.T <= 0, axis=1)
    canonical = np.where(sign[:, None] > 0, packed, flipped)
    first: dict[bytes, int] = {}
    representative = np.array([first.setdefault(row.tobytes(), k) for k, row in enumerate(canonical)], np.int64)
    return Consolidation(representative, sign * sign[representative])


def gathered(
    senders: npt.NDArray[np.integer], weights: npt.NDArray[np.float64], classes: Consolidation
) -> tuple[dict[int, float], dict[int, int]]:
    """A neuron's weights summed over merged signals, by representative; and in each class the sender it weighs most."""
    total: dict[int, float] = {}
    heaviest: dict[int, tuple[float, int]] = {}
    for sender, weight in zip(senders.tolist(), weights.tolist(), strict=True):
        representative = int(classes.representative[sender])
        signed = weight * int(classes.sign[sender])
        total[representative] = total.get(representative, 0.0) + signed
        heaviest[representative] = max(heaviest.get(representative, (-1.0, sender)), (abs(weight), sender))
    # A sender that pulls against its class still holds the class's values, so any of them can be read.
    return total, {representative: sender for representative, (_, sender) in heaviest.items()}
