"""Exclusive ors in the gate search: against enumeration, and end to end."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from gate_sampling import Signs, make_task, random_signs, unread_nodes, wrong_bits
from hypothesis import given, settings
from hypothesis import strategies as st
from relay import relayed
from scipy.stats import chi2
from typer.testing import CliRunner

from boolearn._native import GateSampler
from boolearn.circuit import Circuit, Kind, circuit_from_formulas, load, prove_equal
from boolearn.cli import app
from boolearn.data import Dataset, multiplier, write_dat
from boolearn.data.signs import signs_of
from boolearn.errors import NetworkError, ParameterError
from boolearn.model import BoolNet
from boolearn.network import Network, from_edges, layered
from boolearn.problem import Problem
from boolearn.solver import Gates
from boolearn.solver.gates.annealer import Stage
from boolearn.solver.gates.description import Description
from boolearn.solver.gates.table import KINDS, kinds_of
from boolearn.solver.gates.xors import XorNetwork
from boolearn.training import train

XOR = KINDS.index("xor")
SHARES = np.array([0.1, 0.2, 0.15, 0.25, 0.3])


def values_of(network: Network, table: npt.NDArray[np.int32], inputs: Signs) -> Signs:
    """Shape (n_nodes, items): every gate by its definition."""
    values = [-np.ones(len(inputs), np.int8), *inputs.T]
    for neuron, row in enumerate(table.tolist()):
        most = len(row) // 2
        size = sum(position >= 0 for position in row[:most])
        senders = network.sender[network.start[neuron] + np.array(row[:size])]
        read = [values[sender] * sign for sender, sign in zip(senders, row[most : most + size], strict=True)]
        values.append(-read[0] * read[1] if size == 2 else np.sign(np.sum(read, axis=0)))
    return np.array(values, np.int8)


def count_wrong(network: Network, table: npt.NDArray[np.int32], inputs: Signs, targets: Signs) -> npt.NDArray[np.bool_]:
    return np.asarray(targets != values_of(network, table, inputs)[network.first_output :].T)


def random_table(network: Network, seed: int, five: bool = False) -> npt.NDArray[np.int32]:
    """Gates of a hot sampler: all kinds occur."""
    rng = np.random.default_rng(seed)
    inputs, targets = random_signs(rng, 30, network.n_inputs), random_signs(rng, 30, network.n_outputs)
    may = np.asarray(network.fan_in >= 5) if five else None
    sampler = GateSampler(make_task(network, inputs, targets, five=may, xor=True), seed)
    sampler.sweep(3, 100.0)
    return sampler.gates


def parity(inputs: Signs) -> Signs:
    return np.where((inputs > 0).sum(axis=1, keepdims=True) % 2, 1, -1).astype(np.int8)


@given(
    seed=st.integers(0, 10_000),
    widths=st.sampled_from([(2, 1), (4, 5, 3), (9, 3), (15, 8, 2)]),
    items=st.sampled_from([1, 64, 65, 150]),
    weigh=st.integers(0, 2),
    most=st.sampled_from([(72, 72), (8, 72), (72, 9), (8, 9)]),
)
@settings(max_examples=50)
def test_errors_of_every_exclusive_or_equal_a_count(
    seed: int, widths: tuple[int, ...], items: int, weigh: int, most: tuple[int, int]
) -> None:
    rng = np.random.default_rng(seed)
    network = layered(*widths)
    inputs, targets = random_signs(rng, items, network.n_inputs), random_signs(rng, items, network.n_outputs)
    enumerated, paired = most
    sampler = GateSampler(make_task(network, inputs, targets, enumerated, xor=True, most_paired=paired), seed)
    for _ in range(weigh):
        sampler.sweep(2, 3.0, 1.0)
        sampler.weigh_wrong_bits(3)
    weights = sampler.weights.T
    assert sampler.weighted == weights[count_wrong(network, sampler.gates, inputs, targets)].sum()
    neuron = int(rng.integers(network.n_neurons))
    gates, errors = sampler.candidates(neuron)
    assert len(gates) == len({tuple(gate) for gate in gates.tolist()})
    xors = np.flatnonzero((gates[:, 1] >= 0) & (gates[:, 2] < 0))
    m = int(network.fan_in[neuron]) - 1
    assert len(xors) == m * (m - 1) if m < paired else len(xors) < m * (m - 1)
    table = sampler.gates
    assert sampler.gates[neuron].tolist() in gates.tolist()
    for chosen in rng.choice(xors, min(30, len(xors)), replace=False):
        table[neuron] = gates[chosen]
        assert errors[chosen] == weights[count_wrong(network, table, inputs, targets)].sum()


def log_prior(network: Network, table: npt.NDArray[np.int32], price: float, idle: npt.NDArray[np.float64]) -> float:
    total = -float(idle[unread_nodes(network, table)].sum())
    for neuron, kind in enumerate(kinds_of(network, table).tolist()):
        m = int(network.fan_in[neuron]) - 1
        gates = (2, 2 * m, 4 * m * (m - 1), 4 * m * (m - 1) * (m - 2) / 3, math.nan, m * (m - 1))[kind]
        total += np.log(SHARES[min(kind, 4)] / gates) - price * (kind >= 2)
    return total


@pytest.mark.parametrize(
    ("widths", "temperature", "price", "idle", "most_enumerated", "most_paired", "seed"),
    [
        ((4, 1), 2.0, 0.0, 0.0, 72, 72, 1),
        ((6, 1), 1.0, 0.5, 1.0, 72, 72, 2),
        ((3, 1, 1), 2.0, 0.3, 1.5, 72, 72, 3),
        ((7, 1), 2.0, 0.0, 1.0, 72, 4, 4),
        ((7, 1), 1.5, 0.4, 0.0, 5, 72, 5),
        ((7, 1), 1.5, 0.0, 1.0, 5, 4, 6),
    ],
)
def test_visits_follow_the_stated_distribution(
    widths: tuple[int, ...],
    temperature: float,
    price: float,
    idle: float,
    most_enumerated: int,
    most_paired: int,
    seed: int,
) -> None:
    """With all candidates, with a part of the senders for exclusive ors, for the other gates, and for both."""
    rng = np.random.default_rng(seed)
    network = layered(*widths)
    inputs = random_signs(rng, 20, widths[0])
    targets = parity(inputs[:, :2])
    targets[:6] *= -1
    costs = idle * rng.uniform(0.5, 1.5, network.n_nodes)
    task = make_task(network, inputs, targets, most_enumerated, xor=True, most_paired=most_paired)
    sampler = GateSampler(task, seed)
    sampler.price, sampler.shares, sampler.idle = price, SHARES, costs
    everything = GateSampler(make_task(network, inputs, targets, xor=True, most_paired=72), seed)
    tables = [
        np.array(combination, np.int32)
        for combination in product(*(everything.candidates(neuron)[0] for neuron in range(network.n_neurons)))
    ]
    logs = np.array(
        [
            log_prior(network, table, price / temperature, costs)
            - count_wrong(network, table, inputs, targets).sum() / temperature
            for table in tables
        ]
    )
    expected = np.exp(logs - logs.max())
    expected /= expected.sum()
    visits, seen = 30_000, Counter[bytes]()
    for _ in range(visits):
        sampler.sweep(4 if min(most_enumerated, most_paired) < 72 or len(widths) > 2 else 1, temperature)
        seen[sampler.gates.tobytes()] += 1
    observed = np.array([seen[table.tobytes()] for table in tables])
    assert observed.sum() == visits
    common = expected * visits >= 8
    counts = np.append(observed[common], observed[~common].sum())
    means = visits * np.append(expected[common], expected[~common].sum())
    statistic = ((counts - means)[means > 0] ** 2 / means[means > 0]).sum()
    assert statistic < chi2.ppf(1 - 1e-4, int((means > 0).sum()) - 1)
    share = expected[[XOR in kinds_of(network, table) for table in tables]].sum()
    assert 0.05 < share < 0.999


@given(seed=st.integers(0, 10_000), five=st.booleans())
def test_weights_on_the_wider_network_make_the_gates(seed: int, five: bool) -> None:
    rng = np.random.default_rng(seed)
    layers = layered(6, 5, 4, 2)
    edges = [(1, 4), (2, 4), (3, 4), (1, 5), (4, 5), (1, 6), (2, 6), (4, 6), (5, 7), (2, 7), (3, 7)]
    for network in (layers, from_edges(3, 2, edges)):
        table = random_table(network, seed, five)
        wide = XorNetwork(network)
        inputs = random_signs(rng, 40, network.n_inputs)
        model = BoolNet(wide.network, wide.weights_of(table))
        assert np.array_equal(
            signs_of(model.decision(inputs)), values_of(network, table, inputs)[network.first_output :].T
        )
        norms = np.sqrt(np.add.reduceat(model.weights**2, wide.network.start[:-1]))
        assert np.allclose(norms, np.sqrt(wide.network.fan_in))
        may = np.asarray(network.fan_in >= 5) & five
        if may.any() == five:
            assert np.array_equal(wide.nearest_gates(model.weights, may), table)


def test_weights_of_neither_network_are_refused() -> None:
    with pytest.raises(NetworkError, match="one for each edge"):
        XorNetwork(layered(3, 2)).nearest_gates(np.ones(5), np.zeros(2, bool))


def test_tables_with_exclusive_ors_are_checked(rng: np.random.Generator) -> None:
    network = layered(4, 1)
    inputs, targets = random_signs(rng, 9, 4), random_signs(rng, 9, 1)
    without, with_xor = (GateSampler(make_task(network, inputs, targets, xor=x), 0) for x in (False, True))
    gate = np.array([[1, 3, -1, -1, 1, 0]], np.int32)
    with_xor.gates = gate
    assert np.array_equal(with_xor.gates, gate)
    assert with_xor.counts.tolist() == [0, 0, 0, 0, 1]
    with pytest.raises(ValueError, match="one input or three"):
        without.gates = gate
    for wrong in ([[0, 3, -1, 1, 1, 0]], [[1, 3, -1, 1, -1, 0]]):
        with pytest.raises(ValueError, match="must not read the constant"):
            with_xor.gates = np.array(wrong, np.int32)
    with pytest.raises(ValueError, match="shares must be those of"):
        with_xor.shares = without.shares
    with pytest.raises(ValueError, match="most_paired must be at least 2"):
        make_task(network, inputs, targets, most_paired=1)


@pytest.mark.parametrize("with_five", [False, True])
def test_shares_follow_the_kinds(with_five: bool) -> None:
    """Where the circuit is frozen: all mixtures of the kinds that may be are alike beforehand."""
    inputs = random_signs(np.random.default_rng(7), 400, 9)
    parities = [parity(inputs[:, [k, k + 2]]) for k in range(5)]
    both = np.minimum(inputs[:, :1], inputs[:, 1:2])
    of_three = np.sign(inputs[:, :3].sum(axis=1, keepdims=True))
    targets = np.concatenate([*parities, both, of_three, of_three], axis=1)
    five = np.ones(8, bool) if with_five else None
    sampler = GateSampler(make_task(layered(9, 8), inputs, targets, five=five, xor=True), 0)
    sampler.sweep(50, 0.5)
    counts = [0, 0, 1, 2, *([0] if with_five else []), 5]
    assert sampler.errors == 0
    drawn = []
    for _ in range(600):
        sampler.sweep(1, 0.05, 1.0)
        drawn.append(sampler.shares)
    assert sampler.counts.tolist() == counts
    shares = np.array(drawn)
    assert shares.sum(axis=1) == pytest.approx(1)
    assert shares[:, :2] == pytest.approx(np.tile([0.02, 0.49], (600, 1)))
    expected = (np.array(counts[2:]) + 1) / (8 + len(counts) - 2)
    assert shares[:, 2:].mean(axis=0) / 0.49 == pytest.approx(expected, abs=0.03)


def test_a_description_says_the_kinds_as_if_all_mixtures_were_alike() -> None:
    network = layered(6, 6, 6)
    copies = np.tile(np.array([[1, -1, -1, 1, 0, 0]], np.int32), (12, 1))
    copies[:, 0] = [*range(1, 7), *range(1, 7)]
    mixed = copies.copy()
    mixed[6:9, :2], mixed[6:9, 4] = [[1, 2], [2, 3], [3, 4]], 1
    plain, xor = Description(network), Description(network, xor=True)
    everything = np.ones(network.n_nodes, bool)

    def without_idleness(description: Description, reads: float, table: npt.NDArray[np.int32]) -> float:
        return description.length(table) - description._length_of_idleness(everything, reads)

    # Twelve copies of six, written down in one of C(12 + k − 1, k − 1) mixtures of k kinds.
    one_of_twelve = 12 * math.log(2 * 6)
    assert without_idleness(plain, (13 + 5) / 16, copies) == pytest.approx(one_of_twelve + math.log(math.comb(15, 3)))
    assert without_idleness(xor, (13 + 7) / 17, copies) == pytest.approx(one_of_twelve + math.log(math.comb(16, 4)))
    # Nine copies and three exclusive ors of 6 · 5, and which three of the twelve they are.
    gates = 9 * math.log(2 * 6) + 3 * math.log(6 * 5)
    kinds = math.log(math.comb(16, 4)) + math.log(math.comb(12, 3))
    assert without_idleness(xor, (10 + 5 + 8) / 17, mixed) == pytest.approx(gates + kinds)


def test_a_restored_search_goes_on_bit_for_bit_on_any_number_of_threads() -> None:
    inputs = random_signs(np.random.default_rng(2), 60, 6)
    targets = np.concatenate([parity(inputs[:, :3]), np.maximum(inputs[:, :1], inputs[:, 4:5])], axis=1)
    whole, stages = relayed(Problem(layered(6, 6, 2), Dataset(inputs, targets), 3), xor=True)
    assert whole.finished
    assert Stage.SAMPLE in stages
    assert (kinds_of(layered(6, 6, 2), whole.best) == XOR).any()


def test_a_parity_is_found_proved_saved_and_resumed(tmp_path: Path) -> None:
    inputs = random_signs(np.random.default_rng(0), 300, 20)
    chosen = [1, 4, 7, 11, 13, 18]
    data = Dataset(inputs, parity(inputs[:, chosen]))
    write_dat(data, tmp_path / "parity.dat")
    words = ["train", str(tmp_path / "parity.dat"), "--layers", "20,8,6,1", "--solver", "gates", "--xor"]
    folder = tmp_path / "run"
    done = CliRunner().invoke(app, [*words, "--max-iter", "20", "--out", str(folder)])
    assert done.exit_code == 1, done.output
    done = CliRunner().invoke(app, ["train", "--resume", str(folder), "--max-iter", "20000"])
    assert done.exit_code == 0, done.output
    straight = train(layered(20, 8, 6, 1), data, solver="gates", xor=True, max_iter=20_000)
    assert np.array_equal(BoolNet.load(folder / "model.safetensors").weights, straight.model.weights)
    done = CliRunner().invoke(app, ["circuit", str(folder), "-o", str(tmp_path / "parity.json")])
    assert done.exit_code == 0, done.output
    wanted = circuit_from_formulas({"y": " ^ ".join(f"x{k}" for k in chosen)}, [f"x{k}" for k in range(20)])
    for circuit in (straight.circuit(), load(tmp_path / "parity.json")):
        assert circuit.counts == {Kind.XOR: 5}
        assert prove_equal(_named(circuit, wanted), wanted, method="sat")


def _named(circuit: Circuit, like: Circuit) -> Circuit:
    outputs = zip((name for name, _ in like.outputs), (literal for _, literal in circuit.outputs), strict=True)
    return Circuit(like.inputs, circuit.gates, tuple(outputs))


def test_without_exclusive_ors_nothing_changes() -> None:
    table = multiplier(2)
    runs = [train([4, 8, 8, 4], table, solver="gates", seed=3, **more) for more in ({}, {"xor": False})]  # type: ignore[arg-type]
    assert np.array_equal(runs[0].model.weights, runs[1].model.weights)
    assert runs[0].model.network == layered(4, 8, 8, 4)
    assert "xor" not in runs[0].settings


def test_the_multiplier_s_circuit_is_proved() -> None:
    run = train([4, 8, 8, 4], multiplier(2), solver="gates", xor=True, seed=0, threads=1)
    assert run.solved
    assert run.proved
    assert run.circuit().prove_equal(run.model)
    assert run.circuit().prove_equal(multiplier(2).outputs)


def test_xor_is_a_truth_value_and_for_the_gate_search_alone() -> None:
    with pytest.raises(ParameterError, match="'xor' parameter must be True or False. Got 1"):
        Gates(xor=1)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="where solvers take turns"):
        train([4, 8, 8, 4], multiplier(2), solver="hybrid", xor=True)


def test_wrong_bits_of_plain_gates_are_counted_alike(rng: np.random.Generator) -> None:
    """The count above and that of the model agree where both apply."""
    network = layered(5, 4, 3)
    sampler = GateSampler(make_task(network, random_signs(rng, 30, 5), random_signs(rng, 30, 3)), 1)
    sampler.sweep(3, 50.0)
    inputs, targets = random_signs(rng, 50, 5), random_signs(rng, 50, 3)
    assert np.array_equal(
        count_wrong(network, sampler.gates, inputs, targets), wrong_bits(network, sampler.gates, inputs, targets)
    )
