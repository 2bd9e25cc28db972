"""What the answers of a circuit say about classes: shares of classes among training rows with the same answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boolearn.data.signs import Signs

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PatternTable:
    """For every pattern of answers seen in training, the weight of each class."""

    counts: dict[bytes, Floats]
    prior: Floats
    """The share of each class in training."""

    @classmethod
    def count(cls, answers: Signs, classes: npt.NDArray[np.intp], weights: Floats, n_classes: int) -> PatternTable:
        counts: dict[bytes, Floats] = {}
        prior = np.bincount(classes, weights, n_classes)
        for row, label, weight in zip(answers, classes, weights, strict=True):
            counts.setdefault(row.tobytes(), np.zeros(n_classes))[label] += weight
        return cls(counts, prior / prior.sum())

    def shares(self, answers: Signs) -> Floats:
        """Shape (rows, classes). One row of training's mix is added to every pattern (the rule of Laplace), so that no
        class is ever impossible; for a pattern never seen, that of the classes whose answer is yes."""
        patterns, place = np.unique(answers, axis=0, return_inverse=True)
        rows = np.array([self._share(pattern) for pattern in patterns])
        return np.asarray(rows[place.reshape(-1)])

    def _share(self, pattern: Signs) -> Floats:
        seen = self.counts.get(pattern.tobytes())
        if seen is None:
            said = np.array([pattern[0] < 0, pattern[0] > 0]) if len(pattern) == 1 else pattern > 0
            seen = self.prior * said
        found = seen + self.prior
        return np.asarray(found / found.sum())
