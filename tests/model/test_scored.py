"""Right answers counted for one set of weights after another are those that a BoolNet counts."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest

import boolearn as bl
from boolearn.data import automaton, digits, multiplier, random_vectors
from boolearn.model.scored import ScoredItems

if not ScoredItems.available:
    pytest.skip("the compiled part was not built", allow_module_level=True)


def half_open() -> bl.Dataset:
    data = automaton(30, 8, 1, 40, seed=1)
    return replace(data, open=np.random.default_rng(2).random(data.outputs.shape) < 0.5)


@pytest.mark.parametrize(
    ("widths", "dataset"),
    [
        ((4, 4, 4, 4), multiplier(2)),
        ((8, 12, 8), half_open()),
        (bl.convolution_1d(8, (1, 2, 1)), automaton(30, 8, 1, 40, seed=1)),
        ((64, 10), digits().take(slice(0, 50))),
    ],
    ids=["bits", "open bits", "shared weights", "classes of analog items"],
)
def test_given_inputs(widths: tuple[int, ...] | bl.Network, dataset: bl.Dataset) -> None:
    network = widths if isinstance(widths, bl.Network) else bl.layered(*widths)
    scored = ScoredItems(network, dataset)
    for seed in range(20):
        # Small integers: some sums are zero, and zero counts as −1.
        weights = np.random.default_rng(seed).integers(-2, 3, network.n_weights).astype(float)
        model = bl.BoolNet(network, weights, input_kind=dataset.input_kind, classes=dataset.classes)
        assert (scored.right(weights, None), scored.answers) == model.right_answers(dataset)


def test_codes_take_the_place_of_free_inputs() -> None:
    network, vectors = bl.layered(3, 8, 8), random_vectors(8, 8, 1, bl.InputKind.ANY_CODE)
    scored = ScoredItems(network, vectors)
    for seed in range(20):
        rng = np.random.default_rng(seed)
        weights, codes = rng.standard_normal(network.n_weights), rng.choice(np.array([-1, 1], np.int8), (8, 3))
        known = replace(vectors, inputs=codes, input_kind=bl.InputKind.BOOLEAN)
        assert (scored.right(weights, codes), scored.answers) == bl.BoolNet(network, weights).right_answers(known)


def test_another_process_counts_the_same() -> None:
    network = bl.layered(4, 4, 4, 4)
    scored = ScoredItems(network, multiplier(2))
    weights = np.random.default_rng(1).standard_normal(network.n_weights)
    there = pickle.loads(pickle.dumps(scored))  # noqa: S301
    assert (there.right(weights, None), there.answers) == (scored.right(weights, None), scored.answers)


def test_asking_twice_gives_the_same() -> None:
    network = bl.layered(4, 4, 4, 4)
    scored = ScoredItems(network, multiplier(2))
    weights = np.random.default_rng(1).standard_normal(network.n_weights)
    first = scored.right(weights, None)
    scored.right(-weights, None)
    assert scored.right(weights, None) == first


@pytest.mark.parametrize(
    ("weights", "codes", "message"),
    [
        (np.zeros(3), None, "'weights' parameter of right must have one number per weight"),
        (
            np.zeros(60),
            np.ones((16, 4), np.int8),
            "'inputs' parameter of right must be an array when the items have none",
        ),
    ],
)
def test_what_does_not_fit_is_refused(weights: np.ndarray, codes: np.ndarray | None, message: str) -> None:
    scored = ScoredItems(bl.layered(4, 4, 4, 4), multiplier(2))
    with pytest.raises(ValueError, match=message):
        scored.right(weights, codes)
