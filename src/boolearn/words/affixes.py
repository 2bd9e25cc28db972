"""Affixes: beginnings and endings that make words of other words, found in the vocabulary alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

_LONGEST = 3
_SHORTEST_REST = 2
_LEAST_WORDS = 5
_LEAST_SHARE = 0.01


def affix_features(words: Sequence[str]) -> tuple[list[str], npt.NDArray[np.bool_]]:
    """Names of the affixes, ``…ed`` or ``un…``, and for every word which of them it has.

    An affix has at most 3 letters, and takes one word of the vocabulary to another: "walk" to "walked". So it must for
    1% of the words, and for at least 5. A word has an affix when it begins or ends with it and 2 letters are left.
    """
    known = set(words)
    found = Counter(name for word in words for name, rest in _taken_off(word) if rest in known)
    least = max(_LEAST_WORDS, _LEAST_SHARE * len(words))
    names = sorted(name for name, count in found.items() if count >= least)
    place = {name: k for k, name in enumerate(names)}
    features = np.zeros((len(words), len(names)), np.bool_)
    for row, word in enumerate(words):
        for name, _ in _taken_off(word):
            if name in place:
                features[row, place[name]] = True
    return names, features


def _taken_off(word: str) -> Iterator[tuple[str, str]]:
    for length in range(1, min(_LONGEST, len(word) - _SHORTEST_REST) + 1):
        yield f"…{word[-length:]}", word[:-length]
        yield f"{word[:length]}…", word[length:]
