"""The random start, the same for every engine, number of threads and split of the items.

Each variable's value is a function of the seed and of its own number alone (a counter-based
generator: the SplitMix64 finaliser), so nothing depends on the order in which they are drawn.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX2 = np.uint64(0x94D049BB133111EB)


class Keys(NamedTuple):
    """One stream of random numbers for each kind of variable."""

    w: int
    x: int
    y: int


def keys(seed: int) -> Keys:
    """The three streams of a seed."""
    return Keys(*(int(key) for key in np.random.SeedSequence(seed).generate_state(3, np.uint64)))


def uniform(key: int, counter: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
    """Numbers in [−1, 1), one for every counter."""
    z = np.uint64(key) + (counter + np.uint64(1)) * _GOLDEN
    z = (z ^ (z >> np.uint64(30))) * _MIX1
    z = (z ^ (z >> np.uint64(27))) * _MIX2
    z ^= z >> np.uint64(31)
    return (z >> np.uint64(11)).astype(np.float64) * 2.0**-52 - 1


def uniform_table(key: int, rows: int, columns: int) -> npt.NDArray[np.float64]:
    """A table of numbers in [−1, 1); a row does not depend on how many rows there are."""
    return uniform(key, np.arange(rows * columns, dtype=np.uint64)).reshape(rows, columns)
