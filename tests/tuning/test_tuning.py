"""Tuning: the space of settings, what is counted, and which setting wins."""

from __future__ import annotations

import math
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import boolearn as bl
from boolearn.data import multiplier
from boolearn.errors import MissingExtraError, ParameterError
from boolearn.solver import (
    RRR,
    Choice,
    CsvTable,
    Gates,
    JsonLines,
    Outcome,
    Range,
    StartSummary,
    Status,
    TensorBoard,
    Tick,
    Turns,
)
from boolearn.training import train
from boolearn.tuning import Tried, Tuning, TuningCallback, describe, tune
from boolearn.tuning.race import judged_after
from boolearn.tuning.space import Space
from boolearn.tuning.trials import Player

NETWORK, TABLE = bl.layered(4, 4, 4, 4), multiplier(2)
MAX_ITER = 1000


def tried(*outcomes: tuple[bool, int], accuracy: float = 0.9, seconds_each: float = 1e-3) -> Tried:
    runs = tuple(
        StartSummary(
            k, Status.SOLVED if solved else Status.BUDGET, n, 0.1, 1.0 if solved else accuracy, None, n * seconds_each
        )
        for k, (solved, n) in enumerate(outcomes)
    )
    return Tried(RRR(), 3, {"beta": 0.2}, runs, sum(run.seconds for run in runs), given_up=False)


def outcomes_of(n: int) -> st.SearchStrategy[list[tuple[bool, int]]]:
    solved = st.tuples(st.just(True), st.integers(1, MAX_ITER))
    failed = st.just((False, MAX_ITER))
    return st.lists(solved | failed, min_size=n, max_size=n)


@given(low=st.floats(1e-6, 1), factor=st.floats(1.5, 1e4), place=st.floats(0, 1), zero=st.booleans())
def test_a_range_holds_its_values_and_finds_their_places(low: float, factor: float, place: float, zero: bool) -> None:
    values = Range(0.0 if zero else low, low * factor)
    value = values.at(place)
    assert values.low <= value <= values.high
    assert values.at(min(1.0, place + 0.1)) >= value
    assert values.at(values.place_of(value)) == pytest.approx(value, rel=5e-3, abs=1e-12)
    assert values.at(0.0) == pytest.approx(values.low, rel=5e-3)
    assert values.at(1.0) == pytest.approx(values.high, rel=5e-3)


def test_a_space_of_choices_lists_every_setting_once() -> None:
    space = Space(RRR(beta=Choice(0.2, 0.4), gamma=Choice(0.0, 1e-3, 1e-2)), 3)
    settings = [space.setting(values) for values in space.all_values()]
    assert len(settings) == space.size == 6
    assert {(solver.beta, solver.gamma) for solver, _ in settings} == {  # type: ignore[attr-defined]
        (beta, gamma) for beta in (0.2, 0.4) for gamma in (0.0, 1e-3, 1e-2)
    }


def test_axes_may_stand_anywhere_in_a_solver() -> None:
    both = Turns((Gates(price=Choice(0.1, 0.2)), RRR(precision=Choice("half", "double"))))
    space = Space(both, Choice(3, 5))
    assert list(space.axes) == ["price", "precision", "sigma"]
    assert space.size == 8
    solver, sigma = space.setting({"price": 0.2, "precision": "half", "sigma": 5})
    assert (solver, sigma) == (Turns((Gates(price=0.2), RRR(precision="half"))), 5)
    assert space.first() == {"price": 0.1, "precision": "half", "sigma": 3}


def test_gates_can_be_tuned() -> None:
    tuning = tune([4, 6, 6, 4], TABLE, Gates(price=Choice(0.1, 0.5)), trials=2, starts=1, max_iter=2000, threads=1)
    assert {t.values["price"] for t in tuning.settings} == {0.1, 0.5}
    assert tuning.solved
    run = train([4, 6, 6, 4], TABLE, **tuning.best, max_iter=2000, threads=1)
    assert run.settings["price"] == tuning.winner.values["price"]


@given(st.integers(1, 100))
def test_settings_are_judged_up_to_all_starts(starts: int) -> None:
    found = judged_after(starts)
    assert found == sorted(set(found))
    assert found[0] >= 1
    assert found[-1] == starts


@given(st.integers(1, 12).flatmap(lambda n: st.tuples(outcomes_of(n), outcomes_of(n))))
def test_a_success_beats_none_from_as_many_starts(
    pair: tuple[list[tuple[bool, int]], list[tuple[bool, int]]],
) -> None:
    one, other = (tried(*outcomes) for outcomes in pair)
    if one.solved and not other.solved:
        for cost in ("seconds", "iterations"):
            assert one.expected_cost(cost) < other.expected_cost(cost)


def test_without_successes_the_closer_one_is_better() -> None:
    close, far = tried((False, 10), accuracy=0.99), tried((False, 10), accuracy=0.7)
    assert close.expected_cost("iterations") < far.expected_cost("iterations")


def test_iterations_per_success_and_its_error_agree_with_repetition() -> None:
    """The error tells how the ratio varies when all starts are drawn again."""
    random = np.random.default_rng(0)
    ratios, errors = [], []
    for _ in range(400):
        lasts = random.geometric(1 / 800, 60)
        sample = tried(*((int(n) < MAX_ITER, min(int(n), MAX_ITER)) for n in lasts))
        ratio, error = sample.iterations_per_success
        ratios.append(ratio)
        errors.append(error)
    # A constant hazard costs its inverse, wherever starts are cut off.
    assert np.mean(ratios) == pytest.approx(800, rel=0.05)
    assert np.mean(errors) == pytest.approx(np.std(ratios), rel=0.15)


def test_no_success_is_no_rate() -> None:
    none = tried((False, 10), (False, 10))
    assert none.iterations_per_success == (math.inf, math.inf)
    assert none.successes_per_second == (0.0, 0.0)
    assert none.rate[0] == 0
    assert 0 < none.rate[1] < 0.5
    assert none.result()["iterations_per_success"] is None


@pytest.fixture(scope="module")
def small() -> Tuning:
    pytest.importorskip("optuna")
    return tune(NETWORK, TABLE, trials=6, starts=4, max_iter=3000, seed=5, threads=1)


def facts(tuning: Tuning) -> list[object]:
    return [
        (t.setting, t.given_up, [(start.seed, start.status, start.iterations) for start in t.summaries])
        for t in tuning.settings
    ]


def test_same_seed_same_trials_on_any_number_of_threads(small: Tuning) -> None:
    again = tune(NETWORK, TABLE, trials=6, starts=4, max_iter=3000, seed=5, threads=2)
    assert facts(again) == facts(small)
    assert again.best == small.best
    assert small.cost == "iterations"


def test_all_settings_begin_from_the_same_starts(small: Tuning) -> None:
    assert len(small.settings) == 6
    assert small.settings[0].setting == {"solver": RRR(), "sigma": 3}
    for setting in small.settings:
        assert [start.seed for start in setting.summaries] == list(range(5, 5 + len(setting.summaries)))
        assert len(setting.summaries) in ((1, 2) if setting.given_up else (4, 8, 12, 16))


def test_starts_are_those_of_train(small: Tuning) -> None:
    n = len(small.winner.summaries)
    run = train(NETWORK, TABLE, **small.best, max_iter=3000, seed=5, restarts=bl.Restarts(n, all=True), threads=1)
    expected = [(start.seed, start.status, start.iterations) for start in run.starts]
    assert [(start.seed, start.status, start.iterations) for start in small.winner.summaries] == expected


def test_the_setting_that_solves_wins_and_the_hopeless_one_is_given_up() -> None:
    tuning = tune(NETWORK, TABLE, RRR(beta=Choice(0.5, 1.5)), trials=2, starts=8, max_iter=5000, threads=1)
    by_beta = {t.values["beta"]: t for t in tuning.settings}
    assert tuning.best == {"solver": RRR(beta=0.5), "sigma": 3}
    assert tuning.solved
    assert by_beta[1.5].solved == 0
    assert tuning.ranking()[0] is tuning.winner
    assert len(by_beta[0.5].summaries) == 32


def test_choices_end_when_all_were_tried_and_need_no_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    tuning = tune(
        NETWORK, TABLE, RRR(beta=Choice(0.3, 0.5), gamma=Choice(1e-3)), trials=50, starts=1, max_iter=50, threads=1
    )
    assert sorted(t.values["beta"] for t in tuning.settings) == [0.3, 0.5]
    with pytest.raises(MissingExtraError, match=r"boolearn\[tune\]"):
        tune(NETWORK, TABLE, trials=1)


def test_a_time_budget_ends_it() -> None:
    tuning = tune(NETWORK, TABLE, RRR(beta=Choice(0.3, 0.5)), max_seconds=0.5, max_iter=10**12, threads=1)
    assert tuning.cost == "seconds"
    assert tuning.settings[0].summaries
    assert tuning.seconds < 30
    assert not tuning.interrupted


@pytest.mark.parametrize(
    ("rate", "max_iter"), [(1, 1000), (1e6, 2000), (1_234_567.0, 2500), (7_777_777.0, 16_000), (1e12, 100_000)]
)
def test_a_start_is_short_against_the_budget(rate: float, max_iter: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It lasts a fiftieth of the time at the measured rate, in two digits, within what is sensible."""
    monkeypatch.setattr(Player, "iterations_per_second", lambda *_: rate)
    tuning = tune(NETWORK, TABLE, RRR(beta=0.3), max_seconds=0.1, starts=1, threads=1)
    assert tuning.max_iter == max_iter


def test_the_rate_is_that_of_a_start_of_this_length(monkeypatch: pytest.MonkeyPatch) -> None:
    rates: list[float] = []
    played: list[tuple[float | None, Start]] = []
    measure, play = Player.iterations_per_second, Player.play

    def noted_rate(self: Player, *arguments: Any) -> float:
        rates.append(measure(self, *arguments))
        return rates[-1]

    def noted_start(self: Player, *arguments: Any) -> Tried:
        after = play(self, *arguments)
        played.append((self.conditions.budget.max_seconds, after.summaries[-1]))
        return after

    monkeypatch.setattr(Player, "iterations_per_second", noted_rate)
    monkeypatch.setattr(Player, "play", noted_start)
    tune(NETWORK, TABLE, RRR(beta=0.3, gap_tol=0), max_seconds=0.5, starts=1, threads=1)
    (seconds, start), *others = played
    assert seconds == 0.5 / 50
    assert start.status is Status.TIME
    assert rates == [start.iterations / start.seconds]
    assert all(seconds is None for seconds, _ in others)


class _InterruptAt(TuningCallback):
    def __init__(self, number: int) -> None:
        self.number = number
        self.heard: list[int] = []

    def on_setting(self, number: int, tried: Tried) -> None:
        self.heard.append(number)
        if number == self.number:
            os.kill(os.getpid(), signal.SIGINT)


def test_interrupted_tuning_returns_what_there_is() -> None:
    callback = _InterruptAt(2)
    tuning = tune(
        NETWORK,
        TABLE,
        RRR(beta=Choice(0.3, 0.4, 0.5, 0.6)),
        trials=4,
        starts=1,
        max_iter=200,
        callbacks=[callback],
        threads=1,
    )
    assert tuning.interrupted
    assert callback.heard == [1, 2]
    assert len(tuning.settings) == 2


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("sigma", Range(0.0, 3.0)),
        ("sigma", float("nan")),
        ("solver", "magic"),
        ("trials", 0),
        ("starts", 0),
        ("max_iter", 0),
        ("max_seconds", 0),
        ("seed", -1),
        ("noise", 0.5),
        ("threads", 0),
        ("stop", "never"),
    ],
)
def test_bad_values_are_refused(name: str, value: object) -> None:
    with pytest.raises(ParameterError, match=name):
        tune(NETWORK, TABLE, **{name: value})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Range(0.5, 0.1), "'low' parameter must be below 'high', which is 0.1"),
        (lambda: Range(-1.0, 0.1), "'low' parameter must be finite and at least 0"),
        (lambda: Range("a", 0.1), "'low' parameter must be finite"),
        (Choice, "'values' parameter must be at least one value"),
        (lambda: RRR(beta=Range(0.0, 1.0)), "'beta' parameter must be between 0 and 2"),
        (lambda: RRR(beta=Choice(0.2, 3.0)), "'beta' parameter must be between 0 and 2"),
        (lambda: RRR(beta="0.2"), "'beta' parameter must be between 0 and 2"),
        (lambda: RRR(gamma=Range(0.0, 1.0)), "'gamma' parameter must be at least 0 and below 1"),
        (lambda: Gates(price=Range(0.1, 1), replicas=Choice(0)), "'replicas' parameter must be an integer from 1"),
        (lambda: train(NETWORK, TABLE, beta=Range(0.1, 1)), "'beta' parameter must be one value; a Range or Choice is"),
        (lambda: train(NETWORK, TABLE, sigma=Range(1, 3)), "'sigma' parameter must be a number"),
    ],
)
def test_bad_axes_are_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make()


@pytest.mark.parametrize("kind", [JsonLines, CsvTable, TensorBoard])
def test_recorders_are_refused(kind: type[JsonLines | CsvTable | TensorBoard], tmp_path: Path) -> None:
    if kind is TensorBoard:
        pytest.importorskip("tensorboardX")
    recorder = kind(tmp_path / "record")
    with pytest.raises(ParameterError, match=rf"'callbacks'.*TuningCallback.*{kind.__name__}"):
        tune(NETWORK, TABLE, RRR(), trials=1, callbacks=[recorder])


class _Listener(TuningCallback):
    def __init__(self) -> None:
        self.heard: list[str] = []

    def on_tick(self, tick: Tick) -> None:
        self.heard.append("tick")

    def on_trace(self, tick: Tick) -> None:
        self.heard.append("trace")

    def on_start_end(self, outcome: Outcome) -> None:
        self.heard.append("end")

    def on_setting(self, number: int, tried: Tried) -> None:
        self.heard.append(f"setting {number}")

    def close(self) -> None:
        self.heard.append("close")


def test_what_a_callback_hears() -> None:
    listener = _Listener()
    tune(NETWORK, TABLE, RRR(beta=Choice(0.3, 0.5)), trials=2, starts=1, max_iter=20, callbacks=[listener], threads=1)
    assert {"tick", "trace", "setting 1", "setting 2"} < set(listener.heard)
    assert listener.heard.count("close") == 1
    assert listener.heard[-1] == "close"
    assert "end" not in listener.heard


def test_arrays_per_layer_are_a_choice() -> None:
    sigmas = Choice(np.array([3.0, 3, 3]), np.array([3.0, 3, 5]), np.array(4.0))
    tuning = tune(NETWORK, TABLE, RRR(beta=0.3), sigma=sigmas, trials=3, starts=1, max_iter=20, threads=1)
    assert {t.sigma for t in tuning.settings} == {(3.0, 3.0, 3.0), (3.0, 3.0, 5.0), 4.0}
    with pytest.raises(ParameterError, match="sigma"):
        tune(NETWORK, TABLE, sigma=Choice(np.ones((3, 2))), trials=1)


def test_starts_too_short_for_the_clock_are_described() -> None:
    assert describe(tried((True, 10), seconds_each=0.0)).endswith("1 of 1 solved, 10 ± 10 iterations each")


def test_two_budgets_are_refused() -> None:
    with pytest.raises(ParameterError, match="max_seconds"):
        tune(NETWORK, TABLE, trials=3, max_seconds=1.0)
