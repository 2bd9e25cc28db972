from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_allclose

from boolearn.errors import ParameterError
from boolearn.network import layered
from boolearn.problem import margins


def test_margin_is_the_root_of_fan_in_over_sigma() -> None:
    network = layered(4, 3, 2)
    assert_allclose(margins(network, 3), np.sqrt([5 / 3] * 3 + [4 / 3] * 2))
    assert_allclose(margins(network, [3, 7]), np.sqrt([5 / 3] * 3 + [4 / 7] * 2))
    assert_allclose(margins(network, [1, 2, 3, 4, 5]), np.sqrt([5, 5 / 2, 5 / 3, 1, 4 / 5]))
    assert_allclose(margins(network, lambda node: node - 3), np.sqrt([5 / 2, 5 / 3, 5 / 4, 4 / 5, 4 / 6]))


@pytest.mark.parametrize("sigma", ["35", ["35", "7"], b"35", True, 1 + 2j, None, 10**400, [[1, 2], [3]]])
def test_what_is_no_number_is_refused(sigma: object) -> None:
    with pytest.raises(ParameterError, match="'sigma' parameter must be a number, several numbers or a function"):
        margins(layered(4, 3, 2), sigma)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("sigma", "got"),
    [
        (lambda node: 1 / (node - 6), "node 6 too. Got ZeroDivisionError"),
        (lambda node: None, "node 5 too. Got None"),
        (lambda node: "35", "node 5 too. Got '35'"),
        (lambda node: [1, 2], r"node 5 too. Got \[1, 2\]"),
        (lambda: 3, "node 5 too. Got TypeError"),
    ],
)
def test_a_function_must_give_numbers(sigma: object, got: str) -> None:
    with pytest.raises(ParameterError, match=f"'sigma' parameter must be a function that gives a number.*{got}"):
        margins(layered(4, 3, 2), sigma)  # type: ignore[arg-type]


@pytest.mark.parametrize("sigma", [0.5, 0, -3, float("nan"), float("inf"), [3, 3, 3], [3, 0.1]])
def test_sigma_out_of_range_is_refused(sigma: float | list[float]) -> None:
    with pytest.raises(ParameterError, match="sigma"):
        margins(layered(4, 3, 2), sigma)
