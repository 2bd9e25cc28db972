"""Stop rules, proofs, schedules: what ends a start and what steers it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boolearn.data import Dataset, InputKind
from boolearn.engine import Progress, make_engine
from boolearn.errors import ParameterError
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.solver import Fit, Geometric, Inverse, Linear, Stagnation, Status, Target, TraceLine
from boolearn.solver.rrr.schedules import EVERY, checked_schedule, parse_schedule, value_at
from boolearn.solver.rrr.search import RRRSearch
from boolearn.solver.stopping import stop_rules
from boolearn.training import train

POSITIVE = st.floats(1e-6, 1e6)


def lines(
    train_accuracies: Sequence[float], test: Sequence[float | None] | None = None, first: int = 1, gap: float = 1
) -> list[TraceLine]:
    tests = test or [None] * len(train_accuracies)
    return [
        TraceLine(first * 2**k, gap, gap, gap, gap, gap, accuracy, other, 0.0)
        for k, (accuracy, other) in enumerate(zip(train_accuracies, tests, strict=True))
    ]


def test_fit_wants_several_trace_lines_in_a_row() -> None:
    assert Fit()(lines([0.5, 1])) is Status.FIT
    assert Fit()(lines([1, 0.5])) is None
    assert Fit(3)(lines([1, 1])) is None
    assert Fit(3)(lines([1, 0.9, 1, 1])) is None
    assert Fit(3)(lines([0.9, 1, 1, 1])) is Status.FIT
    assert Fit(1, allowed=0.1)(lines([0.9])) is Status.FIT
    assert Fit(1, allowed=0.1)(lines([0.89])) is None


def test_a_target_is_about_items_kept_back() -> None:
    assert Target(0.9)(lines([1, 1], [0.5, 0.9])) is Status.TARGET
    assert Target(0.9)(lines([1, 1], [0.95, 0.8])) is None
    assert Target(0.9)(lines([1])) is None


def test_stagnation_is_nothing_better_for_long() -> None:
    flat = lines([0.5] * 16)
    first = next(k for k in range(1, 17) if Stagnation(3)(flat[:k]))
    assert flat[first - 1].iteration == 4096, "the first after three thousand iterations"
    assert Stagnation(3)(flat[: first - 1]) is None
    rising = lines([0.5 + k / 100 for k in range(16)])
    assert Stagnation(3)(rising) is None
    closing = [replace(line, least_gap=1 / line.iteration) for line in flat]
    assert Stagnation(3)(closing) is None
    slowly = [replace(line, least_gap=1 - 1e-4 * k) for k, line in enumerate(flat)]
    assert Stagnation(3)(slowly) is Status.STAGNATED


@given(st.integers(1, 9), st.floats(0.01, 1), st.floats(1.01, 100))
def test_rules_are_what_their_words_say(times: int, accuracy: float, factor: float) -> None:
    rules = (Fit(times), Target(accuracy), Stagnation(factor))
    assert stop_rules(",".join(map(str, rules))) == rules
    assert stop_rules("gap") == ()
    assert stop_rules(" fit , gap,stagnation") == (Fit(), Stagnation())
    assert stop_rules(rules) == rules
    assert stop_rules(rules[0]) == (rules[0],)


@pytest.mark.parametrize(
    "stop",
    ["", "never", "fit=0", "fit=1.5", "fit=x", "target", "target=0", "target=2", "stagnation=1", "fit;gap", 5, [3]],
)
def test_other_words_are_refused(two_bit_multiplier: Dataset, stop: Any) -> None:
    with pytest.raises(ParameterError, match="'stop' parameter must be"):
        train(layered(4, 4), two_bit_multiplier, stop=stop, items=12)


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda: Fit(0), "times"),
        (lambda: Fit(1.5), "times"),  # type: ignore[arg-type]
        (lambda: Fit(1, allowed=1), "allowed"),
        (lambda: Target(math.nan), "accuracy"),
        (lambda: Target("0.9"), "accuracy"),  # type: ignore[arg-type]
        (lambda: Stagnation(1), "factor"),
        (lambda: Stagnation(math.inf), "factor"),
        (lambda: Linear(-1, 1, 10), "first"),
        (lambda: Linear(1, math.nan, 10), "last"),
        (lambda: Linear(1, 1, 0), "over"),
        (lambda: Linear(1, 1, 2.5), "over"),  # type: ignore[arg-type]
        (lambda: Geometric(0, 1, 10), "first"),
        (lambda: Geometric(1, "a", 10), "last"),  # type: ignore[arg-type]
        (lambda: Inverse(0.1, 0.2, 10), "last"),
        (lambda: Inverse(0.2, 0.1, 0), "over"),
    ],
)
def test_rules_and_schedules_check_their_numbers(make: Any, name: str) -> None:
    with pytest.raises(ParameterError, match=f"'{name}' parameter must be"):
        make()


def test_a_target_needs_items_kept_back(two_bit_multiplier: Dataset) -> None:
    with pytest.raises(ParameterError, match="'stop' parameter must be without a target"):
        train(layered(4, 4), two_bit_multiplier, stop="target=0.9")
    run = train(layered(4, 4, 4, 4), two_bit_multiplier, stop="target=0.3", items=12, max_iter=200, restarts=5)
    assert run.status is Status.TARGET
    assert run.test_accuracy is not None
    assert run.test_accuracy >= 0.3
    assert run.solved


def test_rules_end_real_runs(two_bit_multiplier: Dataset) -> None:
    bits = np.array([[0], [1]])
    once, thrice = (train(layered(1, 1), Dataset(bits, bits), stop=Fit(k), gap_tol=0, max_iter=999) for k in (1, 3))
    assert once.status is thrice.status is Status.FIT
    marks = [line.iteration for line in thrice.trace]
    assert marks.index(thrice.iterations) == marks.index(once.iterations) + 2
    narrow = train(layered(4, 1, 4), two_bit_multiplier, stop="stagnation=1.5", gap_tol=0, max_iter=10**6)
    assert narrow.status is Status.STAGNATED
    assert 1500 <= narrow.iterations < 10**6


def test_rules_of_ones_own(two_bit_multiplier: Dataset) -> None:
    def after_five(trace: Sequence[TraceLine]) -> Status | None:
        return Status.STAGNATED if len(trace) == 5 else None

    run = train(layered(4, 4), two_bit_multiplier, stop=[Fit(9), after_five], gap_tol=0)
    assert run.status is Status.STAGNATED
    assert len(run.trace) == 5
    assert run.settings["stop"] == "fit=9,test_rules_of_ones_own.<locals>.after_five"
    for verdict in (True, Status.BUDGET, "fit"):
        with pytest.raises(
            ParameterError, match="'stop' parameter must be rules that return None or one of Status.SOLVED"
        ):
            train(layered(4, 4), two_bit_multiplier, stop=lambda trace, v=verdict: v, gap_tol=0)  # type: ignore[misc]


def test_a_complete_truth_table_is_a_proof(two_bit_multiplier: Dataset) -> None:
    bits = np.array([[0, 0], [0, 1], [1, 0], [1, 1]])
    conjunction = Dataset(bits, bits.min(axis=1, keepdims=True))
    twice = Dataset(np.vstack([bits, bits]), np.vstack([conjunction.outputs] * 2))
    assert conjunction.complete
    assert twice.complete
    assert not conjunction.take(slice(0, 3)).complete
    assert not Dataset(twice.inputs, np.vstack([conjunction.outputs, -conjunction.outputs])).complete
    assert not Dataset(bits.astype(float), conjunction.outputs, InputKind.ANALOG).complete
    whole = train(layered(2, 1), conjunction, max_iter=500, restarts=5)
    assert whole.proved
    part = train(layered(2, 1), conjunction, items=3, max_iter=500, restarts=5)
    assert part.train_accuracy == 1
    assert not part.proved
    hopeless = train(layered(2, 1), Dataset(bits, bits[:, :1] ^ bits[:, 1:]), max_iter=50)
    assert not hopeless.proved


def test_codes_are_no_proof() -> None:
    outputs = np.array([[0], [1]])
    run = train(layered(1, 1), Dataset.generative(outputs, InputKind.ANY_CODE), max_iter=500, restarts=20)
    assert run.train_accuracy == 1
    assert run.dataset.complete
    assert not run.proved


@given(POSITIVE, POSITIVE, st.integers(1, 10**6), st.sampled_from([Linear, Geometric]))
def test_schedules_go_from_first_to_last(first: float, last: float, over: int, kind: Any) -> None:
    schedule = kind(first, last, over)
    assert schedule(0) == first
    assert schedule(over) == schedule(10 * over) == last
    middle = schedule(over / 2)
    expected = (first + last) / 2 if kind is Linear else math.sqrt(first * last)
    assert math.isclose(middle, expected, rel_tol=1e-9)
    assert parse_schedule("beta", str(schedule)) == schedule


def test_an_inverse_falls_to_its_last_value() -> None:
    schedule = Inverse(1e-3, 1e-5, 5000)
    assert [schedule(t) for t in (0, 5000, 10_000, 50_000, 10**6)] == [1e-3, 1e-3, 5e-4, 1e-4, 1e-5]
    assert parse_schedule("gamma", str(schedule)) == schedule


def test_schedules_change_every_hundred_iterations() -> None:
    schedule = Linear(1, 0.5, 500)
    assert [value_at("beta", schedule, t) for t in (0, 1, 99, 100, 199, 200)] == [1, 1, 1, 0.9, 0.9, 0.8]
    assert value_at("beta", 0.3, 77) == 0.3


def test_a_schedule_does_not_care_how_a_run_is_cut(two_bit_multiplier: Dataset) -> None:
    problem = Problem(layered(4, 4, 4), two_bit_multiplier)
    pace: dict[str, Any] = {"beta": Linear(0.9, 0.1, 700), "gamma": lambda t: 1e-3 if t < 250 else 0.0, "gap_tol": 0.0}

    def weights(pieces: list[int]) -> np.ndarray[Any, Any]:
        search = RRRSearch(problem, make_engine(problem), **pace)
        search.begin(1)
        for piece in pieces:
            search.advance(piece)
        return search.weights()

    once = weights([760])
    assert np.array_equal(once, weights([1, 98, 1, 1, 149, 250, 260]))
    assert np.array_equal(once, weights([19] * 40))
    by_hand = make_engine(problem)
    by_hand.begin(1)
    for first in range(0, 760, EVERY):
        gamma = 1e-3 if first < 250 else 0.0
        by_hand.iterate(min(EVERY, 760 - first), beta=Linear(0.9, 0.1, 700)(first), gamma=gamma)
    assert np.array_equal(once, by_hand.weights())


def test_where_schedules_stand_still_the_engine_is_called_once(
    two_bit_multiplier: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = Problem(layered(4, 4, 4), two_bit_multiplier)
    engine, by_hand = make_engine(problem), make_engine(problem)
    calls: list[tuple[int, float]] = []
    iterate = engine.iterate

    def counted(n: int, **how: float) -> Progress:
        calls.append((n, how["beta"]))
        return iterate(n, **how)

    monkeypatch.setattr(engine, "iterate", counted)
    search = RRRSearch(problem, engine, beta=lambda t: 0.5 if 600 <= t < 1100 else 0.2, gap_tol=0.0)
    search.begin(1)
    search.advance(50)
    search.advance(1400)
    assert calls == [(50, 0.2), (550, 0.2), (500, 0.5), (350, 0.2)]
    by_hand.begin(1)
    for n, beta in ((600, 0.2), (500, 0.5), (350, 0.2)):
        by_hand.iterate(n, beta=beta, gamma=1e-3)
    assert np.array_equal(search.weights(), by_hand.weights())


def test_schedules_out_of_range_are_refused_before_and_while_they_are_used(two_bit_multiplier: Dataset) -> None:
    options: dict[str, Any] = {"gap_tol": 0, "max_iter": 500}
    for bad in (Linear(0.5, 2, 10**9), Linear(3, 1, 5), lambda t: "x", lambda t: math.nan):
        with pytest.raises(ParameterError, match="'beta' parameter must be between 0 and 2, both excluded"):
            train(layered(4, 4), two_bit_multiplier, beta=bad, **options)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="'gamma' parameter must be .*, also at iteration 300. Got 1 instead"):
        train(layered(4, 4), two_bit_multiplier, gamma=lambda t: 1 if t == 300 else 0, **options)
    for text in ("x", "linear:1:2", "cubic:1:2:3", "linear:1:2:x", "geometric:0:1:10"):
        with pytest.raises(ParameterError, match="'beta' parameter must be a number, auto, or KIND:FIRST"):
            parse_schedule("beta", text)
    assert parse_schedule("beta", "0.25") == 0.25
    assert parse_schedule("gamma", "auto") == "auto"
    assert checked_schedule("beta", 1) == 1.0


def test_a_schedule_takes_the_iteration() -> None:
    with pytest.raises(ParameterError, match="'beta' parameter must be a number or a function of the iteration"):
        checked_schedule("beta", lambda: 0.5)
