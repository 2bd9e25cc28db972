"""Corpora: the rule for words and sentences, and what is no text."""

from __future__ import annotations

from pathlib import Path

import pytest

from boolearn.errors import DataError, FileError, ParameterError
from boolearn.words import Corpus, made_language, read_corpus
from boolearn.words.corpus import SENTENCE_END


def sentences(corpus: Corpus) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for token in corpus.tokens:
        if token == SENTENCE_END:
            found.append([])
        else:
            found[-1].append(corpus.words[token])
    assert not found.pop()  # the text ends with the end of a sentence
    return found


def test_words_and_sentences() -> None:
    corpus = Corpus.from_text("Don't stop! The well-known _rule_ of 1854… is: Größe\n\nthe l’été 3.5 don't")
    assert sentences(corpus) == [
        ["don't", "stop"],
        ["the", "well", "known", "rule", "of", "1854", "is", "größe"],
        ["the", "l’été", "3"],
        ["5", "don't"],
    ]
    assert corpus.words[:3] == ("don't", "the", "1854")  # the most frequent first, then by the alphabet
    assert (corpus.n_tokens, corpus.n_sentences) == (15, 4)
    assert corpus.counts.tolist() == [2, 2] + [1] * 11


def test_own_sentences_are_taken_as_they_are() -> None:
    assert sentences(Corpus.from_sentences([["New-York", "."], [], ["x"]])) == [["New-York", "."], ["x"]]
    with pytest.raises(DataError, match="without spaces"):
        Corpus.from_sentences([["two words"]])


@pytest.mark.parametrize("text", ["", " \n", "... — !"])
def test_a_text_without_words_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="at least one word"):
        Corpus.from_text(text)
    path = tmp_path / "empty.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(FileError, match=r"empty\.txt: the corpus must hold at least one word"):
        read_corpus(path)


def test_bytes_that_are_no_text_are_refused_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes("one\ntwo\nGröße".encode("latin1"))
    with pytest.raises(FileError, match=r"latin\.txt:3: is not text in UTF-8: found the byte 0xf6.*iconv"):
        read_corpus(path)
    path.write_bytes(b"one\ntwo\0three")
    with pytest.raises(FileError, match=r"latin\.txt:2: is not text: it holds a zero byte"):
        read_corpus(path)
    with pytest.raises(ParameterError, match="read_corpus reads a file"):
        Corpus.from_text(b"text")  # type: ignore[arg-type]


def test_a_generated_language_is_what_it_says() -> None:
    language = made_language(4, stems=3, gates=2, sentences=500, seed=1)
    assert len(language.words) == len(set(language.words)) == 48
    assert language.features.shape == (48, 4)
    assert len(language.slots) == 6
    spoken = sentences(language.corpus)
    assert len(spoken) == 500
    assert all(len(sentence) == 5 for sentence in spoken)
    known = set(language.words)
    assert all([word in known for word in sentence] == [False, False, True, False, False] for sentence in spoken)
    forms = {word for sentence in spoken for word in sentence} - known
    assert len(forms) == 12
    # Without noise no word stands with both forms of a slot, and words with the same features stand with the same.
    beside: dict[str, set[str]] = {}
    for sentence in spoken:
        beside.setdefault(sentence[2], set()).update(sentence[:2], sentence[3:])
    assert max(map(len, beside.values())) <= 6
    again = made_language(4, stems=3, gates=2, sentences=500, seed=1)
    assert again.corpus.words == language.corpus.words
    assert (again.corpus.tokens == language.corpus.tokens).all()


def test_a_language_with_impossible_parameters_is_refused() -> None:
    for wrong in ({"features": 0}, {"features": 11}, {"features": 2, "gates": 1}, {"noise": 0.5}, {"sentences": 0}):
        with pytest.raises(ParameterError):
            made_language(**wrong)  # type: ignore[arg-type]
