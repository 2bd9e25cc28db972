"""k-modes: its rules one by one, an obvious version of an update, and the paper's own result."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from boolearn.baselines.kmodes import fill_empty, hamming, kmodes, spread_out, update
from boolearn.data import read
from boolearn.data.signs import Signs
from boolearn.errors import DataError, ParameterError


def signs(*shape: int, seed: int = 0) -> Signs:
    return np.random.default_rng(seed).choice(np.array([-1, 1], np.int8), shape)


def test_distances_are_counts_of_different_bits() -> None:
    vectors, modes = signs(20, 31), signs(4, 31, seed=1)
    assert np.array_equal(hamming(vectors, modes), (vectors[:, None] != modes).sum(axis=2))


def test_a_start_has_different_vectors_and_prefers_distant_ones() -> None:
    near = np.ones((12, 40), np.int8)
    near[np.arange(11), np.arange(11)] = -1  # ten steps of distance 1 or 2 …
    near[11] = -1  # … and one far away
    for seed in range(20):
        start = spread_out(near, 3, np.random.default_rng(seed))
        assert len(np.unique(start, axis=0)) == 3
    far = sum((spread_out(near, 2, np.random.default_rng(seed))[1] == -1).all() for seed in range(200))
    assert far > 150  # its chance is 38²…40² against about ten times 2² or less


@pytest.mark.parametrize("seed", range(5))
def test_an_update_is_the_majority_of_every_group_and_ties_stay(seed: int) -> None:
    vectors, modes = signs(40, 9, seed=seed), signs(4, 9, seed=100 + seed)
    nearest = [min(range(4), key=lambda place: (int((vector != modes[place]).sum()), place)) for vector in vectors]
    expected = modes.copy()
    for place in range(4):
        group = [vector for vector, near in zip(vectors, nearest, strict=True) if near == place]
        assert group, "this draw leaves no group empty"
        for bit in range(9):
            ones = sum(vector[bit] == 1 for vector in group)
            if 2 * ones != len(group):
                expected[place, bit] = 1 if 2 * ones > len(group) else -1
    assert np.array_equal(update(vectors, modes, hamming(vectors, modes)), expected)


def test_empty_groups_receive_the_worst_vectors_of_groups_that_can_spare_them() -> None:
    assignment, errors = np.array([0, 0, 2, 0]), np.array([1, 5, 9, 4])
    assert fill_empty(assignment, errors, 4).tolist() == [0, 1, 2, 3]  # the 9 is alone in its group and stays
    assert assignment.tolist() == [0, 0, 2, 0]


def test_planted_groups_are_found() -> None:
    centres = signs(5, 64)
    flips = np.random.default_rng(1).random((200, 64)) < 0.05
    planted = np.arange(200) % 5
    vectors = np.where(flips, -centres[planted], centres[planted])
    found = kmodes(vectors, 5, restarts=5)
    assert {tuple(mode) for mode in found.modes} == {tuple(centre) for centre in centres}
    assert found.errors == flips.sum()
    assert np.array_equal(found.modes[found.assignment], centres[planted])


def test_the_best_restart_is_reported_and_can_be_run_alone() -> None:
    vectors = signs(60, 12)
    found = kmodes(vectors, 6, restarts=12, seed=3)
    assert found.errors == min(found.restart_errors) < max(found.restart_errors)
    assert found.errors == hamming(vectors, found.modes).min(axis=1).sum()
    alone = kmodes(vectors, 6, restarts=1, seed=found.seed)
    assert alone.errors == found.errors
    assert np.array_equal(alone.modes, found.modes)
    assert np.array_equal(update(vectors, found.modes, hamming(vectors, found.modes)), found.modes)


def test_bits_may_be_truth_values_and_every_vector_can_be_a_mode() -> None:
    vectors = np.unique(signs(9, 6), axis=0)
    assert kmodes(vectors > 0, len(vectors), restarts=2).errors == 0


def test_mistakes_are_named() -> None:
    with pytest.raises(ParameterError, match=r"'k' parameter must be .* 1 to 2, the different vectors"):
        kmodes([[1, -1], [1, -1], [1, 1]], 3)
    with pytest.raises(DataError, match="two axes"):
        kmodes([1, -1], 1)
    with pytest.raises(ParameterError, match="restarts"):
        kmodes(signs(4, 4), 2, restarts=0)


def test_the_fours_of_the_paper() -> None:
    """The supplement: 45,541 errors on the 1024 fitted pictures, 226,778 on the other 4818, by seed 19."""
    folder = os.environ.get("BOOLEARN_PAPER_DATA")
    if not folder:
        pytest.skip("BOOLEARN_PAPER_DATA does not name the folder with the paper's data")
    pictures = read(Path(folder) / "mnist4.dat").outputs
    found = kmodes(pictures[:1024], 16)
    assert (found.errors, found.seed, found.updates) == (45_541, 19, 26)
    assert hamming(pictures[1024:], found.modes).min(axis=1).sum() == 226_778
