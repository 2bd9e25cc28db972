"""A small language: tokens are combinations of Boolean features, and these decide in which contexts a token may be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_integer, checked_number, generator
from boolearn.data.signs import Signs
from boolearn.theory.problems import every_input


@dataclass(frozen=True)
class Language:
    """What is true of every token."""

    features: Signs
    """Shape (tokens, features): such as stem class, number and tense; every combination is a token."""
    contexts: Signs
    """Shape (tokens, contexts): may the token stand there?"""
    unseen: npt.NDArray[np.bool_]
    """Shape (tokens, contexts): the pairs that a learner is not told."""


def make_language(features: int, contexts: int, unseen: float, seed: int) -> Language:
    """Every context asks for one, two or three features, as a copy, an And, an Or or a Maj, some of them negated.

    The features are taken in turns, so that none is without contexts.
    """
    features = checked_integer("features", features, 3, 12)
    contexts = checked_integer("contexts", contexts, features)
    unseen = checked_number("unseen", unseen, "at least 0 and below 1", lambda share: 0 <= share < 1)
    rng = generator(seed)
    tokens = rng.permutation(every_input(features))
    columns = []
    for context in range(contexts):
        others = rng.permutation([feature for feature in range(features) if feature != context % features])
        asked = [context % features, *others[: rng.integers(0, 3)]]
        votes = (tokens[:, asked] * rng.choice((-1, 1), len(asked))).sum(axis=1)
        if len(asked) == 2:
            votes = votes + rng.choice((-1, 1))  # Or with +1, And with −1
        columns.append(np.where(votes > 0, np.int8(1), np.int8(-1)))
    table = np.stack(columns, axis=1)
    return Language(tokens, table, rng.random(table.shape) < unseen)
