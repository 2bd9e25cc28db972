"""The compiled sampler against enumeration: errors of candidates, visits, instruction sets."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from gate_sampling import assert_visits_follow, make_task, random_signs, wrong_bits
from hypothesis import given
from hypothesis import strategies as st

from boolearn._native import GateSampler
from boolearn.network import Network, from_edges, layered

NETWORKS = [
    layered(4, 5, 3),
    layered(3, 2, 2, 2),
    from_edges(3, 2, [(1, 4), (2, 4), (2, 5), (3, 5), (4, 6), (5, 6), (1, 6), (3, 7), (6, 7), (4, 8), (5, 8), (6, 8)]),
]


@given(
    seed=st.integers(0, 10_000),
    network=st.sampled_from(NETWORKS),
    items=st.sampled_from([1, 7, 64, 65, 150]),
    weigh=st.integers(0, 3),
)
def test_errors_of_every_candidate_equal_a_count(seed: int, network: Network, items: int, weigh: int) -> None:
    rng = np.random.default_rng(seed)
    inputs, targets = random_signs(rng, items, network.n_inputs), random_signs(rng, items, network.n_outputs)
    sampler = GateSampler(make_task(network, inputs, targets), seed)
    weights = np.ones(targets.shape, int)
    for _ in range(weigh):
        sampler.sweep(1, 3.0)
        weights = np.minimum(weights + wrong_bits(network, sampler.gates, inputs, targets), 3)
        sampler.weigh_wrong_bits(3)
    sampler.sweep(1, 3.0)
    wrong = wrong_bits(network, sampler.gates, inputs, targets)
    assert sampler.errors == wrong.sum()
    assert sampler.weighted == weights[wrong].sum()
    neuron = int(rng.integers(network.n_neurons))
    gates, errors = sampler.candidates(neuron)
    m = int(network.fan_in[neuron]) - 1
    assert len(gates) == len({tuple(gate) for gate in gates.tolist()}) == 2 * (m + 1) + 8 * (m + 1) * m * (m - 1) // 6
    table = sampler.gates
    for chosen in rng.choice(len(gates), min(40, len(gates)), replace=False):
        table[neuron] = gates[chosen]
        assert errors[chosen] == weights[wrong_bits(network, table, inputs, targets)].sum()


def test_the_running_count_of_errors_stays_right(rng: np.random.Generator) -> None:
    network = layered(6, 8, 8, 5)
    inputs, targets = random_signs(rng, 100, 6), random_signs(rng, 100, 5)
    sampler = GateSampler(make_task(network, inputs, targets), 1)
    for temperature in (10.0, 1.0, 0.1):
        for _ in range(30):
            sampler.sweep(1, temperature, 1.0)
            assert sampler.errors == wrong_bits(network, sampler.gates, inputs, targets).sum()


def test_sweeps_end_where_nothing_is_wrong_if_so_wanted(rng: np.random.Generator) -> None:
    network = layered(4, 4, 4)
    inputs = random_signs(rng, 30, 4)
    ending, going_on = (GateSampler(make_task(network, inputs, inputs), 1) for _ in range(2))
    done = ending.sweep(1000, 1.0, 1.0, until_right=True)
    assert done < 1000
    assert ending.errors == 0
    assert ending.sweep(10, 1.0, 1.0, until_right=True) == 0
    assert going_on.sweep(1000, 1.0, 1.0) == 1000


@pytest.mark.parametrize(
    ("widths", "temperature", "price", "idle", "most_enumerated", "seed"),
    [
        ((2, 1, 1), 2.0, 0.0, 0.0, 72, 1),
        ((2, 1, 1), 0.7, 0.5, 0.0, 72, 2),
        ((3, 1, 1), 3.0, 0.0, 0.0, 72, 3),
        ((2, 2, 1), 4.0, 0.0, 0.0, 72, 4),
        ((4, 1), 3.0, 0.0, 0.0, 4, 5),
        ((3, 1, 1), 3.0, 0.7, 0.0, 3, 6),
        ((3, 1, 1), 3.0, 0.0, 1.5, 72, 7),
        ((2, 2, 1), 4.0, 0.4, 2.5, 72, 8),
        ((4, 1), 3.0, 0.0, 1.5, 4, 9),
        ((3, 1, 1), 3.0, 0.0, 1.0, 3, 10),
    ],
)
def test_visits_follow_the_stated_distribution(
    widths: tuple[int, ...], temperature: float, price: float, idle: float, most_enumerated: int, seed: int
) -> None:
    """Chi-square of the whole circuit's visits against all circuits there are; with parts of the senders too."""
    rng = np.random.default_rng(seed)
    network = layered(*widths)
    inputs, targets = random_signs(rng, 10, widths[0]), random_signs(rng, 10, widths[-1])
    costs = idle * rng.uniform(0.5, 1.5, network.n_nodes)
    assert_visits_follow(network, inputs, targets, temperature, price, costs, most_enumerated, seed)


def test_wide_neurons_look_at_the_senders_that_matter() -> None:
    """Parts have the size they should, and nearly always hold the inputs of the majority that made the outputs."""
    rng = np.random.default_rng(3)
    inputs = random_signs(rng, 300, 60)
    targets = np.sign(inputs[:, [7, 21, 48]].sum(axis=1, dtype=np.int64))[:, None].astype(np.int8)
    sampler = GateSampler(make_task(layered(60, 1), inputs, targets, 20), 1)
    sampler.gates = np.array([[1, -1, -1, 1, 0, 0]], np.int32)
    seen: Counter[int] = Counter()
    for _ in range(200):
        gates, _ = sampler.candidates(0)
        seen.update(set(gates[:, :3].ravel().tolist()) - {-1})
    assert all(seen[at] > 190 for at in (8, 22, 49))
    assert all(seen[at] > 10 for at in range(61)), "every sender has its chance"
    assert 12 < sum(seen.values()) / 200 < 18, "the constant and the present gate's input come on top of 14"


def test_visits_follow_the_stated_distribution_where_candidates_are_summed_one_by_one() -> None:
    """Few candidates matter when there are many items; inputs that nearly agree leave several in play."""
    rng = np.random.default_rng(11)
    network = layered(3, 1)
    first, second = random_signs(rng, 1500), random_signs(rng, 1500)
    third = np.where(np.arange(1500) < 4, -second, second)
    inputs = np.stack([first, second, third], axis=1)
    targets = np.minimum(first, second)[:, None]
    targets[:9] *= -1
    costs = np.array([0, 0.3, 1.0, 2.0, 0])
    assert_visits_follow(network, inputs, targets, 1.2, 0.5, costs, 72, 1)


def test_shares_of_and_or_and_maj_are_learned() -> None:
    rng = np.random.default_rng(7)
    inputs = random_signs(rng, 200, 6)
    network = layered(6, 6, 6)
    conjunctions = np.stack([np.minimum(inputs[:, k], inputs[:, (k + 1) % 6]) for k in range(6)], axis=1)
    sampler = GateSampler(make_task(network, inputs, conjunctions), 0)
    for temperature in np.geomspace(3, 0.3, 30):
        sampler.sweep(10, float(temperature), 1.0)
    assert sampler.shares.sum() == pytest.approx(1)
    assert sampler.shares[2] > sampler.shares[3]


def test_what_idle_nodes_cost_is_learned() -> None:
    """Where every node is needed leaving one unread comes to cost; where most are not it stays free."""
    rng = np.random.default_rng(8)
    inputs = random_signs(rng, 60, 8)
    tight, wide = layered(8, 8, 8), layered(8, 60, 8)
    costs = []
    for network in (tight, wide):
        sampler = GateSampler(make_task(network, inputs, np.roll(inputs, 3, axis=1)), 0)
        for temperature in np.geomspace(10, 0.3, 40):
            sampler.sweep(5, float(temperature), 1.0)
        sums = np.zeros(network.n_nodes)
        for _ in range(50):
            sampler.sweep(1, 0.3, 1.0)
            sums += sampler.idle
        assert sampler.errors == 0
        assert (sums[[0, *range(network.first_output, network.n_nodes)]] == 0).all()
        costs.append(sums[network.first_neuron : network.first_output].mean() / 50)
    assert costs[0] > 0.5
    assert costs[1] < 0.1


def test_costs_of_idle_nodes_are_checked(rng: np.random.Generator) -> None:
    network = layered(3, 2, 2)
    sampler = GateSampler(make_task(network, random_signs(rng, 9, 3), random_signs(rng, 9, 2)), 3)
    with pytest.raises(ValueError, match="a number for each node"):
        sampler.idle = np.zeros(network.n_nodes - 1)
    for wrong in (-1.0, 13.0, np.nan):
        with pytest.raises(ValueError, match="from 0 to 12"):
            sampler.idle = np.full(network.n_nodes, wrong)


def test_same_seed_same_circuit_and_a_state_resumes(rng: np.random.Generator) -> None:
    network = layered(5, 6, 4)
    task = make_task(network, random_signs(rng, 70, 5), random_signs(rng, 70, 4))
    first, second, other = GateSampler(task, 3), GateSampler(task, 3), GateSampler(task, 4)
    for sampler in (first, second, other):
        sampler.sweep(5, 1.0, 1.0)
        sampler.weigh_wrong_bits(5)
    assert np.array_equal(first.gates, second.gates)
    assert not np.array_equal(first.gates, other.gates)
    for name in ("gates", "shares", "idle", "random", "weights", "price"):
        setattr(other, name, getattr(first, name))
    for sampler in (first, other):
        sampler.sweep(5, 1.0, 1.0)
        sampler.weigh_wrong_bits(255)
        sampler.sweep(5, 1.0, 1.0)
    assert np.array_equal(first.gates, other.gates)
    assert np.array_equal(first.weights, other.weights)
    assert np.array_equal(first.random, other.random)


def test_weights_of_bits_are_what_was_set(rng: np.random.Generator) -> None:
    network = layered(5, 6, 4)
    inputs, targets = random_signs(rng, 70, 5), random_signs(rng, 70, 4)
    sampler = GateSampler(make_task(network, inputs, targets), 3)
    assert (sampler.weights == 1).all()
    weights = rng.integers(1, 256, (4, 70)).astype(np.uint8)
    sampler.weights = weights
    assert np.array_equal(sampler.weights, weights)
    wrong = wrong_bits(network, sampler.gates, inputs, targets).T
    assert sampler.weighted == weights[wrong].sum()
    sampler.weigh_wrong_bits(200)
    weights = weights + (wrong & (weights < 200))
    assert np.array_equal(sampler.weights, weights)
    for _ in range(3):
        sampler.ease_weights()
        weights = np.maximum(weights, 2) - 1
        assert np.array_equal(sampler.weights, weights)
        assert sampler.weighted == weights[wrong].sum()
    with pytest.raises(ValueError, match="from 1 to 255"):
        sampler.weights = np.zeros((4, 70), np.uint8)
    with pytest.raises(ValueError, match="shape"):
        sampler.weights = np.ones((3, 70), np.uint8)


_SCRIPT = """
import numpy as np
from boolearn._native import GateSampler, GateTask, gates_isa
from boolearn.network import layered
rng = np.random.default_rng(0)
network = layered(12, 11, 10, 9)
bits = [rng.integers(0, 2, (333, width)) > 0 for width in (12, 9)]
print(gates_isa(), end="")
for five in (False, True):
    task = GateTask(12, 9, network.start, network.sender, *bits, five=np.full(30, five))
    sampler = GateSampler(task, 5)
    for temperature in (30.0, 3.0, 0.5):
        sampler.sweep(3, temperature, 1.0)
        sampler.weigh_wrong_bits(9)
    print("", sampler.errors, sampler.gates.tolist(), end="")
"""


def test_all_instruction_sets_draw_the_same_gates() -> None:
    results = {}
    for isa in ("baseline", ""):
        done = subprocess.run(
            [sys.executable, "-c", _SCRIPT],
            env={**os.environ, "BOOLEARN_ISA": isa},
            capture_output=True,
            text=True,
            check=True,
        )
        name, rest = done.stdout.split(" ", 1)
        results[name] = rest
    assert "baseline" in results
    assert len(set(results.values())) == 1


@pytest.mark.parametrize(
    ("row", "message"),
    [([0, 0, 1, 1, 1, 1], "rising"), ([9, -1, -1, 1, 0, 0], "positions"), ([0, -1, -1, 2, 0, 0], "signs")],
)
def test_tables_that_are_no_gates_are_refused(row: list[int], message: str, rng: np.random.Generator) -> None:
    network = layered(2, 1)
    sampler = GateSampler(make_task(network, random_signs(rng, 4, 2), random_signs(rng, 4, 1)), 0)
    with pytest.raises(ValueError, match=message):
        sampler.gates = np.array([row], np.int32)
    with pytest.raises(ValueError, match="temperature"):
        sampler.sweep(1, 0.0)
    with pytest.raises(ValueError, match="neuron"):
        sampler.candidates(1)
