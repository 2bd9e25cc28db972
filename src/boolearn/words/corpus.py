"""Corpus: plain text as words and sentences.

A word is a run of letters and digits, with apostrophes inside, in lower case: "Don't" is one word, "well-known" is
two. A sentence ends at one of ``. ! ?`` or at an empty line. Everything else only separates words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from boolearn.errors import DataError, FileError, ParameterError
from boolearn.files import PathLike, opened

SENTENCE_END = -1
"""Stands between two sentences among the tokens."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_END = re.compile(r"[.!?]+|\n\s*\n")


@dataclass(frozen=True, eq=False)
class Corpus:
    """The words of a text and where they stand in it."""

    words: tuple[str, ...]
    """All different words, the most frequent first; equally frequent ones in alphabetical order."""
    tokens: npt.NDArray[np.int32]
    """For every token the place of its word, and SENTENCE_END after every sentence."""

    @classmethod
    def from_text(cls, text: str) -> Corpus:
        """Split plain text into sentences and words."""
        if not isinstance(text, str):
            raise ParameterError("text", "text (boolearn.words.read_corpus reads a file)", text)
        return cls.from_sentences(_WORD.findall(part.lower()) for part in _END.split(text))

    @classmethod
    def from_sentences(cls, sentences: Iterable[Sequence[str]]) -> Corpus:
        """From words that are already taken apart, such as another tokenizer makes."""
        kept = [list(sentence) for sentence in sentences]
        counts = Counter(word for sentence in kept for word in sentence)
        for word in counts:
            if not isinstance(word, str) or not word or any(letter.isspace() for letter in word):
                raise DataError(f"a word must be text, not empty and without spaces. Got {word!r} instead.")
        if not counts:
            raise DataError("the corpus must hold at least one word. Got none: letters or digits are needed.")
        words = sorted(counts, key=lambda word: (-counts[word], word))
        place = {word: k for k, word in enumerate(words)}
        flat = [token for sentence in kept if sentence for token in (*map(place.__getitem__, sentence), SENTENCE_END)]
        return cls(tuple(words), np.array(flat, np.int32))

    @cached_property
    def counts(self) -> npt.NDArray[np.int64]:
        """How often every word occurs."""
        return np.bincount(self.tokens[self.tokens != SENTENCE_END], minlength=len(self.words)).astype(np.int64)

    @property
    def n_tokens(self) -> int:
        return int(self.counts.sum())

    @property
    def n_sentences(self) -> int:
        return int((self.tokens == SENTENCE_END).sum())

    def __repr__(self) -> str:
        return f"Corpus({self.n_tokens} tokens, {len(self.words)} words, {self.n_sentences} sentences)"


def read_corpus(path: PathLike) -> Corpus:
    """Read a text file in UTF-8."""
    with opened(path) as stream:
        content = stream.read()
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise FileError(
            path,
            line,
            f"is not text in UTF-8: found the byte 0x{content[error.start]:02x}. If it is text in another "
            "encoding, convert it first: iconv -f latin1 -t utf-8.",
        ) from error
    if (nul := text.find("\0")) >= 0:
        raise FileError(
            path, text.count("\n", 0, nul) + 1, "is not text: it holds a zero byte. Give a plain text file."
        )
    try:
        return Corpus.from_text(text)
    except DataError as error:
        raise FileError(path, None, str(error)) from error


def as_corpus(corpus: Corpus | PathLike) -> Corpus:
    """A corpus, or the name of a text file with one."""
    return corpus if isinstance(corpus, Corpus) else read_corpus(corpus)
