"""Laws of noise accommodation: which bits may be held flipped."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from boolearn.data import Dataset, InputKind
from boolearn.errors import ParameterError
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.problem.noise import allowance, bit_noise, choose_flips, choose_relabelled

# Few different values, so that equals are common.
values = st.one_of(st.floats(-4, 4), st.sampled_from([-3.0, -1.0, 0.0, 1.0, 3.0]))


@st.composite
def bits(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int]:
    shape = draw(hnp.array_shapes(min_dims=2, max_dims=2, max_side=8))
    y = draw(hnp.arrays(np.float64, shape, elements=values))
    data = draw(hnp.arrays(np.int8, shape, elements=st.sampled_from([-1, 1])))
    return y, data, draw(st.integers(0, y.size + 2))


@given(bits())
def test_flips_are_candidates_within_the_allowance_and_the_largest(case: tuple[np.ndarray, np.ndarray, int]) -> None:
    y, data, allowed = case
    flipped = choose_flips(y, data, allowed)
    candidate = y * data < 0
    assert not (flipped & ~candidate).any()
    assert flipped.sum() == min(allowed, candidate.sum())
    spared = np.abs(y[candidate & ~flipped])
    if spared.size and flipped.any():
        assert np.abs(y[flipped]).min() >= spared.max()


@given(bits())
def test_among_equals_the_first_is_taken(case: tuple[np.ndarray, np.ndarray, int]) -> None:
    y, data, allowed = case
    lean = -(y * data).ravel()
    order = sorted(range(lean.size), key=lambda k: (-lean[k], k))
    expected = {k for k in order[:allowed] if lean[k] > 0}
    assert set(np.flatnonzero(choose_flips(y, data, allowed)).tolist()) == expected


@given(bits())
def test_without_an_allowance_the_data_stand(case: tuple[np.ndarray, np.ndarray, int]) -> None:
    y, data, _ = case
    assert not choose_flips(y, data, 0).any()


@given(bits())
def test_no_other_choice_of_as_many_bits_is_nearer(case: tuple[np.ndarray, np.ndarray, int]) -> None:
    """What is chosen is the projection: the nearest of all data with that many bits flipped at most."""
    y, data, allowed = case
    held = np.where(choose_flips(y, data, allowed), -data, data)
    gain = np.sort(((y - data) ** 2 - (y + data) ** 2).ravel())[::-1]
    best = ((y - data) ** 2).sum() - gain[gain > 0][:allowed].sum()
    assert ((y - held) ** 2).sum() == pytest.approx(best, abs=1e-9)


@st.composite
def labels(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, int]:
    shape = (draw(st.integers(1, 6)), draw(st.integers(2, 4)))
    y = draw(hnp.arrays(np.float64, shape, elements=values))
    classes = draw(hnp.arrays(np.int64, shape[:1], elements=st.integers(0, shape[1] - 1)))
    return y, one_hot(classes, shape[1]), draw(st.integers(0, shape[0] + 1))


def one_hot(classes: np.ndarray, count: int) -> np.ndarray:
    return np.where(classes[:, None] == np.arange(count), 1, -1).astype(np.int8)


@given(labels())
def test_relabelled_items_are_one_hot_and_within_the_allowance(case: tuple[np.ndarray, np.ndarray, int]) -> None:
    y, data, allowed = case
    held = np.where(choose_relabelled(y, data, allowed), -data, data)
    assert ((held > 0).sum(axis=1) == 1).all()
    assert (held != data).any(axis=1).sum() <= allowed


@given(labels())
def test_no_other_labels_of_as_many_items_are_nearer(case: tuple[np.ndarray, np.ndarray, int]) -> None:
    """All ways to label the items, tried one by one."""
    y, data, allowed = case
    held = np.where(choose_relabelled(y, data, allowed), -data, data)
    count = data.shape[1]
    nearest = min(
        ((y - one_hot(np.array(way), count)) ** 2).sum()
        for way in itertools.product(range(count), repeat=len(y))
        if (np.array(way) != data.argmax(axis=1)).sum() <= allowed
    )
    assert ((y - held) ** 2).sum() == pytest.approx(nearest, abs=1e-9)


def test_the_allowance_for_classes_counts_items() -> None:
    dataset = Dataset(np.ones((50, 3), np.int8), np.arange(50) % 4, classes=4)
    assert Problem(layered(3, 4), dataset, noise=0.1).output_flips == 5
    assert bit_noise(dataset, 0.1) == pytest.approx(0.05)  # two of the four bits of a wrong item are wrong


@pytest.mark.parametrize(
    ("fraction", "of", "expected"), [(0, 100, 0), (0.29, 100, 29), (0.02, 49, 0), (0.499, 1000, 499)]
)
def test_the_allowance_is_the_whole_part_of_the_fraction(fraction: float, of: int, expected: int) -> None:
    assert allowance(fraction, of) == expected


def test_the_problem_counts_bits_of_all_items() -> None:
    data = Dataset(np.ones((50, 3), np.int8), np.ones((50, 2), np.int8))
    problem = Problem(layered(3, 2), data, noise=0.05, input_noise=0.1)
    assert (problem.output_flips, problem.input_flips) == (5, 15)
    assert Problem(layered(3, 2), data).output_flips == 0


@pytest.mark.parametrize("fraction", [-0.1, 0.5, 1, float("nan"), True, "0.1", None])
@pytest.mark.parametrize("name", ["noise", "input_noise"])
def test_fractions_out_of_range_are_refused(name: str, fraction: object) -> None:
    data = Dataset(np.ones((5, 3), np.int8), np.ones((5, 2), np.int8))
    with pytest.raises(ParameterError, match=f"The '{name}' parameter must be at least 0 and below 0.5"):
        Problem(layered(3, 2), data, **{name: fraction})  # type: ignore[arg-type]


def test_only_bits_can_be_flipped() -> None:
    free = Dataset.generative(np.ones((5, 2), np.int8), InputKind.ANY_CODE)
    with pytest.raises(ParameterError, match="'input_noise' parameter must be 0 for inputs of kind"):
        Problem(layered(3, 2), free, input_noise=0.1)
    analog = Dataset(np.zeros((5, 3)), np.ones((5, 2), np.int8), InputKind.ANALOG)
    with pytest.raises(ParameterError, match="'input_noise' parameter must be 0 for inputs of kind 'analog'"):
        Problem(layered(3, 2), analog, input_noise=0.1)
    assert Problem(layered(3, 2), analog, noise=0.1).output_flips == 1
