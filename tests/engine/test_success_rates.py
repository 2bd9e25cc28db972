"""Engines and precisions solve the two-bit multiplier equally often."""

from __future__ import annotations

import math

import pytest

from boolearn.data import Dataset
from boolearn.engine import native_available
from boolearn.network import layered
from boolearn.solver import success_rate, train


@pytest.mark.slow
@pytest.mark.skipif(not native_available(), reason="the compiled engine was not built")
def test_success_rates_match_within_their_errors(two_bit_multiplier: Dataset) -> None:
    settings = {"single": ("native", "single"), "double": ("native", "double"), "reference": ("reference", "double")}
    rates = {}
    for name, (engine, precision) in settings.items():
        run = train(
            layered(4, 4, 4, 4),
            two_bit_multiplier,
            seed=1000,
            max_iter=10_000,
            restarts=100,
            all_restarts=True,
            engine=engine,  # type: ignore[arg-type]
            precision=precision,  # type: ignore[arg-type]
        )
        rates[name] = success_rate(run.starts)
    for name, rate in rates.items():
        assert 35 <= rate.solved <= 65, (name, rate)
        spread = 3 * math.hypot(rate.error, rates["reference"].error)
        assert abs(rate.mean_iterations - rates["reference"].mean_iterations) < spread, rates
