"""Contexts: what stands near a word in the corpus, as one Boolean vector for every word.

A context is a frequent word to the left or to the right, at most ``window`` places away and in the same sentence. It
is on for a word with which it occurs more often than chance: where the pointwise mutual information
log p(word, context) / (p(word) p(context)) is positive. All occurrences of a word count together. The contexts of
single occurrences contradict each other, so that no function of the word could predict them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import sparse

from boolearn.checks import checked_integer
from boolearn.data import Dataset
from boolearn.data.signs import Signs
from boolearn.errors import DataError, ParameterError
from boolearn.words.affixes import affix_features
from boolearn.words.corpus import SENTENCE_END, Corpus

Integers = npt.NDArray[np.int64]

DEFAULT_WINDOW, DEFAULT_CONTEXTS = 3, 1000
_MOST_DENSE = 1 << 28


@dataclass(frozen=True, eq=False)
class Contexts:
    """The training items: words, contexts, and which context belongs to which word."""

    words: tuple[str, ...]
    counts: Integers
    """How often every word occurs in the corpus."""
    names: tuple[str, ...]
    """Of the contexts: ``the_`` is "the" to the left, ``_of`` is "of" to the right, ``…ing`` and ``un…`` affixes."""
    strengths: sparse.csr_array
    """Shape (words, contexts): the pointwise mutual information where it is positive, in natural units."""

    @cached_property
    def pairs(self) -> sparse.csr_array:
        """Shape (words, contexts): 1 where a context belongs to a word, else 0."""
        pairs = self.strengths.copy()
        pairs.data = np.ones_like(pairs.data)
        return pairs

    @cached_property
    def signs(self) -> Signs:
        """Shape (words, contexts): +1 where a context belongs to a word."""
        if len(self.words) * len(self.names) > _MOST_DENSE:
            raise DataError(
                f"{len(self.words)} words × {len(self.names)} contexts do not fit into memory as Boolean vectors; "
                "take fewer contexts (max_contexts) or words (max_words)."
            )
        signs = np.full(self.strengths.shape, -1, np.int8)
        signs[self.strengths.nonzero()] = 1
        return signs

    def generative(self) -> Dataset:
        """Outputs only: the context vector of every word."""
        return Dataset.generative(self.signs)

    def skip_gram(self) -> Dataset:
        """One-hot words in, multi-hot contexts out."""
        one_hot = 2 * np.eye(len(self.words), dtype=np.int8) - np.int8(1)
        return Dataset(one_hot, self.signs, input_names=self.words, output_names=self.names)

    def __repr__(self) -> str:
        return f"Contexts({len(self.words)} words, {len(self.names)} contexts, {self.strengths.nnz} pairs)"


def find_contexts(
    corpus: Corpus,
    *,
    words: Sequence[str] | None = None,
    min_count: int = 5,
    max_words: int | None = None,
    window: int = DEFAULT_WINDOW,
    max_contexts: int = DEFAULT_CONTEXTS,
    affixes: bool = False,
) -> Contexts:
    """Choose the vocabulary and the contexts, and count what stands where.

    words
        The vocabulary. By default the words that occur at least ``min_count`` times, at most ``max_words`` of them.
    max_contexts
        How many words, the most frequent ones, serve as contexts, each on two sides.
    affixes
        Also take the endings and beginnings of the words themselves as contexts.
    """
    window = checked_integer("window", window, 1, 100)
    max_contexts = checked_integer("max_contexts", max_contexts, 1)
    chosen = _vocabulary(corpus, words, min_count, max_words)
    counted = _count(corpus, chosen, window, max_contexts)
    strengths = _positive_information(counted)
    sides = [f"{word}_" for word in corpus.words[:max_contexts]] + [f"_{word}" for word in corpus.words[:max_contexts]]
    used = np.flatnonzero(np.bincount(strengths.indices, minlength=strengths.shape[1]))
    strengths, names = sparse.csr_array(strengths[:, used]), [sides[k] for k in used]
    vocabulary = tuple(corpus.words[k] for k in chosen)
    if affixes:
        found, features = affix_features(vocabulary)
        # On is certain here, so that the information is that of the affix alone.
        information = -np.log(np.maximum(features.mean(axis=0), 1e-300))
        strengths = sparse.csr_array(sparse.hstack([strengths, sparse.csr_array(features * information)]))
        names += found
    if not names:
        raise DataError(
            "the corpus shows no context: no word stands near another more often than chance. Use a longer text, "
            "sentences of several words or a larger window."
        )
    return Contexts(vocabulary, corpus.counts[chosen], tuple(names), strengths)


def _vocabulary(corpus: Corpus, words: Sequence[str] | None, min_count: int, max_words: int | None) -> Integers:
    """The places of the words to be coded."""
    min_count = checked_integer("min_count", min_count, 1)
    if max_words is not None:
        max_words = checked_integer("max_words", max_words, 2)
    if words is None:
        chosen = np.flatnonzero(corpus.counts >= min_count)[:max_words]
        if len(chosen) < 2:
            raise DataError(
                f"the corpus must hold at least 2 words that occur {min_count} times. Got {len(chosen)} instead; "
                "use a longer text or a smaller min_count."
            )
        return chosen
    if isinstance(words, str) or len(words) < 2 or len(set(words)) < len(words):
        raise ParameterError("words", "at least 2 different words", words)
    place = {word: k for k, word in enumerate(corpus.words)}
    for word in words:
        if word not in place:
            raise ParameterError("words", "words that occur in the corpus", word)
    return np.array([place[word] for word in words], np.int64)


def _count(corpus: Corpus, chosen: Integers, window: int, max_contexts: int) -> sparse.csr_array:
    """How often each context occurs near each chosen word; contexts to the left first."""
    n = len(corpus.words)
    row = np.full(n + 1, -1, np.int64)  # the last place is that of SENTENCE_END
    row[chosen] = np.arange(len(chosen))
    shape = (len(chosen), 2 * min(max_contexts, n))
    side = shape[1] // 2
    total = sparse.csr_array(shape, dtype=np.int64)
    sentence = np.cumsum(corpus.tokens == SENTENCE_END)
    for distance in range(1, min(window, len(corpus.tokens) - 1) + 1):
        left, right = corpus.tokens[:-distance], corpus.tokens[distance:]
        together = (sentence[:-distance] == sentence[distance:]) & (left != SENTENCE_END) & (right != SENTENCE_END)
        left, right = left[together], right[together]
        for word, context, first in ((right, left, 0), (left, right, side)):
            kept = (row[word] >= 0) & (context < side)
            pair = row[word[kept]] * shape[1] + context[kept] + first
            pairs, often = np.unique(pair, return_counts=True)
            total = total + sparse.csr_array((often, (pairs // shape[1], pairs % shape[1])), shape=shape)
    return total


def _positive_information(counted: sparse.csr_array) -> sparse.csr_array:
    pairs = counted.tocoo()
    row, column = pairs.coords
    of_words = np.bincount(row, pairs.data, counted.shape[0])
    of_contexts = np.bincount(column, pairs.data, counted.shape[1])
    expected = of_words[row] * of_contexts[column] / max(1.0, float(pairs.data.sum()))
    information = np.log(pairs.data / expected)
    kept = information > 1e-9  # rounding makes something of nothing
    return sparse.csr_array((information[kept], (row[kept], column[kept])), shape=counted.shape)
