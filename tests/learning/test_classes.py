"""Every class finds its members exactly, fits every example or says None, and counts its choices honestly."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import ModuleType

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boolearn.circuit import Circuit, circuit_from_formulas, prove_equal
from boolearn.circuit.building import CircuitBuilder
from boolearn.circuit.circuit import Literal
from boolearn.learning.classes import (
    CLASSES,
    Fitted,
    affine,
    constants,
    decision_lists,
    fits,
    juntas,
    normal_forms,
    symmetric,
    terms,
    threshold,
)
from boolearn.learning.classes.fitted import Bits, integer_bits, subset_bits
from boolearn.learning.classes.table import table_literal
from random_circuits import all_inputs

EVERY = pytest.mark.parametrize("one", CLASSES, ids=lambda one: one.NAME)
SEEDS = pytest.mark.parametrize("seed", range(5))


def answers(circuit: Circuit, inputs: Bits) -> Bits:
    return circuit.predict(inputs)[:, 0] > 0


def drawn(items: int, n: int, seed: int) -> tuple[Bits, np.random.Generator]:
    rng = np.random.default_rng(seed)
    return rng.random((items, n)) < 0.5, rng


def fitted_to(one: ModuleType, inputs: Bits, output: Bits) -> Fitted:
    fitted = one.fit(inputs, output)
    assert isinstance(fitted, Fitted)
    assert np.array_equal(answers(fitted.circuit, inputs), output)
    return fitted


def agrees_everywhere(fitted: Fitted, function: Callable[[Bits], Bits], n: int) -> bool:
    table = all_inputs(n) > 0
    return np.array_equal(answers(fitted.circuit, table), function(table))


@EVERY
@given(data=st.data())
@settings(max_examples=40)
def test_what_is_fitted_agrees_with_every_example(one: ModuleType, data: st.DataObject) -> None:
    """Whatever the data: few rows, repeated ones, contradictions, constant columns."""
    n, items = data.draw(st.integers(1, 6)), data.draw(st.integers(1, 24))
    inputs, rng = drawn(items, n, data.draw(st.integers(0, 10**6)))
    kind = data.draw(st.sampled_from(["random", "or", "count", "contradicting"]))
    output = {
        "random": rng.random(items) < 0.5,
        "or": inputs[:, : max(1, n // 2)].any(axis=1),
        "count": inputs.sum(axis=1) % 3 == 1,
        "contradicting": rng.random(items) < 0.2,
    }[kind]
    if kind == "contradicting":
        inputs, output = np.concatenate((inputs, inputs)), np.concatenate((output, ~output))
    fitted = one.fit(inputs, output)
    if kind == "contradicting":
        assert fitted is None
    if fitted is not None:
        assert np.array_equal(answers(fitted.circuit, inputs), output)
        assert fitted.bits > 0
        assert fitted.circuit.inputs == tuple(f"x{k}" for k in range(n))
        assert fitted.within(10**6) is fitted.circuit


@EVERY
def test_random_labels_are_not_fitted(one: ModuleType) -> None:
    inputs, rng = drawn(2000, 40, 0)
    assert one.fit(inputs, rng.random(2000) < 0.5) is None


@pytest.mark.parametrize(("formula", "words"), [("x3", "x3"), ("~x0", "not x0"), ("x0 | ~x0", "always 1")])
def test_constants_and_literals(formula: str, words: str) -> None:
    inputs, _ = drawn(30, 5, 1)
    output = {"x3": inputs[:, 3], "~x0": ~inputs[:, 0]}.get(formula, np.ones(30, bool))
    fitted = fitted_to(constants, inputs, output)
    assert fitted.sentence == words
    assert fitted.circuit.ands() == 0


@SEEDS
@pytest.mark.parametrize("clause", [False, True])
def test_terms_and_clauses(seed: int, clause: bool) -> None:
    inputs, rng = drawn(600, 50, seed)
    chosen, flips = rng.choice(50, 4, replace=False), rng.random(4) < 0.5
    output = (inputs[:, chosen] ^ flips).all(axis=1) ^ clause
    fitted = fitted_to(terms, inputs, output)
    literals = [f"{'~' * bool(flip)}x{index}" for index, flip in zip(chosen.tolist(), flips, strict=True)]
    truth = circuit_from_formulas({"y": f"{'~' * clause}({' & '.join(literals)})"})
    assert prove_equal(restricted(fitted.circuit, chosen.tolist()), truth)


def restricted(circuit: Circuit, used: list[int]) -> Circuit:
    """The same gates over the inputs that they read, which must be among ``used``."""
    read = {signal for signal in circuit.live if signal < len(circuit.inputs)}
    assert read <= set(used)
    place = {signal: number for number, signal in enumerate(sorted(used))}
    n, kept = len(circuit.inputs), len(used)

    def placed(signal: int) -> int:
        return place[signal] if signal < n else signal - n + kept

    gates = [type(g)(tuple(placed(s) for s in g.inputs), g.weights, g.bias) for g in circuit.gates]
    name, literal = circuit.outputs[0]
    outputs = ((name, Literal(placed(literal.signal), literal.sign)),)
    return Circuit(tuple(circuit.inputs[k] for k in sorted(used)), tuple(gates), outputs)


@SEEDS
@pytest.mark.parametrize("n", [12, 200, 1000])
def test_parities(seed: int, n: int) -> None:
    inputs, rng = drawn(n + 40, n, seed)
    chosen = np.flatnonzero(rng.random(n) < 0.3)
    fitted = fitted_to(affine, inputs, inputs[:, chosen].sum(axis=1) % 2 == 0)
    others, _ = drawn(500, n, seed + 100)
    assert np.array_equal(answers(fitted.circuit, others), others[:, chosen].sum(axis=1) % 2 == 0)
    assert fitted.circuit.ands() == 3 * max(len(chosen) - 1, 0)
    wrong = inputs[:, chosen].sum(axis=1) % 2 == 0
    wrong[-1] ^= True
    assert affine.fit(inputs, wrong) is None


def test_undetermined_parities_still_agree() -> None:
    inputs, rng = drawn(20, 50, 3)
    fitted_to(affine, inputs, rng.random(20) < 0.5)


@SEEDS
def test_symmetric_functions_of_all_inputs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = all_inputs(10) > 0
    signature = rng.random(11) < 0.5
    fitted = fitted_to(symmetric, table, signature[table.sum(axis=1)])
    assert fitted.circuit.ands() < 100


SIGNATURES: dict[str, Callable[[npt.NDArray[np.int64]], Bits]] = {
    "majority": lambda count: count > 4,
    "middle": lambda count: (count > 2) & (count < 7),
    "exactly": lambda count: count == 3,
    "edges": lambda count: (count < 3) | (count > 5),
}


@SEEDS
@pytest.mark.parametrize("name", SIGNATURES)
def test_symmetric_functions_of_some_inputs_with_some_negated(seed: int, name: str) -> None:
    n = 15
    inputs, rng = drawn(4000, n, seed)
    chosen, flips = rng.choice(n, 9, replace=False), rng.random(9) < 0.5

    def truth(rows: Bits) -> Bits:
        return SIGNATURES[name]((rows[:, chosen] ^ flips).sum(axis=1))

    fitted = fitted_to(symmetric, inputs, truth(inputs))
    assert agrees_everywhere(fitted, truth, n)


def test_numbers_of_ones_that_no_example_has_continue_the_others() -> None:
    table = all_inputs(8) > 0
    count = table.sum(axis=1)
    for output in (count % 4 == 1, count > 4, count % 2 == 0):
        seen = (count > 0) & (count < 8) if output[count == 1].any() else (count > 1) & (count < 8)
        fitted = fitted_to(symmetric, table[seen], output[seen])
        assert np.array_equal(answers(fitted.circuit, table), output)


def test_a_single_one_among_the_answers_is_not_taken_for_a_period() -> None:
    table = all_inputs(6) > 0
    count = table.sum(axis=1)
    fitted = fitted_to(symmetric, table[count < 6], count[count < 6] == 2)
    assert np.array_equal(answers(fitted.circuit, table), count == 2)


@SEEDS
def test_symmetric_functions_of_tests_that_exclude_each_other(seed: int) -> None:
    """Exactly two columns of a table of words have their first word; few rows, and correlations are misleading."""
    rng = np.random.default_rng(seed)
    words = rng.integers(0, (3, 3, 2, 3, 4, 2), (800, 6))
    inputs = np.concatenate([words[:, place, None] == np.arange(words[:, place].max() + 1) for place in range(6)], 1)
    output = (words == 0).sum(axis=1) == 2
    fitted = fitted_to(symmetric, inputs[:130], output[:130])
    assert np.array_equal(answers(fitted.circuit, inputs), output)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("negated", [False, True])
@pytest.mark.parametrize(
    ("n_inputs", "n_terms", "n_rows"), [(24, 5, 500), pytest.param(40, 8, 800, marks=pytest.mark.slow)]
)
def test_normal_forms(n_inputs: int, n_terms: int, n_rows: int, seed: int, negated: bool) -> None:
    rng = np.random.default_rng(seed)
    inputs = rng.random((2000, n_inputs)) < 0.5
    terms = [rng.choice(n_inputs, 3, replace=False) for _ in range(n_terms)]
    signs = rng.random((n_terms, 3)) < 0.5
    output = np.any([(inputs[:, term] == sign).all(axis=1) for term, sign in zip(terms, signs, strict=True)], axis=0)
    fitted = fitted_to(normal_forms, inputs[:n_rows], output[:n_rows] ^ negated)
    assert (f"And of {n_terms} clauses" if negated else f"Or of {n_terms} terms") in fitted.sentence
    assert np.array_equal(answers(fitted.circuit, inputs), output ^ negated)
    assert fitted.bits < n_rows / 2


def test_sentences_speak_of_inputs_by_name() -> None:
    inputs, _ = drawn(60, 3, 1)
    fitted = fitted_to(terms, inputs, inputs[:, 0] | inputs[:, 1])
    assert fitted.in_names(["x1", "{0} = {1}", "age > 3"]) == "Or of x1, {0} = {1}"


@SEEDS
@pytest.mark.parametrize("n", [16, 300])
def test_functions_of_few_inputs(seed: int, n: int) -> None:
    inputs, rng = drawn(2000, n, seed)
    chosen = sorted(rng.choice(n, 5, replace=False).tolist())
    while True:
        answer = rng.random(32) < 0.5
        if all((answer != answer[np.arange(32) ^ (1 << bit)]).any() for bit in range(5)):
            break
    fitted = fitted_to(juntas, inputs, answer[inputs[:, chosen] @ (1 << np.arange(5))])
    small = restricted(fitted.circuit, chosen)
    table = all_inputs(5) > 0
    assert np.array_equal(answers(small, table), answer[table @ (1 << np.arange(5))])


def test_a_parity_inside_is_found_by_its_pair() -> None:
    inputs, _ = drawn(1500, 100, 2)
    output = (inputs[:, 17] ^ inputs[:, 60]) & inputs[:, 3]
    fitted = fitted_to(juntas, inputs, output)
    assert fitted.circuit.ands() == 4
    assert "x3, x17, x60" in fitted.sentence


@SEEDS
def test_threshold_gates(seed: int) -> None:
    rng = np.random.default_rng(seed)
    table = all_inputs(10) > 0
    weights = rng.integers(-6, 7, 10)
    weights[0] = 2 * weights[0] + 1

    def truth(rows: Bits) -> Bits:
        return np.asarray(np.where(rows, 1, -1) @ weights + 2 * seed > 0)

    fitted = fitted_to(threshold, table, truth(table))
    assert len(fitted.circuit.gates) <= 1
    assert threshold.fit(table, table[:, :3].sum(axis=1) % 2 == 0) is None


def test_threshold_gates_of_many_inputs_from_examples() -> None:
    inputs, rng = drawn(6400, 60, 5)
    weights = rng.integers(-4, 5, 60)
    output = np.where(inputs, 1, -1) @ weights > 0
    fitted = fitted_to(threshold, inputs, output)
    others, _ = drawn(4000, 60, 6)
    assert (answers(fitted.circuit, others) == (np.where(others, 1, -1) @ weights > 0)).mean() > 0.97
    assert fitted.bits < 1000


@SEEDS
@pytest.mark.parametrize("size", [1, 2])
def test_decision_lists(seed: int, size: int) -> None:
    rng = np.random.default_rng(seed)
    table = all_inputs(10) > 0
    columns = [rng.choice(10, size, replace=False) for _ in range(6)]
    flips, values = rng.random((6, size)) < 0.5, rng.random(6) < 0.5
    output = np.zeros(len(table), bool)
    for read, flip, value in zip(columns, flips, values, strict=True):
        output[(table[:, read] ^ flip).all(axis=1)] = value
    fitted_to(decision_lists, table, output)
    assert decision_lists.fit(table, table.sum(axis=1) % 2 == 0) is None


@given(st.integers(1, 5), st.randoms(use_true_random=False))
def test_tables_are_made_as_far_as_they_are_said(k: int, random: np.random.Generator) -> None:
    rows = 1 << k
    ones, said = random.getrandbits(rows), random.getrandbits(rows) | random.getrandbits(rows)  # type: ignore[attr-defined]
    builder = CircuitBuilder([f"x{index}" for index in range(k)])
    made = table_literal(builder, [Literal(index) for index in range(k)], ones, said)
    circuit = builder.circuit([("y", made)])
    table = (np.arange(rows)[:, None] >> np.arange(k) & 1).astype(bool)
    expected = np.array([ones >> row & 1 for row in range(rows)], bool)
    care = np.array([said >> row & 1 for row in range(rows)], bool)
    assert np.array_equal(answers(circuit, table)[care], expected[care])


@pytest.mark.parametrize(
    ("formula", "ands"),
    [
        ("a & b & c & d", 3),
        ("a ^ b ^ c ^ d", 9),
        ("a & (b | c & d)", 3),
        ("(a ^ b) & (c | d)", 5),
        ("a & b | ~a & c", 3),
    ],
)
def test_simple_tables_have_small_circuits(formula: str, ands: int) -> None:
    truth = circuit_from_formulas({"y": formula})
    k = len(truth.inputs)
    table = (np.arange(1 << k)[:, None] >> np.arange(k) & 1).astype(bool)
    ones = sum(1 << row for row in np.flatnonzero(answers(truth, table)).tolist())
    builder = CircuitBuilder(truth.inputs)
    made = table_literal(builder, [Literal(index) for index in range(k)], ones, (1 << (1 << k)) - 1)
    circuit = builder.circuit([("y", made)])
    assert prove_equal(circuit, truth)
    assert circuit.ands() == ands


def test_descriptions_are_codes() -> None:
    """2^−bits of all that can be said sum to at most 1 (Kraft's inequality), so no description is too short."""
    assert sum(2 ** -integer_bits(number) for number in range(-100_000, 100_001)) <= 1
    n = 12
    assert math.isclose(sum(math.comb(n, k) * 2 ** -subset_bits(n, k) for k in range(n + 1)), 1)


def test_the_shortest_description_is_first() -> None:
    inputs, _ = drawn(3000, 16, 7)
    found = fits(inputs, inputs.sum(axis=1) % 2 == 1)
    assert [fitted.name for fitted in found] == [affine.NAME, symmetric.NAME]
    assert [fitted.bits for fitted in found] == sorted(fitted.bits for fitted in found)
