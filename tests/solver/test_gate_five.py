"""Majorities of five in the gate search: against enumeration, and end to end."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from gate_sampling import Signs, assert_visits_follow, make_task, random_signs, wrong_bits
from hypothesis import given
from hypothesis import strategies as st
from relay import relayed
from typer.testing import CliRunner

from boolearn._native import GateSampler
from boolearn.circuit import load, prove_equal, save
from boolearn.cli import app
from boolearn.data import Dataset, write_dat
from boolearn.model import BoolNet
from boolearn.network import Network, layered
from boolearn.problem import Problem
from boolearn.solver.gates.annealer import Stage
from boolearn.solver.gates.description import Description
from boolearn.solver.gates.nearest import nearest_gates
from boolearn.solver.gates.table import (
    KINDS,
    kinds_of,
    may_be_five,
    no_gates,
    read_nodes,
    table_of,
    weights_of,
)
from boolearn.training import train

MAJ5 = KINDS.index("maj5")


def all_five(network: Network) -> npt.NDArray[np.bool_]:
    return np.asarray(network.fan_in >= 5)


def circuit_of_majorities(*widths: int, seed: int) -> BoolNet:
    """Every neuron a copy, a majority of three or one of five, inputs and signs drawn alike."""
    network = layered(*widths)
    rng = np.random.default_rng(seed)
    table = no_gates(network, all_five(network))
    for row, fan_in in zip(table, network.fan_in, strict=True):
        size = int(rng.choice([1, 3, 5], p=[0.4, 0.2, 0.4]))
        row[:size] = np.sort(rng.choice(np.arange(1, fan_in), size, replace=False))
        row[5 : 5 + size] = rng.choice([-1, 1], size)
    return BoolNet(network, weights_of(network, table))


def random_table(network: Network, seed: int) -> npt.NDArray[np.int32]:
    """Gates of a hot sampler: all kinds occur."""
    rng = np.random.default_rng(seed)
    inputs, targets = random_signs(rng, 30, network.n_inputs), random_signs(rng, 30, network.n_outputs)
    sampler = GateSampler(make_task(network, inputs, targets, five=all_five(network)), seed)
    sampler.shares = np.array([0.1, 0.2, 0.2, 0.2, 0.3])
    sampler.sweep(3, 100.0)
    return sampler.gates


@given(
    seed=st.integers(0, 10_000),
    widths=st.sampled_from([(4, 5, 3), (6, 6, 2), (9, 3), (8, 7, 5, 2)]),
    items=st.sampled_from([1, 64, 65, 150]),
    weigh=st.integers(0, 2),
)
def test_errors_of_every_majority_of_five_equal_a_count(
    seed: int, widths: tuple[int, ...], items: int, weigh: int
) -> None:
    rng = np.random.default_rng(seed)
    network = layered(*widths)
    inputs, targets = random_signs(rng, items, network.n_inputs), random_signs(rng, items, network.n_outputs)
    sampler = GateSampler(make_task(network, inputs, targets, five=all_five(network)), seed)
    for _ in range(weigh):
        sampler.sweep(2, 3.0, 1.0)
        sampler.weigh_wrong_bits(3)
    weights = sampler.weights.T
    assert sampler.weighted == weights[wrong_bits(network, sampler.gates, inputs, targets)].sum()
    neuron = int(rng.integers(network.n_neurons))
    gates, errors = sampler.candidates(neuron)
    assert len(gates) == len({tuple(gate) for gate in gates.tolist()})
    fives = np.flatnonzero(gates[:, 4] >= 0)
    assert len(fives) == 32 * math.comb(int(network.fan_in[neuron]), 5)
    table = sampler.gates
    for chosen in rng.choice(fives, min(30, len(fives)), replace=False):
        table[neuron] = gates[chosen]
        assert errors[chosen] == weights[wrong_bits(network, table, inputs, targets)].sum()


@pytest.mark.parametrize(
    ("widths", "temperature", "price", "idle", "most_enumerated", "most_five", "seed"),
    [
        ((4, 1), 2.0, 0.0, 0.0, 72, 10, 1),
        ((6, 1), 1.0, 0.5, 0.0, 72, 10, 2),
        ((4, 1, 1), 2.0, 0.3, 1.5, 72, 10, 3),
        ((5, 1), 2.0, 0.0, 1.0, 72, 5, 4),
        ((7, 1), 1.5, 0.4, 0.0, 72, 6, 5),
        ((7, 1), 1.5, 0.0, 1.0, 6, 5, 6),
    ],
)
def test_visits_follow_the_stated_distribution(
    widths: tuple[int, ...],
    temperature: float,
    price: float,
    idle: float,
    most_enumerated: int,
    most_five: int,
    seed: int,
) -> None:
    """With all candidates, with a part of the columns for majorities of five, and with a part of the senders too."""
    rng = np.random.default_rng(seed)
    network = layered(*widths)
    inputs = random_signs(rng, 20, widths[0])
    targets = majority(inputs[:, :3])[:, None]
    targets[:4] *= -1
    costs = idle * rng.uniform(0.5, 1.5, network.n_nodes)
    five = all_five(network)
    assert_visits_follow(network, inputs, targets, temperature, price, costs, most_enumerated, seed, five, most_five)


def test_visits_follow_it_where_only_some_neurons_may_be_majorities_of_five() -> None:
    """What these have of the prior the others give to And, Or and Maj."""
    rng = np.random.default_rng(8)
    inputs = random_signs(rng, 16, 4)
    targets = np.stack([majority(inputs[:, :3]), majority(inputs[:, 1:])], axis=1)
    targets[:3] *= -1
    costs = np.array([0, 0.5, 1.0, 1.5, 0.5, 0, 0])
    five = np.array([True, False])
    assert_visits_follow(layered(4, 2), inputs, targets, 0.8, 0.3, costs, 72, 1, five)


def test_visits_follow_it_where_candidates_are_summed_one_by_one() -> None:
    """Few candidates matter when there are many items; inputs that nearly agree leave several in play."""
    rng = np.random.default_rng(11)
    inputs = random_signs(rng, 2600, 6)
    inputs[:, 5] = inputs[:, 4]
    inputs[:9, 5] *= -1
    targets = majority(inputs[:, :5])[:, None]
    targets[5:20] *= -1
    costs = np.array([0, 0.3, 1.0, 2.0, 0, 0.5, 0.4, 0])
    five = np.array([True])
    assert_visits_follow(layered(6, 1), inputs, targets, 1.2, 0.5, costs, 72, 1, five)
    assert_visits_follow(layered(6, 1), inputs, targets, 1.2, 0.5, costs, 72, 1, five, 5)


def majority(signs: Signs) -> Signs:
    return np.asarray(np.sign(signs.sum(axis=1, dtype=np.int64)), np.int8)


def test_shares_are_learned() -> None:
    rng = np.random.default_rng(7)
    inputs = random_signs(rng, 300, 8)
    network = layered(8, 8, 8)
    targets = np.stack([majority(np.roll(inputs, k, axis=1)[:, :5]) for k in range(8)], axis=1)
    sampler = GateSampler(make_task(network, inputs, targets, five=all_five(network)), 0)
    for temperature in np.geomspace(5, 0.5, 40):
        sampler.sweep(10, float(temperature), 1.0)
    assert sampler.errors == 0
    assert sampler.counts[MAJ5] >= 8
    assert sampler.shares.sum() == pytest.approx(1)
    assert sampler.shares[MAJ5] > sampler.shares[2] + sampler.shares[3]


def test_shares_follow_the_kinds_of_those_that_may_choose() -> None:
    """Where the circuit is frozen: the part of majorities of five by the neurons that may be one, the rest by all."""
    rng = np.random.default_rng(7)
    inputs = random_signs(rng, 400, 9)
    fives = [majority(np.roll(inputs, k, axis=1)[:, :5]) for k in range(3)]
    threes = [majority(np.roll(inputs, k, axis=1)[:, :3]) for k in range(4)]
    conjunction = np.minimum(inputs[:, 0], inputs[:, 1])
    targets = np.stack([*fives, *threes, conjunction], axis=1)
    five = np.array([True, True, True, True, True, False, False, True])
    sampler = GateSampler(make_task(layered(9, 8), inputs, targets, five=five), 0)
    sampler.sweep(50, 0.5)
    assert sampler.errors == 0
    assert sampler.counts.tolist() == [0, 0, 1, 4, 3]
    shares = []
    for _ in range(600):
        sampler.sweep(1, 0.05, 1.0)
        shares.append(sampler.shares)
    assert sampler.counts.tolist() == [0, 0, 1, 4, 3]
    of_fives, of_and_or = np.array(shares)[:, 4] / 0.49, np.array(shares)[:, 2] / np.array(shares)[:, 2:4].sum(axis=1)
    assert of_fives.mean() == pytest.approx((1 + 3) / (3 + 3 + 3), abs=0.03)
    assert of_and_or.mean() == pytest.approx((1 + 1) / (2 + 5), abs=0.03)
    assert np.array(shares).sum(axis=1) == pytest.approx(1)


@given(seed=st.integers(0, 10_000))
def test_tables_and_weights_say_the_same_and_keep_the_margin_of_support_five(seed: int) -> None:
    network = layered(6, 5, 3)
    table = random_table(network, seed)
    weights = weights_of(network, table)
    assert np.array_equal(table_of(network, weights, all_five(network)), table)
    assert np.add.reduceat(weights**2, network.start[:-1]) == pytest.approx(network.fan_in)
    inputs = random_signs(np.random.default_rng(seed), 64, 6)
    margins = Problem(network, Dataset(inputs, inputs[:, :3]), 5).margins[-3:]
    assert (np.abs(BoolNet(network, weights).decision(inputs)) >= margins - 1e-9).all()


@given(seed=st.integers(0, 10_000))
def test_nodes_that_are_not_read_do_not_matter(seed: int) -> None:
    network = layered(6, 5, 3)
    table = random_table(network, seed)
    description = Description(network, all_five(network))
    inputs = random_signs(np.random.default_rng(seed), 64, 6)
    before, length = BoolNet(network, weights_of(network, table)).predict(inputs), description.length(table)
    for neuron in np.flatnonzero(~read_nodes(network, table)[network.first_neuron :]):
        table[neuron] = [0, 1, 2, 3, 4, 1, -1, 1, 1, -1]
    assert np.array_equal(BoolNet(network, weights_of(network, table)).predict(inputs), before)
    assert description.length(table) == length


def test_descriptions() -> None:
    """Longer gates are longer; where none may be a majority of five everything is as with three."""
    network = layered(8, 4, 1)
    five = np.array([True, True, True, True, False])
    table = no_gates(network, five)
    table[:, 0], table[:, 5] = 1, 1
    lengths = []
    for inputs in ([1], [0, 1, 2], [1, 2, 3], [1, 2, 3, 4, 5]):
        table[0, : len(inputs)], table[0, 5 : 5 + len(inputs)] = inputs, 1
        lengths.append(Description(network, five).length(table))
    assert lengths == sorted(lengths)
    assert [KINDS[kind] for kind in kinds_of(network, table)] == ["maj5", "copy", "copy", "copy", "copy"]
    narrow = no_gates(network)
    narrow[:, 0], narrow[:, 3] = 1, 1
    assert Description(network).length(narrow) == Description(network, np.zeros(5, bool)).length(narrow)


def test_who_may_be_a_majority_of_five() -> None:
    network = layered(3, 6, 6, 2)
    assert not may_be_five(network, 4.9).any()
    assert may_be_five(network, 5).tolist() == 6 * [False] + 8 * [True]
    assert may_be_five(network, [5, 3, 7]).tolist() == 12 * [False] + 2 * [True]


def test_tables_of_the_wrong_kind_are_refused(rng: np.random.Generator) -> None:
    network = layered(6, 1)
    inputs, targets = random_signs(rng, 9, 6), random_signs(rng, 9, 1)
    narrow, wide = (GateSampler(make_task(network, inputs, targets, five=np.array([w])), 0) for w in (False, True))
    majority = np.array([[0, 1, 2, 3, 5, 1, 1, 1, 1, -1]], np.int32)
    wide.gates = majority
    assert np.array_equal(wide.gates, majority)
    with pytest.raises(ValueError, match="six columns"):
        narrow.gates = majority
    with pytest.raises(ValueError, match="ten columns"):
        wide.gates = narrow.gates
    with pytest.raises(ValueError, match="rising"):
        wide.gates = np.array([[0, 1, 2, 5, 3, 1, 1, 1, 1, 1]], np.int32)
    with pytest.raises(ValueError, match="shares must be those of"):
        wide.shares = narrow.shares
    some = GateSampler(make_task(layered(6, 2), inputs, targets[:, [0, 0]], five=np.array([True, False])), 0)
    with pytest.raises(ValueError, match="may not be a majority of five"):
        some.gates = np.repeat(majority, 2, axis=0)
    with pytest.raises(ValueError, match="from 5 to 32"):
        make_task(network, inputs, targets, most_five=4)


@given(seed=st.integers(0, 10_000), whole=st.booleans())
def test_no_gate_is_nearer(seed: int, whole: bool) -> None:
    rng = np.random.default_rng(seed)
    network = layered(7, 3, 2)
    five = np.array([True, True, False, False, False])
    weights = rng.integers(-3, 4, network.n_edges).astype(float) if whole else rng.normal(size=network.n_edges)
    chosen = weights_of(network, nearest_gates(network, weights, five))
    for neuron in range(network.n_neurons):
        edges = slice(network.start[neuron], network.start[neuron + 1])
        sizes = np.sort(np.abs(weights[edges]))[::-1]
        best = max(sizes[:k].sum() / math.sqrt(k) for k in ((1, 3, 5) if five[neuron] else (1, 3)))
        gate = chosen[edges]
        assert gate @ weights[edges] / np.linalg.norm(gate) == pytest.approx(best, abs=1e-12)


def test_nearest_gates_are_of_three_inputs_where_none_may_have_five(rng: np.random.Generator) -> None:
    network = layered(7, 3, 2)
    weights = rng.normal(size=network.n_edges)
    assert np.array_equal(nearest_gates(network, weights, np.zeros(5, bool)), nearest_gates(network, weights))


@pytest.mark.slow
def test_a_restored_search_goes_on_bit_for_bit_on_any_number_of_threads() -> None:
    circuit = circuit_of_majorities(8, 7, 5, seed=1)
    problem = Problem(circuit.network, circuit.sample(60, seed=2), 5)
    whole, stages = relayed(problem)
    assert whole.finished
    assert Stage.SAMPLE in stages
    assert (kinds_of(circuit.network, whole.best) == MAJ5).any()


def test_a_single_majority_of_five_of_nine_inputs_is_found_and_proved(tmp_path: Path) -> None:
    inputs = random_signs(np.random.default_rng(0), 200, 9)
    outputs = majority(inputs[:, [0, 2, 3, 6, 8]] * np.array([1, -1, 1, 1, -1]))[:, None]
    runs = [train(layered(9, 1), Dataset(inputs, outputs), solver="gates", sigma=s, max_iter=2000) for s in (5, 3)]
    assert runs[0].solved
    assert not runs[1].solved
    assert runs[0].settings["sigma"] == 5
    every = np.array(np.meshgrid(*9 * [[-1, 1]])).reshape(9, -1).T.astype(np.int8)
    truth = Dataset(every, majority(every[:, [0, 2, 3, 6, 8]] * np.array([1, -1, 1, 1, -1]))[:, None])
    assert prove_equal(runs[0].circuit(), truth).equal
    save(runs[0].circuit(), tmp_path / "five.blif")
    assert prove_equal(load(tmp_path / "five.blif"), truth).equal


@pytest.mark.parametrize("solver", ["gates", "hybrid"])
def test_a_circuit_of_majorities_is_learned_exactly(solver: str) -> None:
    circuit = circuit_of_majorities(14, 14, 12, seed=3)
    run = train(circuit.network, circuit.sample(1400, seed=5), solver=solver, sigma=5, items=400, max_iter=30_000)  # type: ignore[arg-type]
    assert run.solved
    assert run.test_accuracy == 1
    assert prove_equal(run.model, circuit).equal
    assert prove_equal(run.circuit(), circuit).equal


def test_same_seed_same_run_for_any_number_of_threads() -> None:
    circuit = circuit_of_majorities(8, 7, 5, seed=4)
    dataset = circuit.sample(80, seed=5)
    runs = [train(circuit.network, dataset, solver="gates", sigma=[5, 3], threads=n, max_iter=600) for n in (1, 2)]
    assert np.array_equal(runs[0].model.weights, runs[1].model.weights)
    assert runs[0].iterations == runs[1].iterations


def test_from_the_command_line(tmp_path: Path) -> None:
    inputs = random_signs(np.random.default_rng(0), 120, 7)
    write_dat(Dataset(inputs, majority(inputs[:, :5])[:, None]), tmp_path / "five.dat")
    words = ["train", str(tmp_path / "five.dat"), "--layers", "7,1", "--solver", "gates"]
    done = CliRunner().invoke(app, [*words, "--sigma", "5", "--out", str(tmp_path / "run")])
    assert done.exit_code == 0, done.output
    model = BoolNet.load(tmp_path / "run" / "model.safetensors")
    table = table_of(model.network, model.weights, may_be_five(model.network, 5))
    assert kinds_of(model.network, table).tolist() == [MAJ5]
