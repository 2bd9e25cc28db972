"""Wrong bits: what is allowed is allowed everywhere, and what is found wrong counts as such."""

from __future__ import annotations

import numpy as np
import pytest

import boolearn as bl
from boolearn.data import Dataset
from boolearn.errors import ParameterError
from boolearn.network import layered
from boolearn.training import train
from boolearn.tuning import tune

BITS = (np.arange(256)[:, None] >> np.arange(8)) & 1
PAIRS = BITS[:, 0::2] & BITS[:, 1::2]


def test_wrong_inputs_and_wrong_outputs_together() -> None:
    """A run whose doubted bits explain all is solved, though it answers the inputs as they are otherwise."""
    inputs, outputs = BITS.copy(), PAIRS.copy()
    inputs[[20, 77, 140], [4, 1, 6]] ^= 1
    outputs[[5, 200], [1, 3]] ^= 1
    settings = {"noise": 4 / 1024, "input_noise": 6 / 2048, "max_iter": 8000, "restarts": 20}
    run = train(layered(8, 4), Dataset(inputs, outputs), **settings)  # type: ignore[arg-type]
    assert run.solved
    assert run.doubted().sum() <= 4
    assert run.doubted_inputs is not None
    assert run.doubted_inputs.sum() <= 6
    assert np.array_equal(run.model.predict(BITS), 2 * PAIRS - 1)


def test_tuning_runs_what_training_runs() -> None:
    outputs = PAIRS.copy()
    outputs.flat[np.random.default_rng(0).choice(1024, 10, replace=False)] ^= 1
    data = Dataset(BITS, outputs)
    tuning = tune(layered(8, 4), data, beta=0.3, gamma=1e-3, noise=0.012, trials=1, starts=2, max_iter=4500)
    run = train(layered(8, 4), data, beta=0.3, gamma=1e-3, noise=0.012, restarts=bl.Restarts(2, all=True), max_iter=4500)
    (tried,) = tuning.ranking()
    assert [start.iterations for start in tried.runs[:2]] == [start.iterations for start in run.starts]
    assert [start.gap for start in tried.runs[:2]] == [start.gap for start in run.starts]


def test_flags_of_inputs_need_all_items() -> None:
    with pytest.raises(ParameterError, match="'input_noise' parameter must be 0 in batches of less than all items"):
        train(layered(8, 4), Dataset(BITS, PAIRS), noise=bl.Noise(inputs=0.01), batch=64)
