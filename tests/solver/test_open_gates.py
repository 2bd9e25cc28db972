"""The compiled sampler where target bits are open: they weigh nothing, whatever happens to the weights."""

from __future__ import annotations

import numpy as np
import pytest
from gate_sampling import random_signs, wrong_bits
from hypothesis import given
from hypothesis import strategies as st

from boolearn._native import GateSampler, GateTask
from boolearn.network import layered


def task_with_open(inputs: np.ndarray, targets: np.ndarray, mask: np.ndarray | None, *widths: int) -> GateTask:
    network = layered(*widths)
    bits = (np.ascontiguousarray(inputs > 0), np.ascontiguousarray(targets > 0))
    return GateTask(network.n_inputs, network.n_outputs, network.start, network.sender, *bits, open=mask)


@given(seed=st.integers(0, 10_000), items=st.sampled_from([1, 7, 64, 65, 150]), weigh=st.integers(0, 3))
def test_errors_of_every_candidate_leave_out_open_bits(seed: int, items: int, weigh: int) -> None:
    rng = np.random.default_rng(seed)
    network = layered(4, 5, 3)
    inputs, targets = random_signs(rng, items, 4), random_signs(rng, items, 3)
    mask = rng.random(targets.shape) < rng.choice([0.1, 0.5, 0.9])
    sampler = GateSampler(task_with_open(inputs, targets, mask, 4, 5, 3), seed)

    def wrong(table: np.ndarray) -> np.ndarray:
        return np.asarray(wrong_bits(network, table, inputs, targets) & ~mask)

    weights = np.ones(targets.shape, int)
    for step in range(weigh):
        sampler.sweep(1, 3.0)
        weights = np.minimum(weights + wrong(sampler.gates), 3)
        sampler.weigh_wrong_bits(3)
        if step == 1:
            sampler.ease_weights()
            weights = np.maximum(weights - 1, 1)
    twin = GateSampler(task_with_open(inputs, targets, mask, 4, 5, 3), seed + 1)
    twin.weights, twin.gates = sampler.weights, sampler.gates
    for one in (sampler, twin):
        assert one.errors == wrong(one.gates).sum()
        assert one.weighted == weights[wrong(one.gates)].sum()
    gates, errors = sampler.candidates(int(rng.integers(network.n_neurons - 3, network.n_neurons)))
    again, same = twin.candidates(0)
    table = twin.gates
    for chosen in rng.choice(len(again), min(30, len(again)), replace=False):
        table[0] = again[chosen]
        assert same[chosen] == weights[wrong(table)].sum()
    assert len(gates) == len(errors)
    twin.clear_weights()
    assert twin.weighted == twin.errors


def test_nothing_changes_where_nothing_is_open() -> None:
    rng = np.random.default_rng(1)
    inputs, targets = random_signs(rng, 100, 6), random_signs(rng, 100, 5)
    plain, with_mask = (
        GateSampler(task_with_open(inputs, targets, mask, 6, 8, 5), 1) for mask in (None, np.zeros((100, 5), bool))
    )
    for sampler in (plain, with_mask):
        for _ in range(5):
            sampler.sweep(3, 1.0, 1.0)
            sampler.weigh_wrong_bits(7)
    assert np.array_equal(plain.gates, with_mask.gates)
    assert np.array_equal(plain.weights, with_mask.weights)


def test_a_mask_of_another_shape_is_refused() -> None:
    rng = np.random.default_rng(2)
    with pytest.raises(ValueError, match="shape of the targets"):
        task_with_open(random_signs(rng, 9, 4), random_signs(rng, 9, 3), np.zeros((9, 2), bool), 4, 5, 3)
