"""What a neuron depends on, against the paper's definition."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_functions import naive_relevant, naive_sign, patterns, real_weight

from boolearn.circuit import Gate, Kind, threshold_form
from boolearn.circuit.threshold import relevance
from boolearn.circuit.threshold.integer_weights import as_integers
from boolearn.circuit.threshold.relevance import ThresholdForm, least_sum, relevant_inputs
from boolearn.circuit.threshold.small_functions import small_functions


@given(st.lists(real_weight, max_size=7), real_weight)
def test_form_keeps_the_function_and_exactly_its_relevant_inputs(weights: list[float], bias: float) -> None:
    form = threshold_form(weights, bias)
    assert set(form.inputs) == naive_relevant(weights, bias)
    assert form.certain
    for pattern in patterns(len(weights)).tolist():
        own = sum(w * pattern[k] for w, k in zip(form.weights, form.inputs, strict=True)) + form.bias
        assert own != 0
        assert (1 if own > 0 else -1) == naive_sign(weights, bias, pattern)


@given(st.lists(real_weight, min_size=1, max_size=7), real_weight)
def test_margin_obeys_the_theorem(weights: list[float], bias: float) -> None:
    form = threshold_form(weights, bias)
    ratio = form.margin_ratio
    assert ratio is not None
    assert 0 < ratio <= 1 / np.sqrt(form.support) + 1e-12
    magnitudes = {abs(w) for w in (*form.weights, form.bias) if w}
    assert (ratio >= 1 / np.sqrt(form.support) - 1e-12) == (len(magnitudes) == 1)


@pytest.mark.parametrize(
    ("weights", "bias", "kind"),
    [
        ([2.1, 0.3, -0.2], 0.1, Kind.COPY),
        ([-2.1, 0.3, -0.2], 0.1, Kind.NOT),
        ([1.3, 1.2, 0.01], -1.25, Kind.AND),
        ([1.3, -1.2, 0.01], 1.25, Kind.OR),
        ([1.3, -1.2, 1.25, 0.001], 0.0, Kind.MAJ),
        ([1.0, 1.1, 0.9, 1.05, -0.95], 0.0, Kind.MAJ),
        ([2.0, 1.0, 1.0, 1.0], 0.0, Kind.THRESHOLD),
        ([0.1, 0.2], 0.5, Kind.CONSTANT),
    ],
)
def test_gates_get_their_names(weights: list[float], bias: float, kind: Kind) -> None:
    form = threshold_form(weights, bias)
    assert Gate(form.inputs, form.weights, form.bias).kind is kind


def test_a_zero_sum_counts_as_false() -> None:
    form = threshold_form([1.0, 1.0])
    assert Gate(form.inputs, form.weights, form.bias).kind is Kind.AND


def test_a_tie_that_rounding_would_hide_is_seen() -> None:
    # 0.1 + 0.2 − 0.3 is 0.0 or ±2.8e-17 in floating point, depending on the order; exactly it is positive.
    form = threshold_form([0.1, 0.2], -0.3)
    assert form == ThresholdForm((0, 1), (1, 1), -1)


@pytest.mark.parametrize("n_inputs", [33, 36, 65])
def test_many_inputs_with_a_noisy_tail(n_inputs: int, rng: np.random.Generator) -> None:
    weights = rng.normal(0, 1e-3, n_inputs)
    weights[[3, 17, 30]] = [3.3, -3.1, 3.2]
    assert threshold_form(weights.tolist()) == ThresholdForm((3, 17, 30), (1, -1, 1), 0)


def test_sorted_prefix_rule_agrees_with_both_ways_of_deciding(
    rng: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(60):
        weights = as_integers(np.round(rng.normal(size=9) * rng.choice([1, 1, 0.05], 9), 4).tolist())
        exact = relevant_inputs(weights, 0)
        assert exact[1]
        with monkeypatch.context() as patch:
            patch.setattr(relevance, "_HALVES_INPUTS", 0)
            coarse = relevant_inputs(weights, 0)
        assert set(coarse[0]) >= set(exact[0])
        if coarse[1]:
            assert coarse[0] == exact[0]


def test_large_odd_majorities_hide_small_weights_and_that_is_proved(rng: np.random.Generator) -> None:
    weights = np.concatenate((rng.uniform(0.999, 1.001, 45), rng.uniform(0, 0.01, 15)))
    started = time.perf_counter()
    integers = as_integers(weights.tolist())
    inputs, certain = relevant_inputs(integers, 0)
    assert set(inputs) == set(range(45))
    assert certain
    assert time.perf_counter() - started < 20


def test_dense_weights_keep_their_function_when_shortened(rng: np.random.Generator) -> None:
    for n_inputs in (13, 20, 30):
        weights = rng.normal(size=n_inputs)
        form = threshold_form(weights.tolist(), 0.2)
        assert not form.smallest
        samples = rng.choice([-1, 1], (3000, n_inputs))
        mine = samples[:, list(form.inputs)] @ np.array(form.weights, np.int64) + form.bias
        assert ((mine > 0) == (samples @ weights + 0.2 > 0)).all()
        assert least_sum(form.bias, form.weights)[0] > 0


def test_least_sum_is_the_least(rng: np.random.Generator) -> None:
    for _ in range(30):
        weights = rng.integers(-50, 50, 8).tolist()
        bias = int(rng.integers(-50, 50))
        assert least_sum(bias, weights) == (np.abs(patterns(8).astype(int) @ np.array(weights) + bias).min(), 0)


@pytest.mark.parametrize(("n_inputs", "count"), [(1, 2), (2, 8), (3, 72), (4, 1536)])
def test_table_holds_every_small_threshold_function(n_inputs: int, count: int) -> None:
    assert len(small_functions(n_inputs).truth) == count
    assert len(np.unique(small_functions(n_inputs).truth)) == count
