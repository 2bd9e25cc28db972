"""Items with the same inputs and different outputs are counted, and what they cost is what no function can avoid."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boolearn.data import Contradictions, Dataset, InputKind, read, write
from some_tables import datasets


def counted(dataset: Dataset) -> Contradictions:
    """The obvious way: all items against all others, and the best answer to every input, bit by bit."""
    if dataset.input_kind.free:
        return Contradictions(0, 0)
    inputs, targets = dataset.inputs.tolist(), dataset.targets.tolist()
    pairs = list(zip(inputs, targets, strict=True))
    items = sum(any(x == other_x and y != other_y for other_x, other_y in pairs) for x, y in pairs)
    answers = defaultdict(list)
    for x, y in pairs:
        answers[tuple(x)].append(y)
    wrong = 0
    for group in answers.values():
        wrong += sum(min(column.count(1), column.count(-1)) for column in zip(*group, strict=True))
    return Contradictions(items, wrong)


@given(dataset=datasets())
def test_as_counted_one_by_one(dataset: Dataset) -> None:
    assert dataset.contradictions == counted(dataset)


@pytest.mark.parametrize("width", [1, 3, 8, 9, 64, 65, 128, 129, 300])
@pytest.mark.parametrize("classes", [0, 4])
def test_bits_of_any_width(width: int, classes: int, rng: np.random.Generator) -> None:
    different = rng.integers(0, 2, (5, width))
    inputs = different[rng.integers(0, 5, 40)]
    outputs = rng.integers(0, 4, 40) if classes else rng.integers(0, 2, (40, 3))
    dataset = Dataset(inputs, outputs, classes=classes)
    assert dataset.contradictions == counted(dataset)
    assert dataset.contradictions.items > 0


@given(values=st.lists(st.sampled_from([-1.0, -0.5, -0.0, 0.0, 0.5]), min_size=2, max_size=8))
def test_analog_inputs_and_both_zeros(values: list[float]) -> None:
    inputs = np.array([[value] * 3 for value in values])
    labels = np.arange(len(values)) % 3
    dataset = Dataset(inputs, labels, input_kind=InputKind.ANALOG, classes=3)
    assert dataset.contradictions == counted(dataset)


def test_one_rule_for_every_kind_of_file(tmp_path: Path) -> None:
    dataset = Dataset(np.array([[0, 1], [0, 1], [1, 1]]), np.array([[1], [0], [1]]))
    for ending in ("csv", "tsv", "dat", "npz", "pla"):
        write(dataset, tmp_path / f"a.{ending}")
        found = read(tmp_path / f"a.{ending}")
        assert found.contradictions == Contradictions(items=2, wrong_bits=1)
        assert repr(found) == "Dataset(3 items, 2 boolean -> 1 bit, 2 contradictory)"


def test_arrays_on_disk_are_searched_only_when_asked(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", np.ones((100, 4), np.int8))
    np.save(tmp_path / "y.npy", np.repeat(np.array([[1], [-1]], np.int8), [70, 30], axis=0))
    dataset = Dataset(np.load(tmp_path / "x.npy", mmap_mode="r"), np.load(tmp_path / "y.npy", mmap_mode="r"))
    assert dataset.on_disk
    assert repr(dataset) == "Dataset(100 items, 4 boolean -> 1 bit)"
    assert dataset.contradictions == Contradictions(items=100, wrong_bits=30)
    assert repr(dataset) == "Dataset(100 items, 4 boolean -> 1 bit, 100 contradictory)"
