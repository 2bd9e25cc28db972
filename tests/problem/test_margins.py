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


@pytest.mark.parametrize("sigma", [0.5, 0, -3, float("nan"), float("inf"), [3, 3, 3], [3, 0.1]])
def test_sigma_out_of_range_is_refused(sigma: float | list[float]) -> None:
    with pytest.raises(ParameterError, match="sigma"):
        margins(layered(4, 3, 2), sigma)
