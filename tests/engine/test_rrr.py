"""RRR on convex sets: the Douglas–Rachford recursion, and convergence to a common point."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose

from boolearn.engine.rrr import rrr_step

points = hnp.arrays(np.float64, 3, elements=st.floats(-10, 10))
CENTRE, NORMAL = np.array([1.0, -2.0, 0.5]), np.array([0.6, 0.0, 0.8])


def on_ball(z: np.ndarray) -> np.ndarray:
    out = z - CENTRE
    return np.asarray(CENTRE + out / max(1.0, float(np.linalg.norm(out)) / 2))


def on_half_space(z: np.ndarray) -> np.ndarray:
    return z - max(0.0, float(NORMAL @ z) - 1.5) * NORMAL


@given(points, st.floats(0.05, 1.95))
def test_one_step_is_the_douglas_rachford_recursion(z: np.ndarray, beta: float) -> None:
    new, _ = rrr_step(z, on_ball, on_half_space, beta)
    reflected = 2 * on_ball(z) - z
    twice = 2 * on_half_space(reflected) - reflected
    assert_allclose(new, (1 - beta / 2) * z + beta / 2 * twice, atol=1e-12)


@given(points, st.sampled_from([0.2, 0.5, 1.0, 1.5]))
def test_it_finds_a_common_point_of_convex_sets(z: np.ndarray, beta: float) -> None:
    for _ in range(2000):
        z, difference = rrr_step(z, on_ball, on_half_space, beta)
    assert np.linalg.norm(difference) < 1e-6
    common = on_ball(z)
    assert np.linalg.norm(common - CENTRE) <= 2 + 1e-9
    assert NORMAL @ common <= 1.5 + 1e-5


def test_sets_that_do_not_meet_leave_a_gap_of_their_distance() -> None:
    def far(z: np.ndarray) -> np.ndarray:
        return z - max(0.0, float(NORMAL @ z) + 9.0) * NORMAL

    z = np.zeros(3)
    for _ in range(500):
        z, difference = rrr_step(z, on_ball, far, 0.5)
    assert np.linalg.norm(difference) == pytest.approx(NORMAL @ CENTRE + 9 - 2, abs=1e-3)
