"""Bits that describe functions, bits that samples give."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import boolearn as bl
from boolearn.data import multiplier
from boolearn.data.signs import Signs
from boolearn.errors import DataError, NetworkError, ParameterError
from boolearn.information import description_bits, output_entropy
from boolearn.information.functions import gates_of, same_circuits
from commands import boolearn


def functions(inputs: int, sigma: float) -> set[bytes]:
    """All threshold functions with integer weights of an odd sum, so a margin of 1, and a norm² of at most σ."""
    cases = np.array(list(itertools.product((-1, 1), repeat=inputs)))
    largest = math.isqrt(int(sigma))
    weights = np.array(list(itertools.product(range(-largest, largest + 1), repeat=inputs)))
    weights = weights[(weights.sum(axis=1) % 2 == 1) & ((weights**2).sum(axis=1) <= sigma)]
    return {row.tobytes() for row in weights @ cases.T > 0}


@pytest.mark.parametrize("sigma", [1, 2, 3, 4, 5, 6, 7, 8])
@pytest.mark.parametrize("inputs", [1, 2, 3, 4, 5, 6])
def test_gates_are_counted_as_they_are(inputs: int, sigma: int) -> None:
    assert gates_of(inputs, sigma) == len(functions(inputs, sigma))


def test_real_weights_keep_the_margin_with_no_other_gate() -> None:
    """Whatever the weights, a norm² below 9 times margin² leaves only the gates that integers give."""
    rng = np.random.default_rng(0)
    for inputs in (3, 4, 5, 6):
        known = functions(inputs, 8)
        cases = np.array(list(itertools.product((-1, 1), repeat=inputs)))
        near = rng.choice([0, 1, 1, 2], (20_000, inputs)) + rng.normal(0, 0.15, (20_000, inputs))
        sums = near @ cases.T
        keeps = (near**2).sum(axis=1) < 9 * (sums**2).min(axis=1)
        assert keeps.sum() > 50
        assert {row.tobytes() for row in sums[keeps] > 0} <= known


def test_the_papers_number_of_bits() -> None:
    """It subtracts rounded numbers, 2466.5 − 598.7 = 1867.8; more precisely it is 1867.88."""
    network = bl.layered(32, 32, 32, 32, 32, 32)
    assert 160 * math.log2(gates_of(33, 3)) == pytest.approx(2466.5, abs=0.05)
    assert same_circuits(network) == pytest.approx(598.7, abs=0.05)
    assert description_bits(network) == pytest.approx(1867.876, abs=0.001)


def test_hidden_neurons_that_read_and_feed_the_same_are_exchanged() -> None:
    wide = bl.layered(4, 3, 2)
    assert same_circuits(wide) == pytest.approx(math.log2(math.factorial(3) * 2**3))
    # Every hidden neuron reads an input of its own: nothing can be exchanged.
    apart = bl.from_edges(2, 1, [(1, 3), (2, 4), (3, 5), (4, 5)])
    assert same_circuits(apart) == pytest.approx(2)


def test_functions_of_shared_weights_and_wide_margins_are_refused() -> None:
    with pytest.raises(NetworkError, match="without shared weights"):
        description_bits(bl.convolution_1d(8, [1, 2], 3))
    with pytest.raises(ParameterError, match="'sigma' parameter must be from 1 to below 9"):
        description_bits(bl.layered(4, 4), 9)


def samples(probabilities: list[float], number: int, seed: int) -> Signs:
    symbols = np.random.default_rng(seed).choice(len(probabilities), number, p=probabilities)
    return np.where(symbols[:, None] >> np.arange(10) & 1, np.int8(1), np.int8(-1))


@pytest.mark.parametrize(("number", "error"), [(64, 1.0), (256, 0.35), (1024, 0.05)])
def test_estimates_of_a_known_entropy(number: int, error: float) -> None:
    """600 outputs with probabilities of very different size. What each estimate promises, on average over samples."""
    weights = 1 / np.arange(1, 601)
    p = weights / weights.sum()
    truth = -(p * np.log2(p)).sum()
    found = [output_entropy(samples(p.tolist(), number, seed)) for seed in range(20)]

    def mean(name: str) -> float:
        return float(np.mean([getattr(one, name) for one in found]))

    assert mean("plug_in") < mean("miller_madow") < truth
    assert abs(mean("chao_shen") - truth) < abs(mean("plug_in") - truth)
    assert abs(mean("chao_shen") - truth) < error
    assert mean("lower") < truth < mean("tree")
    assert mean("collision") == pytest.approx(-np.log2((p**2).sum()), abs=0.3)
    unseen = 1 - np.mean([p[np.unique(np.random.default_rng(s).choice(600, number, p=p))].sum() for s in range(20)])
    assert 1 - mean("coverage") == pytest.approx(unseen, abs=0.05)


def test_bits_that_copy_each_other_count_once_in_the_tree() -> None:
    rng = np.random.default_rng(0)
    three = rng.choice(np.array([-1, 1], np.int8), (5000, 3))
    outputs = np.concatenate([three, -three, three[:, :1], np.ones((5000, 2), np.int8)], axis=1)
    found = output_entropy(outputs)
    assert found.tree == pytest.approx(3, abs=0.01)
    assert found.best == pytest.approx(3, abs=0.01)


def test_all_different_samples_leave_a_wide_range_that_holds_the_truth() -> None:
    """100 samples of 20 fair bits are all different: 6.6 bits by counting, and yet at least 12 are shown."""
    found = output_entropy(np.random.default_rng(1).choice(np.array([-1, 1], np.int8), (100, 20)))
    assert found.plug_in == pytest.approx(math.log2(100))
    assert 11 < found.lower < 20 < found.tree


def test_constant_outputs_tell_nothing() -> None:
    found = output_entropy(np.ones((50, 4), np.int8))
    assert (found.plug_in, found.best, found.distinct) == (0, 0, 1)
    inputs = np.random.default_rng(0).choice([-1, 1], (50, 4))
    assert bl.estimate([4, 4], (inputs, np.ones((50, 4)))).items == math.inf


def test_the_estimate_of_a_table_and_what_is_refused() -> None:
    found = bl.estimate([4, 4, 4, 4], multiplier(2))
    assert found.items == found.description / found.entropy.best
    assert found.range[0] <= found.items <= found.range[1]
    with pytest.raises(DataError, match="must have 3 inputs, as the network has"):
        bl.estimate([3, 4], multiplier(2))
    with pytest.raises(DataError, match="inputs must be Boolean"):
        bl.estimate([64, 10], bl.data.digits())
    with pytest.raises(DataError, match="every output bit must be specified"):
        bl.estimate([2, 1], ([[1, 1], [1, -1]], [[1], [math.nan]]))


def test_the_command_prints_h_s_and_the_items(tmp_path: object) -> None:
    path = f"{tmp_path}/table.dat"
    bl.data.write(multiplier(2), path)
    said = boolearn("estimate", "4,4,4,4", path).stdout
    found = bl.estimate([4, 4, 4, 4], multiplier(2))
    assert f"h: {found.description:.1f} bits" in said
    assert f"items needed: about {found.items:.0f}, from " in said
    assert "Chao–Shen" in said
    assert "must have 5 inputs" in boolearn("estimate", "5,4", path, status=2).stderr


@pytest.mark.parametrize("bits", [3, 8, 33, 64, 65, 100])
def test_outputs_of_any_width_are_counted(bits: int) -> None:
    rng = np.random.default_rng(bits)
    patterns = np.unique(rng.choice(np.array([-1, 1], np.int8), (6, bits)), axis=0)
    found = output_entropy(patterns[rng.integers(0, len(patterns), 4000)])
    assert found.distinct == len(patterns)
    assert found.plug_in == pytest.approx(math.log2(len(patterns)), abs=0.01)
