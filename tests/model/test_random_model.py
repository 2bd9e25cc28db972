"""Random circuits: what every one must be, and how often each is drawn."""

from __future__ import annotations

import collections
import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import chisquare

from boolearn.errors import ParameterError
from boolearn.model import BoolNet, random_model
from boolearn.model.random_model import draw_reads


def layers_of(circuit: BoolNet, widths: tuple[int, ...]) -> list[np.ndarray[tuple[int, int], np.dtype[np.float64]]]:
    """Per layer an array (width, 1 + below) of weights, the constant's first."""
    parts = []
    first = 0
    for below, width in itertools.pairwise(widths):
        parts.append(circuit.weights[first : first + width * (below + 1)].reshape(width, below + 1))
        first += width * (below + 1)
    return parts


@given(
    widths=st.lists(st.integers(3, 9), min_size=2, max_size=5),
    gates=st.sampled_from(["andor", "maj"]),
    probability=st.sampled_from([0.0, 0.2, 0.5, 1.0]),
    seed=st.integers(0),
)
def test_every_node_is_a_copy_or_a_gate_and_none_below_is_a_dead_end(
    widths: list[int], gates: str, probability: float, seed: int
) -> None:
    most = {"andor": 2, "maj": 3}[gates] if probability else 1
    if any(width * most < below for below, width in itertools.pairwise(widths)):
        with pytest.raises(ParameterError, match="widths"):
            random_model(*widths, gates=gates, gate_probability=probability, seed=seed)
        return
    circuit = random_model(*widths, gates=gates, gate_probability=probability, seed=seed)
    for weights, below in zip(layers_of(circuit, tuple(widths)), widths, strict=False):
        m = below + 1
        for row in weights:
            used = np.flatnonzero(row)
            if len(used) == 1:
                assert probability < 1
                assert used[0] > 0
                assert math.isclose(abs(row[used[0]]), math.sqrt(m))
            else:
                assert probability > 0
                assert len(used) == 3
                assert (used[0] == 0) == (gates == "andor")
                assert np.allclose(np.abs(row[used]), math.sqrt(m / 3))
        assert (weights[:, 1:] != 0).any(axis=0).all()


def test_a_seed_gives_the_same_circuit() -> None:
    one, same, other = (random_model(8, 8, 8, seed=seed).weights for seed in (5, 5, 6))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize(
    ("n_reads", "below"), [((2, 1, 1), 3), ((1, 1, 2), 3), ((1, 1, 1), 3), ((3, 1, 1), 4), ((2, 2, 1), 3)]
)
def test_reads_are_uniform_under_the_proviso(n_reads: tuple[int, ...], below: int) -> None:
    """The same distribution as drawing freely and rejecting whatever leaves a node unread."""
    choices = itertools.product(*(itertools.combinations(range(below), reads) for reads in n_reads))
    legal = [choice for choice in choices if len(set().union(*choice)) == below]
    rng = np.random.default_rng(11)
    draws = 60 * len(legal)
    found = collections.Counter(
        tuple(tuple(sorted(reads)) for reads in draw_reads(np.array(n_reads), below, rng)) for _ in range(draws)
    )
    assert set(found) <= set(legal)
    assert chisquare([found[choice] for choice in legal]).pvalue > 1e-4


def naive_layer(width: int, below: int, gate_inputs: int, rng: np.random.Generator) -> tuple[tuple[int, ...], ...]:
    """The paper's recipe word for word: kinds by a coin until there are enough, then inputs until all are used."""
    while True:
        arity = np.where(rng.random(width) < 0.5, gate_inputs, 1)
        if arity.sum() >= below:
            break
    while True:
        reads = [tuple(sorted(rng.choice(below, reads, replace=False).tolist())) for reads in arity.tolist()]
        if len(set().union(*reads)) == below:
            return tuple(reads)


@pytest.mark.slow
@pytest.mark.parametrize(("gates", "below", "width"), [("andor", 3, 2), ("andor", 3, 3), ("maj", 4, 2), ("maj", 3, 4)])
def test_circuits_are_drawn_as_often_as_by_rejection(gates: str, below: int, width: int) -> None:
    """Two samples, one by each way, compared by chi-square."""
    from scipy.stats import chi2_contingency

    draws = 1000
    rng = np.random.default_rng(3)
    gate_inputs = {"andor": 2, "maj": 3}[gates]
    theirs = collections.Counter(naive_layer(width, below, gate_inputs, rng) for _ in range(draws))
    ours: collections.Counter[tuple[tuple[int, ...], ...]] = collections.Counter()
    for seed in range(draws):
        weights = layers_of(random_model(below, width, gates=gates, seed=seed), (below, width))[0]
        ours[tuple(tuple(np.flatnonzero(row[1:]).tolist()) for row in weights)] += 1
    frequent = [key for key in theirs | ours if theirs[key] + ours[key] >= 10]
    table = [[count[key] for key in frequent] for count in (theirs, ours)]
    assert chi2_contingency(table).pvalue > 1e-4


def test_gates_and_signs_come_with_their_probabilities() -> None:
    weights = np.concatenate([random_model(12, 12, gate_probability=0.3, seed=seed).weights for seed in range(200)])
    rows = weights.reshape(-1, 13)
    gates = rows[:, 0] != 0
    # Layers that draw too few gates are drawn anew, which here never happens: 12 nodes always read 12.
    assert abs(gates.mean() - 0.3) < 4 * math.sqrt(0.3 * 0.7 / len(rows))
    for signs in (rows[gates, 0], rows[:, 1:][rows[:, 1:] != 0]):
        assert abs((signs > 0).mean() - 0.5) < 4 * 0.5 / math.sqrt(len(signs))


def test_wide_layers_over_narrow_ones_and_the_other_way() -> None:
    assert random_model(3, 40, 20, 40, seed=0).network.n_outputs == 40
    # All 32 nodes must be gates: one draw in 2^32 that waiting would not see.
    tight = layers_of(random_model(64, 32, seed=0), (64, 32))[0]
    assert ((tight[:, 1:] != 0).sum(axis=0) == 1).all()
    assert random_model(300, 300, 300, gates="maj", seed=1).network.n_neurons == 600


@pytest.mark.parametrize(
    ("widths", "options"),
    [
        ((8, 3), {}),
        ((10, 3), {"gates": "maj"}),
        ((4, 3), {"gate_probability": 0.0}),
        ((1, 4), {}),
        ((2, 4), {"gates": "maj"}),
        ((4, 4), {"gates": "xor"}),
        ((4, 4), {"gate_probability": 1.5}),
        ((4, 4), {"gate_probability": math.nan}),
        ((4,), {}),
        ((4, 4), {"seed": -1}),
    ],
)
def test_impossible_circuits_are_refused(widths: tuple[int, ...], options: dict[str, object]) -> None:
    with pytest.raises(ParameterError):
        random_model(*widths, **{"seed": 0, **options})  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize(("gates", "paper"), [("andor", 10.6), ("maj", 14.2)])
def test_outputs_carry_as_much_information_as_the_papers(gates: str, paper: float) -> None:
    """Draws vary by about one bit; the mean of six is near the paper's single draw."""
    entropies = []
    for seed in range(6):
        outputs = random_model(32, 32, 32, 32, 32, 32, gates=gates, seed=seed).sample(100_000, seed).outputs
        _, counts = np.unique(np.packbits(outputs > 0, axis=1).view(np.uint32), return_counts=True)
        p = counts / counts.sum()
        entropies.append(-(p * np.log2(p)).sum())
    assert abs(np.mean(entropies) - paper) < 1.2
