"""Tasks for the compiled sampler, its errors counted the plain way, and its visits against all circuits there are."""

from __future__ import annotations

import math
from collections import Counter
from itertools import product

import numpy as np
import numpy.typing as npt
from scipy.stats import chi2

from boolearn._native import GateSampler, GateTask
from boolearn.data.signs import signs_of
from boolearn.model import BoolNet
from boolearn.network import Network
from boolearn.solver.gates.table import kinds_of, weights_of

Signs = npt.NDArray[np.int8]


def make_task(
    network: Network,
    inputs: Signs,
    targets: Signs,
    most_enumerated: int = 72,
    five: npt.NDArray[np.bool_] | None = None,
    most_five: int = 10,
    xor: bool = False,
    most_paired: int = 48,
) -> GateTask:
    return GateTask(
        network.n_inputs,
        network.n_outputs,
        network.start,
        network.sender,
        np.ascontiguousarray(inputs > 0),
        np.ascontiguousarray(targets > 0),
        most_enumerated,
        five,
        most_five,
        xor=xor,
        most_paired=most_paired,
    )


def random_signs(rng: np.random.Generator, *shape: int) -> Signs:
    return signs_of(rng.integers(0, 2, shape))


def wrong_bits(network: Network, table: npt.NDArray[np.int32], inputs: Signs, targets: Signs) -> npt.NDArray[np.bool_]:
    """By the model's own forward pass in floating point."""
    model = BoolNet(network, weights_of(network, table))
    return np.asarray(signs_of(model.decision(inputs)) != targets)


def unread_nodes(network: Network, table: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """Shape (n_nodes,): inputs and neurons before the outputs that no gate reads."""
    unread = np.zeros(network.n_nodes, bool)
    unread[1 : network.first_output] = True
    for neuron, row in enumerate(table.tolist()):
        unread[[network.sender[network.start[neuron] + at] for at in row[: len(row) // 2] if at >= 0]] = False
    return unread


def weight_of(
    network: Network,
    table: npt.NDArray[np.int32],
    shares: npt.NDArray[np.float64],
    price: float,
    idle: npt.NDArray[np.float64],
    five: npt.NDArray[np.bool_] | None = None,
) -> float:
    """The logarithm of the prior, written down once more."""
    total = -float(idle[unread_nodes(network, table)].sum())
    for neuron, kind in enumerate(kinds_of(network, table).tolist()):
        m = int(network.fan_in[neuron]) - 1
        gates = (2, 2 * m, 4 * m * (m - 1), 4 * m * (m - 1) * (m - 2) / 3, 32 * math.comb(m + 1, 5))[kind]
        share = shares[kind]
        if five is not None and not five[neuron] and kind in (2, 3):
            share *= shares[2:].sum() / shares[2:4].sum()
        total += np.log(share / gates) - price * (kind >= 2)
    return total


def assert_visits_follow(
    network: Network,
    inputs: Signs,
    targets: Signs,
    temperature: float,
    price: float,
    idle: npt.NDArray[np.float64],
    most_enumerated: int,
    seed: int,
    five: npt.NDArray[np.bool_] | None = None,
    most_five: int = 10,
) -> None:
    sampler = GateSampler(make_task(network, inputs, targets, most_enumerated, five, most_five), seed)
    everything = GateSampler(make_task(network, inputs, targets, five=five), seed)
    choices = [everything.candidates(neuron)[0] for neuron in range(network.n_neurons)]
    sampler.price = price
    shares = np.array([0.1, 0.3, 0.2, 0.4]) if five is None else np.array([0.1, 0.2, 0.15, 0.2, 0.35])
    sampler.shares = shares
    sampler.idle = idle
    log_weights, circuits = [], []
    for combination in product(*choices):
        table = np.array(combination, np.int32)
        errors = wrong_bits(network, table, inputs, targets).sum()
        log_weights.append(weight_of(network, table, shares, price / temperature, idle, five) - errors / temperature)
        circuits.append(table.tobytes())
    expected = np.exp(np.array(log_weights) - max(log_weights))
    expected /= expected.sum()

    visits = 40_000
    seen: Counter[bytes] = Counter()
    for _ in range(visits):
        # A few sweeps between looks, for counts that are nearly independent.
        sampler.sweep(4 if network.n_neurons > 1 or most_enumerated < 72 or most_five < 10 else 1, temperature)
        seen[sampler.gates.tobytes()] += 1
    observed = np.array([seen[circuit] for circuit in circuits])
    assert observed.sum() == visits
    order = np.argsort(-expected)
    common = order[expected[order] * visits >= 8]
    rare = np.setdiff1d(order, common)
    counts = np.append(observed[common], observed[rare].sum())
    means = visits * np.append(expected[common], expected[rare].sum())
    keep = means > 0
    statistic = ((counts - means)[keep] ** 2 / means[keep]).sum()
    assert statistic < chi2.ppf(1 - 1e-4, int(keep.sum()) - 1)
