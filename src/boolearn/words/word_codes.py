"""word_codes: from a corpus to codes; everything is checked and put together here."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any, Literal

import numpy as np

from boolearn.checks import checked_choice, checked_integer, checked_integers, checked_number
from boolearn.data.signs import Signs, signs_of
from boolearn.errors import DataError, ParameterError, UnknownParameterError
from boolearn.files import PathLike
from boolearn.model import BoolNet
from boolearn.solver.interrupt import Interruptible
from boolearn.words.codes import WordCodes
from boolearn.words.contexts import DEFAULT_CONTEXTS, DEFAULT_WINDOW, Contexts, find_contexts
from boolearn.words.corpus import Corpus, as_corpus
from boolearn.words.decoder import threshold_decoder
from boolearn.words.descent import descend
from boolearn.words.networks import train_generative, train_skip_gram

Method = Literal["descent", "skip-gram", "generative"]
METHODS = ("descent", "skip-gram", "generative")
MOST_BITS = 1024

_WORDS_AT_A_TIME = 1024
_MOST_RENEWED = 2000
_SECONDS_BETWEEN_LINES = 10.0


def word_codes(
    corpus: Corpus | PathLike,
    k: int = 16,
    *,
    method: Method = "descent",
    words: Sequence[str] | None = None,
    min_count: int = 5,
    max_words: int | None = None,
    window: int = DEFAULT_WINDOW,
    max_contexts: int = DEFAULT_CONTEXTS,
    affixes: bool = False,
    seed: int = 0,
    weigh: Literal["information", "boolean"] = "information",
    starts: int = 1,
    trials: int | None = None,
    hidden: Sequence[int] = (),
    sigma: float = 3,
    progress: bool = False,
    **settings: Any,
) -> WordCodes:
    """Learn a code of k bits for every word from the contexts that it occurs in.

    Parameters
    ----------
    corpus
        A Corpus, or the name of a text file in UTF-8.
    k
        Bits of a code. 2^k must not be less than the number of words.
    method
        "skip-gram": the network one-hot word → k bits → contexts. "generative": free inputs of k bits → contexts. Both
        are trained by RRR and meant for up to some hundred words. "descent": descent on bits, for vocabularies of any
        size.
    words
        The words to be coded. By default those that occur at least ``min_count`` times, at most ``max_words`` of them.
    window, max_contexts, affixes
        How far away a context may stand; how many frequent words serve as contexts; whether the beginnings and
        endings of words are contexts too.
    seed
        Same seed, same codes.
    weigh
        Of the descent: whether a context counts as much as it informs of the word, which is better for natural texts,
        or all contexts alike, which is better where words have clear-cut features.
    starts, trials
        Of the descent: random starts, and how many times in each a bit is learned again. By default k times, and never
        in vocabularies of more than 2000 words, where it takes minutes and does not make better codes of natural texts.
    hidden
        Of the networks: widths of layers between code and contexts.
    sigma
        Of the networks: the support parameter of the neurons behind the code.
    progress
        Show on standard error how far it is.
    **settings
        Of the networks: what ``train`` takes, such as ``noise=0.02``, ``batch=256``, ``restarts=5``, ``max_iter=…``.
    """
    k = checked_integer("k", k, 1, MOST_BITS)
    checked_choice("method", method, METHODS)
    checked_choice("weigh", weigh, ("information", "boolean"))
    seed = checked_integer("seed", seed, 0)
    sigma = checked_number("sigma", sigma, "a number of at least 1", lambda value: 1 <= value < float("inf"))
    hidden = checked_integers("hidden", hidden, 1, "widths of layers")
    if method == "descent":
        for name in settings:
            raise UnknownParameterError(
                name, f"The {name!r} parameter is one of the methods 'skip-gram' and 'generative'."
            )
        if hidden:
            raise ParameterError("hidden", "left out with the method 'descent'", hidden)
    text = as_corpus(corpus)
    contexts = find_contexts(
        text,
        words=words,
        min_count=min_count,
        max_words=max_words,
        window=window,
        max_contexts=max_contexts,
        affixes=affixes,
    )
    _check_room(len(contexts.words), k)
    begun = time.perf_counter()
    about: dict[str, object] = {"method": method, "seed": seed, "window": window, "tokens": text.n_tokens}
    if method == "descent":
        with Interruptible() as interrupt:
            watch = _Watch(progress, lambda: bool(interrupt.requested))
            if trials is None:
                trials = k if len(contexts.words) <= _MOST_RENEWED else 0
            table = contexts.strengths if weigh == "information" else contexts.pairs
            found = descend(table, k, trials=trials, starts=starts, seed=seed, watch=watch)
        codes, decoder = found.codes, threshold_decoder(found.codes, contexts)
        about |= {"weigh": weigh, "unexplained": found.unexplained, "interrupted": watch.ended}
    else:
        learner = train_skip_gram if method == "skip-gram" else train_generative
        trained = learner(contexts, k, hidden, sigma, **{"stop": "fit", **settings}, seed=seed, progress=progress)
        codes, decoder = trained.codes, trained.decoder
        about |= {"status": trained.run.status.word, "iterations": trained.run.iterations}
    about |= _fit(decoder, codes, contexts)
    about["seconds"] = round(time.perf_counter() - begun, 3)
    return WordCodes(contexts.words, contexts.counts, codes, decoder, about)


def _check_room(words: int, k: int) -> None:
    """Codes of k bits tell 2^k words apart."""
    if words > 1 << k:
        raise DataError(
            f"{k} bits tell only {1 << k} words apart, and the vocabulary has {words}. "
            f"Use k={(words - 1).bit_length()} or more, or fewer words: max_words={1 << k}, or a larger min_count."
        )


def _fit(decoder: BoolNet, codes: Signs, contexts: Contexts) -> dict[str, object]:
    """How well the decoder makes the contexts of the codes."""
    hit = said = 0
    for first in range(0, len(codes), _WORDS_AT_A_TIME):
        part = slice(first, first + _WORDS_AT_A_TIME)
        on = contexts.pairs[part].toarray() > 0
        answer = signs_of(decoder.decision(codes[part])) > 0
        hit += int((on & answer).sum())
        said += int(answer.sum())
    bits, true = len(codes) * len(contexts.names), contexts.strengths.nnz
    return {
        "accuracy": 1 - (true + said - 2 * hit) / bits,
        "precision": hit / said if said else None,
        "recall": hit / true,
        "different_codes": len(np.unique(codes, axis=0)),
    }


class _Watch:
    """Shows how far the descent is, and ends it when asked to."""

    def __init__(self, progress: bool, asked_to_end: Callable[[], bool]) -> None:
        self.progress, self.asked_to_end = progress, asked_to_end
        self.ended = False
        self._spoke = time.monotonic()

    def __call__(self, done: int, of: int, unexplained: float) -> bool:
        now = time.monotonic()
        if self.progress and now - self._spoke >= _SECONDS_BETWEEN_LINES:
            self._spoke = now
            sys.stderr.write(f"trial {done} of {of}, {unexplained:.2%} unexplained\n")
            sys.stderr.flush()
        self.ended = done < of and self.asked_to_end()
        return not self.ended
