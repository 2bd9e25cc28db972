"""Word codes: features of a generated language come back; neighbours, analogies, bits, files; what is refused."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import boolearn as bl
from boolearn.errors import BoolearnError, DataError, FileError, ParameterError
from boolearn.words import Language, made_language, recovered
from boolearn.words.decoder import best_thresholds
from boolearn.words.descent import descend
from commands import boolearn


@pytest.fixture(scope="module")
def language() -> Language:
    return made_language(4, gates=4, sentences=6400, noise=0.05, seed=0)


@pytest.fixture(scope="module")
def codes(language: Language) -> bl.WordCodes:
    return bl.word_codes(
        language.corpus, 4, words=language.words, window=2, weigh="boolean", starts=5, trials=16, seed=0
    )


def test_the_descent_finds_the_features(language: Language, codes: bl.WordCodes) -> None:
    assert (recovered(codes.codes, language.features) == 1).all()
    assert codes.about["different_codes"] == 16
    # The corpus shows one pair too few; all the others come out.
    assert codes.about["recall"] == 1
    assert codes.about["accuracy"] == 1 - 1 / (16 * len(codes.contexts))


@pytest.mark.parametrize(("method", "features"), [("skip-gram", 4), ("generative", 3)])
def test_the_networks_find_codes_that_make_all_contexts(method: str, features: int) -> None:
    language = made_language(features, gates=features, sentences=400 << features, seed=3)
    codes = bl.word_codes(
        language.corpus,
        features,
        words=language.words,
        window=2,
        method=method,  # type: ignore[arg-type]
        max_iter=10_000,
        restarts=10,
        threads=1,
    )
    assert codes.about["status"] in ("solved", "fit")
    assert codes.about["accuracy"] == codes.about["precision"] == codes.about["recall"] == 1
    if method == "skip-gram":  # the other has found different codes, with which all is as right
        assert (recovered(codes.codes, language.features) == 1).all()
    # The decoder that was cut out of the network is the network's: it makes the contexts of the codes.
    contexts = bl.words.find_contexts(language.corpus, words=language.words, window=2)
    assert (codes.decoder.predict(codes.codes) == contexts.signs).all()


def test_networks_in_batches_with_a_hidden_layer() -> None:
    language = made_language(3, sentences=1000, seed=0)
    for method in ("skip-gram", "generative"):
        codes = bl.word_codes(
            language.corpus,
            3,
            words=language.words,
            method=method,  # type: ignore[arg-type]
            hidden=[6],
            batch=4,
            max_iter=50,
            threads=1,
        )
        some = codes.contexts[2:4]
        circuit = codes.circuit(some)
        assert circuit.inputs == ("b0", "b1", "b2")
        assert (circuit.predict(codes.codes) == codes.decoder.predict(codes.codes)[:, 2:4]).all()


def test_a_descent_never_rises_and_repeats(language: Language) -> None:
    contexts = bl.words.find_contexts(language.corpus, words=language.words, window=2)
    seen: list[float] = []

    def watch(done: int, of: int, unexplained: float) -> bool:
        assert done == len(seen) + 1 <= of == 14
        seen.append(unexplained)
        return True

    found = descend(contexts.strengths, 3, trials=6, starts=2, seed=5, watch=watch)
    assert seen == sorted(seen, reverse=True)
    assert len(seen) == 14
    again = descend(contexts.strengths, 3, trials=6, starts=2, seed=5)
    assert (found.codes == again.codes).all()
    stopped = descend(contexts.strengths, 3, trials=6, starts=2, seed=5, watch=lambda done, _of, _error: done < 2)
    assert stopped.unexplained == seen[1]


def test_no_single_bit_of_a_descent_can_be_improved(language: Language) -> None:
    table = bl.words.find_contexts(language.corpus, words=language.words, window=2).pairs
    found = descend(table, 3, trials=0, starts=1, seed=1)
    dense = table.toarray()

    def error(codes: np.ndarray) -> float:  # type: ignore[type-arg]
        constant = np.column_stack([codes, np.ones(len(codes))])
        weights = np.linalg.lstsq(constant, dense, rcond=None)[0]
        return float(((dense - constant @ weights) ** 2).sum())

    codes = found.codes.astype(float)
    least = error(codes)
    assert found.unexplained == pytest.approx(least / (dense**2).sum(), abs=1e-4)
    constant = np.column_stack([codes, np.ones(len(codes))])
    weights = np.linalg.lstsq(constant, dense, rcond=None)[0]
    for word, bit in product(range(len(codes)), range(3)):
        constant[word, bit] *= -1
        assert ((dense - constant @ weights) ** 2).sum() >= least - 1e-2  # the ridge moves the weights a little
        constant[word, bit] *= -1


def test_thresholds_are_the_best_there_are() -> None:
    rng = np.random.default_rng(0)
    sums, on = rng.integers(-4, 5, (30, 40)).astype(float), rng.random((30, 40)) < rng.random(40)
    chosen = best_thresholds(sums, on)
    wrong = ((sums > chosen) != on).sum(axis=0)
    for threshold in np.arange(-5.5, 6):
        assert (wrong <= ((sums > threshold) != on).sum(axis=0)).all()


def test_neighbours_are_ordered_by_distance_and_frequency(codes: bl.WordCodes) -> None:
    word = codes.words[3]
    found = codes.nearest(word, 100)
    assert len(found) == len(codes) - 1
    assert [one.distance for one in found] == [codes.distance(word, one.word) for one in found]
    count = dict(zip(codes.words, codes.counts, strict=True))
    assert found == sorted(found, key=lambda one: (one.distance, -count[one.word]))
    assert codes.nearest(codes[word], 1) == [(word, 0)]


@pytest.mark.parametrize("rule", ["xor", "majority"])
def test_analogies_in_the_generated_language(language: Language, codes: bl.WordCodes, rule: str) -> None:
    """With the features as code: a word with the first feature is to one without as every other such pair."""
    word = {tuple(row): one for one, row in zip(language.words, language.features, strict=True)}
    for rest in product((-1, 1), repeat=3):
        pair, other = (word[-1, -1, -1, -1], word[1, -1, -1, -1]), word[-1, *rest]
        if other not in pair:
            assert codes.analogy(pair, other, 1, rule) == [(word[1, *rest], 0)]  # type: ignore[arg-type]


def test_rules_of_analogies_bit_by_bit() -> None:
    rows = np.array(list(product((-1, 1), repeat=3)))
    names = ["".join("+" if value > 0 else "-" for value in row) for row in rows]
    codes = bl.WordCodes(tuple(names), np.ones(8, int), rows, bl.BoolNet(bl.layered(3, 1), np.ones(4)))
    assert codes.analogy(("---", "--+"), "++-", 1) == [("+++", 0)]
    assert codes.analogy(("---", "--+"), "+++", 8)[0] == ("++-", 0)  # xor flips
    # majority sets, and what it sets is the word asked with, which is left out: a nearest one comes first
    assert codes.analogy(("---", "--+"), "+++", 8, "majority")[0].distance == 1
    pairs = [("---", "--+"), ("+--", "+-+"), ("-+-", "+--")]
    assert codes.analogy(pairs, "++-", 1) == [("+++", 0)]  # most pairs change the last bit, one the others
    with pytest.raises(ParameterError, match="'pairs' parameter must be a pair of words, or several"):
        codes.analogy([("---",)], "+++")  # type: ignore[list-item]
    with pytest.raises(ParameterError, match="'word' parameter must be a word of the vocabulary. Got 'x'"):
        codes.analogy(("---", "x"), "+++")


def test_what_a_bit_means_is_what_the_decoder_does(language: Language, codes: bl.WordCodes) -> None:
    for bit in range(4):
        meaning = codes.bit(bit)
        assert meaning.words_on == (codes.codes[:, bit] > 0).sum()
        assert all(codes[word][bit] > 0 for word in meaning.on)
        assert all(codes[word][bit] < 0 for word in meaning.off)
        for on, off in meaning.pairs:
            assert codes.distance(on, off) == 1
            assert codes[on][bit] > codes[off][bit]
        # Every feature has a slot of its own, with one form for each value, on both sides of the word.
        assert [one.share for one in meaning.switches_on[:2]] == [1, 1]
        assert [one.share for one in meaning.switches_off[:2]] == [1, 1]
        name, share = meaning.switches_on[0]
        assert codes.circuit([name]).formulas()[name] == f"b{bit}"
        assert f"{name} ({share:.0%})" in str(meaning)
    with pytest.raises(ParameterError, match="'bit' parameter must be an integer from 0 to 3. Got 4"):
        codes.bit(4)
    with pytest.raises(ParameterError, match="names of contexts"):
        codes.circuit(["nothing"])


def test_the_circuit_is_the_decoder(codes: bl.WordCodes) -> None:
    circuit = codes.circuit()
    assert [name for name, _ in circuit.outputs] == list(codes.contexts)
    assert (circuit.predict(codes.codes) == codes.decoder.predict(codes.codes)).all()


def test_codes_can_be_saved_and_loaded(codes: bl.WordCodes, tmp_path: Path) -> None:
    folder = tmp_path / "codes"
    codes.save(folder)
    again = bl.WordCodes.load(folder)
    assert again.words == codes.words
    assert (again.codes == codes.codes).all()
    assert (again.counts == codes.counts).all()
    assert again.about == codes.about
    assert again.contexts == codes.contexts
    assert again.bit(1) == codes.bit(1)
    with pytest.raises(FileError, match=r"already holds words\.tsv"):
        codes.save(folder)


def test_damaged_files_are_refused(codes: bl.WordCodes, tmp_path: Path) -> None:
    folder = tmp_path / "codes"
    codes.save(folder)
    path = folder / "words.tsv"
    good = path.read_text(encoding="utf-8")
    lines = good.split("\n")
    for number, line in (
        (1, "nothing"),
        (2, "word"),
        (2, "word\tx\t0101"),
        (2, "word\t1\t01a1"),
        (3, "word\t1\t01"),
    ):
        path.write_text("\n".join([*lines[: number - 1], line, *lines[number:]]), encoding="utf-8")
        with pytest.raises(FileError, match=rf"words\.tsv:{number}: expected"):
            bl.WordCodes.load(folder)
    path.write_text("\n".join([*lines[:2], *lines[1:]]), encoding="utf-8")
    with pytest.raises(FileError, match="different words"):
        bl.WordCodes.load(folder)
    path.write_text(good, encoding="utf-8")
    (folder / "about.json").write_text("[]", encoding="utf-8")
    with pytest.raises(FileError, match="must be a JSON object"):
        bl.WordCodes.load(folder)
    with pytest.raises(FileError, match="cannot be read"):
        bl.WordCodes.load(tmp_path)


def test_a_vocabulary_too_large_for_the_codes_is_refused(language: Language) -> None:
    with pytest.raises(DataError, match=r"3 bits tell only 8 words apart, and the vocabulary has 16.*k=4.*max_words=8"):
        bl.word_codes(language.corpus, 3, words=language.words)


def test_impossible_parameters_are_refused(language: Language) -> None:
    for wrong in (
        {"k": 0},
        {"method": "word2vec"},
        {"weigh": "x"},
        {"window": 0},
        {"noise": 0.1},
        {"hidden": [3]},
        {"starts": 0},
        {"trials": -1},
        {"method": "skip-gram", "beta_": 1},
    ):
        with pytest.raises(BoolearnError):
            bl.word_codes(language.corpus, **{"k": 8, **wrong})  # type: ignore[arg-type]


def test_recovery_does_not_mind_order_and_negation() -> None:
    features = np.array(list(product((-1, 1), repeat=3)))
    assert recovered(-features[:, ::-1], features).tolist() == [1, 1, 1]
    xored = features * features[:, [1, 2, 0]]
    assert recovered(xored, features).tolist() == [0.5, 0.5, 0.5]
    with pytest.raises(DataError, match="equally many rows"):
        recovered(features[1:], features)


def test_the_command(tmp_path: Path) -> None:
    text, out = tmp_path / "text.txt", tmp_path / "codes"
    text.write_text("The cat sat. The dog sat. A cat ran. A dog ran. The cat ran. The dog ran. " * 3, encoding="utf-8")
    said = boolearn("words", str(text), "-k", "4", "-o", str(out), "--nearest", "cat", "--bits")
    assert "WordCodes(6 words, 4 bits" in said.stdout
    assert "cat: dog (0)" in said.stdout
    assert "switches on" in said.stdout
    assert bl.WordCodes.load(out).distance("cat", "dog") == 0
    asked = json.loads(boolearn("words", str(out), "--json", "--nearest", "sat", "--analogy", "the,a,cat").stdout)
    assert {one["word"] for one in asked["answers"]["sat"]} == {"ran", "cat", "dog", "a", "the"}
    assert len(asked["answers"]["the,a,cat"]) == 3
    assert "already holds words.tsv" in boolearn("words", str(text), "-k", "4", "-o", str(out), status=2).stderr
    assert "tell only 4 words apart" in boolearn("words", str(text), "-k", "2", status=2).stderr
    assert "three words with commas" in boolearn("words", str(out), "--analogy", "the,a", status=2).stderr
    assert "nothing was written" in boolearn("words", str(text), "-k", "3").stderr
    text.write_bytes(b"\xff\xfe\x00")
    assert "is not text in UTF-8" in boolearn("words", str(text), status=2).stderr
