"""A generated language whose morphology is known: what word codes find in it can be compared with the truth.

A word is a stem with a syllable for every feature that is on, such as *plural* or *past*. Around a word stand forms of
slots, as determiners and auxiliaries do in natural languages. Each slot has two forms, and a Boolean function of the
word's features says which: that is agreement.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

import numpy as np

from boolearn.checks import checked_integer, checked_number, checked_room, generator
from boolearn.data.signs import Signs
from boolearn.words.corpus import Corpus

FEATURES = ("animate", "plural", "past", "definite", "negated", "female", "distant", "polite", "known", "whole")
"""Names of features; a language has the first few of them."""

_SUFFIXES = ("ka", "so", "mi", "tu", "re", "no", "li", "pe", "va", "du")
_STEM_CONSONANTS, _STEM_VOWELS = "bdfghjklmnprstvz", "aeiou"
_FORMS_BESIDE = 2
"""Forms on each side of a word."""


@dataclass(frozen=True, eq=False)
class Language:
    """A corpus in a generated language, and the truth about its words."""

    corpus: Corpus
    words: tuple[str, ...]
    """The words that have features; the forms of slots have none."""
    features: Signs
    """Shape (words, features): +1 where the word has the feature."""
    names: tuple[str, ...]
    """Of the features."""
    slots: tuple[str, ...]
    """What each slot agrees with, as a formula of the features."""


def made_language(
    features: int = 5,
    *,
    stems: int = 1,
    gates: int = 0,
    sentences: int = 5000,
    noise: float = 0.0,
    seed: int = 0,
) -> Language:
    """A corpus of sentences, each a word between forms that agree with it.

    features
        How many Boolean features a word has. Every stem occurs with all 2^features combinations.
    stems
        How many stems there are. Words that differ only in the stem have the same features, so the same contexts.
    gates
        There is one slot for every feature, and this many more that agree with an And, an Or or a majority of three
        features.
    noise
        The share of forms that are the wrong one of their slot's two.
    """
    features = checked_integer("features", features, 1, len(FEATURES))
    stems = checked_integer("stems", stems, 1, 10_000)
    gates = checked_integer("gates", gates, 0, 1000)
    if gates:
        checked_integer("features", features, 3)
    sentences = checked_room("sentences", checked_integer("sentences", sentences, 1), 2 * _FORMS_BESIDE + 1)
    noise = checked_number("noise", noise, "at least 0 and below 0.5, a share of forms", lambda share: 0 <= share < 0.5)
    rng = generator(seed)
    table = np.array(list(product((-1, 1), repeat=features)), np.int8)
    slots, answers = _slots(table, gates, rng)
    forms = _forms(2 * len(slots))
    words = [stem + "".join(_SUFFIXES[k] for k in np.flatnonzero(row > 0)) for stem in _stems(stems) for row in table]
    drawn = rng.integers(0, len(words), sentences)
    beside = rng.integers(0, len(slots), (sentences, 2 * _FORMS_BESIDE))
    on = answers[drawn % len(table)][np.arange(sentences)[:, None], beside] > 0
    on ^= rng.random(on.shape) < noise
    spoken = [
        [*(forms[f] for f in row[:_FORMS_BESIDE]), words[word], *(forms[f] for f in row[_FORMS_BESIDE:])]
        for word, row in zip(drawn, 2 * beside + on, strict=True)
    ]
    everything = np.tile(table, (stems, 1))
    return Language(Corpus.from_sentences(spoken), tuple(words), everything, FEATURES[:features], tuple(slots))


def _slots(table: Signs, gates: int, rng: np.random.Generator) -> tuple[list[str], Signs]:
    """What each slot agrees with, and its answers for all combinations of features."""
    n = table.shape[1]
    formulas, answers = list(FEATURES[:n]), list(table.T)
    for _ in range(gates):
        kind, of = rng.choice(["And", "Or", "Maj"]), rng.choice(n, 3, replace=False)
        if kind != "Maj":
            of = of[:2]
        signs = rng.choice([-1, 1], len(of))
        offset = {"And": -1, "Or": 1, "Maj": 0}[kind]
        answers.append(np.where(table[:, of] @ signs + offset > 0, np.int8(1), np.int8(-1)))
        formulas.append(
            f"{kind}({', '.join(('!' if s < 0 else '') + FEATURES[k] for k, s in zip(of, signs, strict=True))})"
        )
    return formulas, np.array(answers).T


def _stems(count: int) -> list[str]:
    """Different stems, the shortest first."""
    syllables = [c + v for c, v in product(_STEM_CONSONANTS, _STEM_VOWELS)]
    length = 1
    while len(syllables) ** length < count:
        length += 1
    return ["".join(parts) + "n" for _, parts in zip(range(count), product(syllables, repeat=length), strict=False)]


def _forms(count: int) -> list[str]:
    """Different short words that no stem begins with: they begin with a vowel."""
    return [f"{vowel}{rest}" for _, (rest, vowel) in zip(range(count), product(_endings(count), "ae"), strict=False)]


def _endings(count: int) -> list[str]:
    consonants = _STEM_CONSONANTS
    length = 1
    while 2 * len(consonants) ** length < count:
        length += 1
    return ["".join(parts) for parts in product(consonants, repeat=length)]
