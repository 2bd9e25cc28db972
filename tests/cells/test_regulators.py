"""Sets of regulators and functions: compared with trying everything."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from boolearn.cells import CellNetwork
from boolearn.cells import regulators as module
from boolearn.cells.best_fit import shortest_description
from boolearn.cells.delays import transfer_entropy
from boolearn.cells.regulators import explains, smallest_explanations
from boolearn.cells.rule import Seen, simplest_function


def obvious(states: np.ndarray, values: np.ndarray) -> list[tuple[int, ...]]:
    """All smallest sets of columns of which the values are a function, by trying all."""
    for size in range(states.shape[1] + 1):
        found = []
        for chosen in itertools.combinations(range(states.shape[1]), size):
            rows: dict[tuple[bool, ...], bool] = {}
            if all(rows.setdefault(tuple(s), v) == v for s, v in zip(states[:, chosen].tolist(), values, strict=True)):
                found.append(chosen)
        if found:
            return found
    return []


@pytest.mark.parametrize("rows", [6, 12, 30, 80])
@pytest.mark.parametrize("seed", range(6))
def test_all_smallest_sets_are_found(rows: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    states = rng.random((rows, 9)) < 0.5
    values = (states[:, 1] & ~states[:, 4]) | (states[:, 2] ^ states[:, 7])
    found = smallest_explanations(states, values, 9)
    assert found is not None
    assert found.complete
    assert sorted(map(tuple, found.sets.tolist())) == obvious(states, values)


def test_where_not_all_sets_can_be_tried_the_best_are_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_EXHAUSTIVE", 1000)
    rng = np.random.default_rng(0)
    states = rng.random((400, 40)) < 0.5
    values = (states[:, 3] | states[:, 5]) & (~states[:, 8] | states[:, 13] & states[:, 21])
    found = smallest_explanations(states, values, 6)
    assert found is not None
    assert found.sets.tolist() == [[3, 5, 8, 13, 21]]
    assert not found.complete


def test_contradictions_have_no_explanation() -> None:
    states = np.array([[0, 1], [0, 1], [1, 1]], bool)
    values = np.array([0, 1, 1], bool)
    assert not explains(states, values)
    assert smallest_explanations(states, values, 2) is None
    assert explains(states, values | True)


@pytest.mark.parametrize("k", range(1, 5))
def test_the_function_is_right_where_it_was_seen_and_unate_where_it_can_be(k: int) -> None:
    rng = np.random.default_rng(k)
    for _ in range(40):
        states = rng.random((rng.integers(1, 12), k)) < 0.5
        truth = rng.random((2,) * k) < 0.5
        values = truth[tuple(states.T.astype(int))]
        function = simplest_function(Seen.count(states, values))
        np.testing.assert_array_equal(function.table[tuple(states.T.astype(int))], values)
        seen = {tuple(s): v for s, v in zip(states.tolist(), values.tolist(), strict=True)}
        possible = any(
            not any(v and not w and all(sign * (b - a) >= 0 for a, b, sign in zip(s, t, signs, strict=True))
                    for (s, v), (t, w) in itertools.product(seen.items(), repeat=2))
            for signs in itertools.product((1, -1), repeat=k)
        )  # fmt: skip
        low_high = [np.moveaxis(function.table, axis, 0) for axis in range(k)]
        assert possible == all(not ((~a & b).any() and (a & ~b).any()) for a, b in low_high)


def test_formulas_say_what_tables_say() -> None:
    rng = np.random.default_rng(5)
    names = list("abcde")
    states = ((np.arange(32)[:, None] >> np.arange(5)) & 1).astype(bool)
    for _ in range(20):
        values = rng.random(32) < rng.random()
        function = simplest_function(Seen.count(states, values))
        network = CellNetwork({"next": function.formula(names), **{name: name for name in names}})
        order = [names.index(name) if name in names else 0 for name in network.names]
        np.testing.assert_array_equal(network.step(states[:, order])[:, network.names.index("next")], values)
    assert simplest_function(Seen.count(states, states[:, 0] & (states[:, 1] | ~states[:, 4]))).formula(names) in (
        "a & (b | !e)",
        "a & (!e | b)",
    )


def test_errors_do_not_hide_regulators_and_chance_makes_none() -> None:
    rng = np.random.default_rng(2)
    states = rng.random((400, 30)) < 0.5
    clean = (states[:, 3] & ~states[:, 5]) | states[:, 7]
    noisy = clean ^ (rng.random(400) < 0.08)
    assert shortest_description(states, noisy, 6).tolist() == [3, 5, 7]
    weights = np.full(400, np.log2(0.92 / 0.08))
    assert shortest_description(states, noisy, 6, weights).tolist() == [3, 5, 7]
    assert shortest_description(states, rng.random(400) < 0.5, 6).tolist() == []


def test_transfer_entropy_is_its_definition() -> None:
    rng = np.random.default_rng(1)
    before, after = rng.random((2, 200, 3)) < 0.5
    found = transfer_entropy(before, after)
    for j, i in itertools.product(range(3), repeat=2):
        joint = np.zeros((2, 2, 2))
        np.add.at(joint, (before[:, j].astype(int), after[:, i].astype(int), before[:, i].astype(int)), 1 / 200)
        total = 0.0
        for a, b, c in itertools.product(range(2), repeat=3):
            if joint[a, b, c] > 0:
                share = joint[a, b, c] * joint[:, :, c].sum() / (joint[a, :, c].sum() * joint[:, b, c].sum())
                total += joint[a, b, c] * np.log2(share)
        assert found[j, i] == pytest.approx(total, abs=1e-12)
