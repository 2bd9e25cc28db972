"""Wrong bits: what is allowed is allowed everywhere, and what is found wrong counts as such."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

import boolearn as bl
from boolearn.data import Dataset
from boolearn.errors import ParameterError
from boolearn.network import layered
from boolearn.training import train
from boolearn.tuning import tune

Bits = npt.NDArray[np.int64]

BITS: Bits = (np.arange(256)[:, None] >> np.arange(8)) & 1
PAIRS = BITS[:, 0::2] & BITS[:, 1::2]


WRONG = {(20, 5), (77, 1), (140, 6)}
"""(item, input): the other bit of the pair is 1, so each shows in an output."""


def with_wrong_inputs() -> Bits:
    inputs = BITS.copy()
    for item, bit in WRONG:
        inputs[item, bit] ^= 1
    assert ((inputs[:, 0::2] & inputs[:, 1::2]) != PAIRS).sum() == len(WRONG)
    return inputs


def test_wrong_inputs_are_named() -> None:
    """As many as may be wrong are: where the model is right there is one explanation, up to which bit of a pair."""
    run = train(
        layered(8, 4), Dataset(with_wrong_inputs(), PAIRS), noise=bl.Noise(inputs=3 / 2048), max_iter=8000, restarts=20
    )
    assert run.solved
    assert np.array_equal(run.model.predict(BITS), 2 * PAIRS - 1)
    assert run.doubted_inputs is not None
    doubted = [(int(item), int(bit) // 2) for item, bit in np.argwhere(run.doubted_inputs)]
    assert sorted(doubted) == sorted((item, bit // 2) for item, bit in WRONG)
    assert not run.doubted().any()


def test_wrong_inputs_and_wrong_outputs_together() -> None:
    """A run whose doubted bits explain all is solved, though it answers the inputs as they are otherwise."""
    inputs, outputs = with_wrong_inputs(), PAIRS.copy()
    outputs[[5, 200], [1, 3]] ^= 1
    settings = {"noise": bl.Noise(4 / 1024, 6 / 2048), "max_iter": 8000, "restarts": 20}
    run = train(layered(8, 4), Dataset(inputs, outputs), **settings)  # type: ignore[arg-type]
    assert run.solved
    assert np.array_equal(run.model.predict(BITS), 2 * PAIRS - 1)
    as_given = run.model.predict(inputs) != 2 * outputs - 1
    assert as_given.sum() == 5, "more than may be wrong among the outputs"
    assert run.doubted().sum() <= 4
    assert run.doubted_inputs is not None
    assert run.doubted_inputs[as_given.any(axis=1)].any(), "so the rest is laid to the inputs"


def test_tuning_runs_what_training_runs() -> None:
    outputs = PAIRS.copy()
    outputs.flat[np.random.default_rng(0).choice(1024, 10, replace=False)] ^= 1
    data = Dataset(BITS, outputs)
    tuning = tune(layered(8, 4), data, bl.RRR(beta=0.3), noise=0.012, trials=1, starts=2, max_iter=4500)
    run = train(
        layered(8, 4), data, beta=0.3, gamma=1e-3, noise=0.012, restarts=bl.Restarts(2, all=True), max_iter=4500
    )
    (tried,) = tuning.ranking()
    assert [start.iterations for start in tried.summaries[:2]] == [start.iterations for start in run.starts]
    assert [start.gap for start in tried.summaries[:2]] == [start.gap for start in run.starts]


def test_flags_of_inputs_need_all_items() -> None:
    with pytest.raises(
        ParameterError, match="'noise' parameter must be 0 for inputs in batches of less than all items"
    ):
        train(layered(8, 4), Dataset(BITS, PAIRS), noise=bl.Noise(inputs=0.01), batch=64)
