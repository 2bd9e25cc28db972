"""Engines and precisions solve the two-bit multiplier equally often."""

from __future__ import annotations

import math
from typing import Literal

import pytest

from boolearn.data import Dataset
from boolearn.engine import native_available
from boolearn.network import layered
from boolearn.solver import Restarts, SuccessRate, success_rate
from boolearn.training import train

Precision = Literal["half", "single", "double"]
Engine = Literal["native", "reference"]


def rate_of(table: Dataset, engine: Engine, precision: Precision, starts: int) -> SuccessRate:
    run = train(
        layered(4, 4, 4, 4),
        table,
        seed=1000,
        max_iter=10_000,
        restarts=Restarts(starts, all=True),
        engine=engine,
        precision=precision,
    )
    return success_rate(run.starts)


@pytest.mark.slow
@pytest.mark.skipif(not native_available(), reason="the compiled engine was not built")
def test_success_rates_match_within_their_errors(two_bit_multiplier: Dataset) -> None:
    """The NumPy engine takes 20 of the starts, minutes of a core: its errors are larger, and counted as such."""
    single = rate_of(two_bit_multiplier, "native", "single", 400)
    assert 0.35 < single.solved / single.starts < 0.6, single
    for other in (
        rate_of(two_bit_multiplier, "native", "half", 400),
        rate_of(two_bit_multiplier, "native", "double", 200),
        rate_of(two_bit_multiplier, "reference", "double", 20),
    ):
        share = (single.solved + other.solved) / (single.starts + other.starts)
        error = math.sqrt(share * (1 - share) * (1 / single.starts + 1 / other.starts))
        assert abs(single.solved / single.starts - other.solved / other.starts) < 3 * error, (single, other)
        spread = 3 * math.hypot(single.error, other.error)
        assert abs(single.mean_iterations - other.mean_iterations) < spread, (single, other)
