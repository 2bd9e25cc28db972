"""Contexts: counted as an obvious version counts them; affixes."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest

from boolearn.errors import DataError, ParameterError
from boolearn.words import Corpus, find_contexts
from boolearn.words.affixes import affix_features


def obvious_strengths(
    sentences: list[list[str]], words: tuple[str, ...], contexts: int, window: int
) -> dict[tuple[str, str], float]:
    """Pointwise mutual information of every word and context, where positive."""
    frequent = Corpus.from_sentences(sentences).words[:contexts]
    pairs: Counter[tuple[str, str]] = Counter()
    for sentence in sentences:
        for i, word in enumerate(sentence):
            for j, other in enumerate(sentence):
                if 0 < abs(i - j) <= window and word in words and other in frequent:
                    pairs[word, f"{other}_" if j < i else f"_{other}"] += 1
    of_word: Counter[str] = Counter()
    of_context: Counter[str] = Counter()
    for (word, context), count in pairs.items():
        of_word[word] += count
        of_context[context] += count
    total = sum(pairs.values())
    found = {pair: math.log(n * total / (of_word[pair[0]] * of_context[pair[1]])) for pair, n in pairs.items()}
    return {pair: value for pair, value in found.items() if value > 1e-9}


@pytest.mark.parametrize("window", [1, 3])
@pytest.mark.parametrize("seed", range(3))
def test_contexts_are_those_of_an_obvious_count(window: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    letters = list("abcdefghij")
    sentences = [list(rng.choice(letters, rng.integers(1, 8))) for _ in range(60)]
    found = find_contexts(Corpus.from_sentences(sentences), min_count=5, max_words=8, max_contexts=6, window=window)
    expected = obvious_strengths(sentences, found.words, 6, window)
    table = found.strengths.toarray()
    got = {(found.words[i], found.names[j]): table[i, j] for i, j in np.argwhere(table)}
    assert got.keys() == expected.keys()
    for pair, value in expected.items():
        assert got[pair] == pytest.approx(value)
    assert ((found.signs > 0) == (table > 0)).all()
    assert (found.signs > 0).any(axis=0).all()  # contexts that belong to no word are left out


def test_the_vocabulary_is_what_is_asked_for() -> None:
    corpus = Corpus.from_text("a b a b a c. c d a b c. e f")
    assert find_contexts(corpus, min_count=2).words == ("a", "b", "c")
    assert find_contexts(corpus, min_count=1, max_words=2).words == ("a", "b")
    assert find_contexts(corpus, words=["d", "a"]).words == ("d", "a")
    with pytest.raises(ParameterError, match="'words' parameter must be words that occur in the corpus. Got 'x'"):
        find_contexts(corpus, words=["a", "x"])
    with pytest.raises(ParameterError, match="at least 2 different words"):
        find_contexts(corpus, words=["a", "a"])
    with pytest.raises(DataError, match="at least 2 words that occur 9 times. Got 0 instead; use a longer text"):
        find_contexts(corpus, min_count=9)
    with pytest.raises(DataError, match="shows no context"):
        find_contexts(Corpus.from_text("a. b. a. b."), min_count=1)


def test_training_items() -> None:
    found = find_contexts(Corpus.from_text("a b c a b c d b"), min_count=1)
    skip_gram = found.skip_gram()
    assert (skip_gram.inputs.sum(axis=1) == 2 - len(found.words)).all()
    assert skip_gram.input_names == found.words
    assert (skip_gram.outputs == found.generative().outputs).all()


def test_affixes_are_found_in_the_vocabulary() -> None:
    stems = ["walk", "talk", "jump", "play", "look", "form"]
    words = [stem + ending for stem in stems for ending in ("", "s", "ed")] + ["bed"]
    names, features = affix_features(words)
    assert names == ["…ed", "…s"]
    assert [word for word, has in zip(words, features[:, 0], strict=True) if has] == [stem + "ed" for stem in stems]
    text = Corpus.from_sentences([words, words])
    found = find_contexts(text, min_count=1, affixes=True)
    assert set(found.names) >= {"…ed", "…s"}
    column = found.signs[:, found.names.index("…s")]
    assert {word for word, sign in zip(found.words, column, strict=True) if sign > 0} == {stem + "s" for stem in stems}
