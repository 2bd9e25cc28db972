"""tune: finds the β and γ (and σ, when asked to) with which a problem is solved at the least cost."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace

from boolearn.checks import checked_integer
from boolearn.cores import check_threads
from boolearn.data import Dataset
from boolearn.engine import EngineName, Precision
from boolearn.errors import ParameterError
from boolearn.network import Network
from boolearn.problem import Sigma, check_fit
from boolearn.solver.attempt import Budget
from boolearn.solver.callbacks import Callback, Several
from boolearn.solver.interrupt import Interruptible
from boolearn.solver.parameters import checked_budget, checked_pace, checked_share
from boolearn.solver.recorders import CsvTable, JsonLines
from boolearn.solver.schedules import Schedule
from boolearn.solver.stopping import StopRule
from boolearn.solver.tensorboard import TensorBoard
from boolearn.solver.trace import DEFAULT_RATIO
from boolearn.solver.tuning.progress import TuningCallback, TuningLine
from boolearn.solver.tuning.race import Proposals, Race
from boolearn.solver.tuning.space import Choice, Fixed, Setting, Space, axis
from boolearn.solver.tuning.trials import Conditions, Player
from boolearn.solver.tuning.tried import Tried, Tuning

_USUAL = {"beta": 0.2, "gamma": 1e-3}
"""What train takes by default; tried first where the ranges allow it."""
_DEFAULT_SECONDS = 60.0
_MOST_ITERATIONS, _FEWEST_ITERATIONS = 100_000, 1_000
_STARTS_IN_BUDGET = 50
"""A start may last this part of the time, so that several settings can be compared at all."""
_EXPLORING = 2 / 3
"""The share of the time for trying settings; the rest is for the best of them."""


def tune(
    network: Network,
    dataset: Dataset,
    *,
    beta: Schedule | tuple[float, float] | list[float] | list[Schedule] = (0.05, 1.0),
    gamma: Schedule | tuple[float, float] | list[float] | list[Schedule] = (0.0, 1e-2),
    sigma: Sigma | tuple[float, float] | list[Sigma] = 3,
    max_seconds: float | None = None,
    trials: int | None = None,
    starts: int = 8,
    max_iter: int | None = None,
    gap_tol: float = 0.01,
    stop: str | StopRule | Sequence[StopRule] = "gap",
    seed: int = 0,
    items: int | None = None,
    noise: float = 0.0,
    input_noise: float = 0.0,
    engine: EngineName = "auto",
    precision: Precision = "single",
    threads: int | None = None,
    callbacks: Sequence[Callback] = (),
    progress: bool = False,
) -> Tuning:
    """Find the setting with the least expected cost of a success: the cost of all starts over the solved ones.

    Parameters
    ----------
    beta, gamma, sigma
        A tuple ``(low, high)`` is a range, searched by its logarithm; a list is a choice; anything else is
        fixed and means what it means for train. A larger σ makes problems easier and gates larger, so it
        changes what is learned and is fixed unless asked for. Ranges need ``pip install 'boolearn[tune]'``.
    max_seconds
        How long to try settings; by default 60 seconds. A success then costs CPU time, and the outcome depends
        on the machine.
    trials
        Try so many settings instead, however long it takes. A success then costs iterations, and the same seed
        gives the same outcome.
    starts
        Starts of a setting that is not given up early; the three best get up to four times as many.
    max_iter
        When a start is given up. By default 100,000, or fewer when that is more than 1/50 of ``max_seconds``.
    gap_tol, stop, items, noise, input_noise, engine, precision, threads
        As for train; ``stop`` says what counts as solved.
    seed
        Start k of every setting begins from ``seed + k``; the choice of settings follows from it too.
    callbacks, progress
        Who looks on (a TuningCallback hears of settings; recorders of single runs are refused), and whether to
        print a line for every setting on standard error.

    Ctrl-C ends it early with what there is.
    """
    space = _space(beta, gamma, sigma)
    _refuse_recorders(callbacks)
    if trials is not None:
        trials = checked_integer("trials", trials, 1)
        if max_seconds is not None:
            raise ParameterError("max_seconds", "left out with 'trials', which says when to end", max_seconds)
    elif max_seconds is None:
        max_seconds = _DEFAULT_SECONDS
    starts = checked_integer("starts", starts, 1)
    noise, input_noise = checked_share("noise", noise), checked_share("input_noise", input_noise)
    train_part, test_part = dataset.split(items)
    tested = test_part is not None and not test_part.input_kind.free
    most = _MOST_ITERATIONS if max_iter is None else max_iter
    budget = checked_budget(most, max_seconds, DEFAULT_RATIO, stop, noise, tested)
    check_fit(network, train_part)
    conditions = Conditions(
        network,
        train_part,
        test_part,
        replace(budget, max_seconds=None),
        checked_pace(_USUAL["beta"], _USUAL["gamma"], gap_tol).gap_tol,
        noise,
        input_noise,
        checked_integer("seed", seed, 0),
        engine,
        precision,
        check_threads(threads),
    )
    first = _first(space)
    for checked in _ends(space, first):  # refused now rather than when their turn comes
        conditions.problem(checked)
        checked_pace(checked["beta"], checked["gamma"], gap_tol)
    proposals = Proposals(space, first, conditions.seed)
    begun = time.perf_counter()
    with ExitStack() as stack:
        watching: list[Callback] = [*callbacks, *([TuningLine()] if progress else [])]
        several = Several(watching)
        stack.callback(several.close)
        interrupt = stack.enter_context(Interruptible())

        def over(share: float = 1.0) -> bool:
            late = max_seconds is not None and time.perf_counter() - begun >= share * max_seconds
            return late or interrupt.requested

        def tell(number: int, tried: Tried) -> None:
            for callback in watching:
                if isinstance(callback, TuningCallback):
                    callback.on_setting(number, tried)

        player = Player(conditions, several, over)
        if max_seconds is not None and max_iter is None:
            player.conditions = replace(conditions, budget=_within(player, first, max_seconds))
        race = Race(player, starts, "iterations" if max_seconds is None else "seconds", tell)
        race.explore(proposals, trials, lambda: over(_EXPLORING))
        race.confirm()
    limit = player.conditions.budget.max_iter
    assert limit is not None
    return Tuning(
        settings=tuple(race.settings),
        winner=race.winner(),
        cost=race.cost,
        max_iter=limit,
        seed=conditions.seed,
        seconds=time.perf_counter() - begun,
        interrupted=interrupt.requested,
    )


def _space(beta: object, gamma: object, sigma: object) -> Space:
    return Space(
        {
            "beta": axis("beta", beta, "between 0 and 2, both excluded", lambda v: 0 < v < 2),
            "gamma": axis("gamma", gamma, "at least 0 and below 1", lambda v: 0 <= v < 1),
            "sigma": axis("sigma", sigma, "finite and above 0", lambda v: 0 < v < math.inf),
        }
    )


def _refuse_recorders(callbacks: Sequence[Callback]) -> None:
    for callback in callbacks:
        if isinstance(callback, JsonLines | CsvTable | TensorBoard):
            raise ParameterError(
                "callbacks",
                "without recorders, which know a start by its seed where all settings have the same seeds; "
                "write down what the on_setting of a TuningCallback hears instead",
                type(callback).__name__,
            )


def _first(space: Space) -> Setting:
    """The usual setting, as far as the space allows it."""
    first: Setting = {}
    for name, values in space.axes.items():
        usual = _USUAL.get(name)
        if isinstance(values, Fixed):
            first[name] = values.value
        elif isinstance(values, Choice):
            first[name] = usual if usual in values.values else values.values[0]
        else:
            inside = usual is not None and values.low <= usual <= values.high
            first[name] = usual if inside else values.at(0.5)
    return first


def _ends(space: Space, first: Setting) -> list[Setting]:
    """Settings among which every value that was given by hand occurs."""
    found = [first]
    for name, values in space.axes.items():
        if isinstance(values, Choice):
            found += [{**first, name: value} for value in values.values]
        elif not isinstance(values, Fixed):
            found += [{**first, name: value} for value in (values.low, values.high)]
    return found


def _within(player: Player, setting: Setting, max_seconds: float) -> Budget:
    """The budget of a start, so that it lasts no more than its part of the time. Two digits are enough."""
    seconds = max_seconds / _STARTS_IN_BUDGET
    rate = player.iterations_per_second(setting, min(0.5, seconds))
    most = max(_FEWEST_ITERATIONS, min(_MOST_ITERATIONS, rate * seconds))
    digits = 1 - math.floor(math.log10(most))
    return replace(player.conditions.budget, max_iter=int(round(most, digits)))
