from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boolearn as bl
from boolearn.data import Codes, InputKind
from boolearn.data.signs import Signs
from boolearn.errors import DataError, FileError, ParameterError
from boolearn.model import BoolNet, Generator
from boolearn.network import layered
from boolearn.runs.folder import save_run


def random_generator(seed: int, length: int = 5, outputs: int = 7, n_codes: int = 6) -> Generator:
    rng = np.random.default_rng(seed)
    network = layered(length, 6, outputs)
    numbers = np.sort(rng.permutation(1 << length)[:n_codes])
    codes = ((numbers[:, None] >> np.arange(length) & 1) * 2 - 1).astype(np.int8)
    counts = rng.integers(0, 4, n_codes)
    counts[0] += 1
    return Generator(BoolNet(network, rng.normal(size=network.n_weights)), Codes(codes, counts))


def one_hot_generator(seed: int, length: int = 4, outputs: int = 9) -> Generator:
    rng = np.random.default_rng(seed)
    network = layered(length, outputs)
    model = BoolNet(network, rng.normal(size=network.n_weights))
    return Generator.of_items(model, _one_hot([0, 0, 2, 2, 2, 3], length), InputKind.ONE_HOT_CODE)


def _one_hot(places: list[int], length: int) -> Signs:
    return np.where(np.array(places)[:, None] == np.arange(length), np.int8(1), np.int8(-1))


def slow_best(generator: Generator, item: npt.NDArray[np.int8], codes: Signs, counts: list[int]) -> tuple[int, int]:
    made = generator.model.predict(codes)
    ranked = sorted((int((made[index] != item).sum()), -counts[index], index) for index in range(len(codes)))
    return ranked[0][0], ranked[0][2]


@given(st.integers(0, 1000))
def test_encoding_finds_the_best_code_in_use(seed: int) -> None:
    generator = random_generator(seed)
    items = np.random.default_rng(seed).choice(np.array([-1, 1], np.int8), (4, 7))
    used = generator.codes.counts > 0
    found = generator.encode(items)
    for item, code in zip(items, found, strict=True):
        _, best = slow_best(generator, item, generator.codes.codes[used], generator.codes.counts[used].tolist())
        assert (code == generator.codes.codes[used][best]).all()


@given(st.integers(0, 1000))
def test_encoding_among_all_codes_is_best_and_near_lies_between(seed: int) -> None:
    generator = random_generator(seed)
    items = np.random.default_rng(seed).choice(np.array([-1, 1], np.int8), (4, 7))
    length = generator.model.network.n_inputs
    everything = ((np.arange(1 << length)[:, None] >> np.arange(length) & 1) * 2 - 1).astype(np.int8)
    counts = [0] * len(everything)
    for code, count in zip(generator.codes.codes, generator.codes.counts, strict=True):
        counts[int((code > 0) @ (1 << np.arange(length)))] = int(count)
    for item, code in zip(items, generator.encode(items, "all"), strict=True):
        _, best = slow_best(generator, item, everything, counts)
        assert (code == everything[best]).all()
    used, near, best_of_all = (
        (generator.decode(generator.encode(items, among)) != items).sum(axis=1) for among in ("used", "near", "all")
    )
    assert (used >= near).all()
    assert (near >= best_of_all).all()


@given(st.integers(0, 1000))
def test_nothing_one_flip_away_from_a_near_code_is_better(seed: int) -> None:
    generator = random_generator(seed)
    item = np.random.default_rng(seed).choice(np.array([-1, 1], np.int8), (1, 7))
    code = generator.encode(item, "near")
    errors = int((generator.decode(code) != item).sum())
    flipped = np.where(np.eye(code.shape[1], dtype=bool), -code, code)
    assert ((generator.decode(flipped) != item).sum(axis=1) >= errors).all()


def test_what_was_made_is_encoded_and_made_again() -> None:
    generator = random_generator(3)
    made = generator.sample(50, seed=1, by="codes").outputs
    assert generator.accuracy(made) == 1
    assert generator.accuracy(made, by="items") == 1
    assert (generator.decode(generator.encode(made)) == made).all()


def test_samples_follow_the_use_of_codes() -> None:
    generator = one_hot_generator(0)
    assert generator.kind is InputKind.ONE_HOT_CODE
    assert generator.codes.counts.tolist() == [2, 0, 3, 1]

    def shares(by: str) -> npt.NDArray[np.float64]:
        drawn = generator.sample(6000, seed=2, by=by).inputs  # type: ignore[arg-type]
        assert ((drawn > 0).sum(axis=1) == 1).all()
        return np.asarray((drawn > 0).mean(axis=0))

    np.testing.assert_allclose(shares("use"), [1 / 3, 0, 1 / 2, 1 / 6], atol=0.03)
    np.testing.assert_allclose(shares("codes"), [1 / 3, 0, 1 / 3, 1 / 3], atol=0.03)
    np.testing.assert_allclose(shares("all"), [1 / 4] * 4, atol=0.03)
    again = generator.sample(10, seed=5)
    assert (again.inputs == generator.sample(10, seed=5).inputs).all()
    assert (again.outputs == generator.decode(again.inputs)).all()


def test_one_hot_codes_stay_one_hot_however_they_are_searched() -> None:
    generator = one_hot_generator(1)
    items = np.random.default_rng(0).choice([-1, 1], (20, 9))
    for among in ("used", "near", "all"):
        codes = generator.encode(items, among)
        assert ((codes > 0).sum(axis=1) == 1).all()
        assert among == "all" or (codes[:, 1] == -1).all()


@pytest.mark.parametrize("make", [random_generator, one_hot_generator])
def test_what_is_saved_is_loaded(make: object, tmp_path: Path) -> None:
    generator: Generator = make(0)  # type: ignore[operator]
    generator.save(tmp_path / "new" / "g")
    again = Generator.load(tmp_path / "new" / "g")
    assert again.kind is generator.kind
    assert (again.codes.codes == generator.codes.codes).all()
    assert (again.codes.counts == generator.codes.counts).all()
    assert (again.sample(9, 0).outputs == generator.sample(9, 0).outputs).all()
    with pytest.raises(FileError, match="already holds model.safetensors"):
        generator.save(tmp_path / "new" / "g")


@pytest.mark.parametrize("kind", [InputKind.ANY_CODE, InputKind.ONE_HOT_CODE])
def test_a_run_without_inputs_becomes_a_generator(kind: InputKind, tmp_path: Path) -> None:
    data = bl.data.one_hot_vectors(4, generative=kind)
    length = 2 if kind is InputKind.ANY_CODE else 4
    run = bl.train(layered(length, 4, 4), data, sigma=3, seed=0, restarts=60, max_iter=5000, stop="fit", gap_tol=1e-6)
    assert run.solved
    generator = Generator.of_items(run.model, run.codes, kind)
    assert generator.accuracy(data) == 1
    save_run(run, tmp_path / "run")
    again = Generator.load(tmp_path / "run")
    assert again.kind is kind
    assert again.codes.counts.tolist() == generator.codes.counts.tolist() == [1] * 4
    assert again.accuracy(data, by="items") == 1


def test_misuse_is_named() -> None:
    generator = random_generator(0)
    with pytest.raises(ParameterError, match="whose inputs were free"):
        Generator.of_items(generator.model, None)
    network = layered(3, 2)
    model = BoolNet(network, np.ones(network.n_weights))
    two = np.array([[1, -1], [-1, 1]])
    with pytest.raises(DataError, match="must have 3 bits"):
        Generator(model, Codes(two, np.array([1, 1])))
    with pytest.raises(DataError, match="at least one code must be in use"):
        Generator(model, Codes(np.ones((1, 3), np.int8), np.array([0])))
    with pytest.raises(ParameterError, match="'model'"):
        Generator(BoolNet(network, model.weights, InputKind.ANALOG), Codes(np.ones((1, 3), np.int8), np.array([1])))
    with pytest.raises(DataError, match=r"\(items, 7\)"):
        generator.encode(np.ones((2, 6)))
    with pytest.raises(ParameterError, match="'among'"):
        generator.encode(np.ones((2, 7)), "best")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'by'"):
        generator.accuracy(np.ones((2, 7)), by="class")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'items'"):
        generator.sample(0, 0)
    with pytest.raises(ParameterError, match="'seed'"):
        generator.sample(1, -1)
    wide = layered(17, 2)
    many = Generator(BoolNet(wide, np.ones(wide.n_weights)), Codes(np.ones((1, 17), np.int8), np.array([1])))
    with pytest.raises(ParameterError, match="more than 16 bits"):
        many.encode(np.ones((1, 2)), "all")
    assert many.encode(np.ones((1, 2)), "near").shape == (1, 17)


def test_codes_of_another_network_are_refused(tmp_path: Path) -> None:
    one, other = random_generator(0), one_hot_generator(0)
    one.save(tmp_path / "g")
    (tmp_path / "g" / "codes.gen").unlink()
    bl.data.write_gen(other.codes, tmp_path / "g" / "codes.gen")
    with pytest.raises(FileError, match="must have 5 bits"):
        Generator.load(tmp_path / "g")
