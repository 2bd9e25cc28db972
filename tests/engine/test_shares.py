"""Engines that share the items, here in one process: the same bits for any number of engines."""

from __future__ import annotations

import numpy as np
import pytest

from boolearn.engine import native_available
from boolearn.network import layered
from boolearn.problem import Problem

if not native_available():
    pytest.skip("the compiled engine was not built", allow_module_level=True)

from problems import STEP, data

from boolearn._native import add_rows, shares
from boolearn.engine.native import NativeEngine

PROBLEM = Problem(layered(3, 4, 2), data(layered(3, 4, 2), 4700))


def weights_after(iterations: int, engines: int) -> np.ndarray:
    """As many engines as asked for, and the exchange that ranks have, without ranks."""
    table = shares(PROBLEM.n_items, "single", engines)
    parts = [
        NativeEngine(PROBLEM.of_items(slice(first, last)), share=(PROBLEM.n_items, engines, k), threads=1)
        for k, (first, last, _) in enumerate(table)
    ]
    columns = PROBLEM.network.n_weights + 4
    cuts = np.array([0, columns])

    def concur(gamma: float) -> None:
        rows = np.concatenate([part.compiled.cut_parts(cuts) for part in parts]).reshape(-1, columns)
        assert len(rows) == table[:, 2].sum()
        total = np.append(add_rows(rows), PROBLEM.n_items)
        for part in parts:
            part.compiled.concur(total, gamma)

    for part in parts:
        part.begin(3)
        part.compiled.open()
    concur(0.0)
    for _ in range(iterations):
        for part in parts:
            part.compiled.divide(STEP["beta"])
        concur(STEP["gamma"])
    return parts[0].weights()


def alone() -> np.ndarray:
    engine = NativeEngine(PROBLEM)
    engine.begin(3)
    engine.iterate(15, **STEP)
    return engine.weights()


@pytest.mark.parametrize("engines", [1, 2, 7, 64])
def test_any_number_of_engines_up_to_64_gives_the_same_bits(engines: int) -> None:
    assert np.array_equal(weights_after(15, engines), alone())


def test_more_engines_agree_to_rounding_and_with_themselves() -> None:
    first = weights_after(15, 70)
    assert np.array_equal(first, weights_after(15, 70))
    assert np.abs(first - alone()).max() < 1e-4  # single precision


@pytest.mark.parametrize(("items", "engines"), [(1, 1), (16, 4), (64, 2), (65, 3), (4096, 64), (5000, 48), (9999, 100)])
@pytest.mark.parametrize("precision", ["single", "double"])
def test_every_item_has_one_engine(items: int, engines: int, precision: str) -> None:
    table = shares(items, precision, engines)
    assert table[0, 0] == 0
    assert table[-1, 1] == items
    assert np.array_equal(table[1:, 0], table[:-1, 1])
    assert (table[:, 0] <= table[:, 1]).all()
