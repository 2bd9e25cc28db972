"""tune: finds the setting with which a problem is solved at the least cost."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace

import numpy.typing as npt

from boolearn.checks import checked_integer
from boolearn.cores import check_threads
from boolearn.data import Dataset, as_dataset
from boolearn.data.open_outputs import check_specified
from boolearn.errors import ParameterError
from boolearn.network import Network, as_network
from boolearn.problem import Sigma
from boolearn.solver import RRR, Callback, CsvTable, JsonLines, TensorBoard
from boolearn.solver.axes import Axis, Range
from boolearn.solver.contract import Solver
from boolearn.solver.interrupt import Interruptible, Request
from boolearn.solver.named import as_solver
from boolearn.solver.starts import Budget
from boolearn.solver.stopping import StopRule
from boolearn.solver.trace import DEFAULT_RATIO
from boolearn.solver.watching.callbacks import Several
from boolearn.training.parameters import Noise, as_noise, check_callbacks
from boolearn.tuning.progress import TuningCallback, TuningLine
from boolearn.tuning.race import Proposals, Race
from boolearn.tuning.space import Space, Values
from boolearn.tuning.trials import Conditions, Player
from boolearn.tuning.tried import Tried, Tuning

USUAL = RRR(beta=Range(0.05, 1.0), gamma=Range(0.0, 1e-2))
"""What is searched when nothing else is asked for."""
_DEFAULT_SECONDS = 60.0
_MOST_ITERATIONS, _FEWEST_ITERATIONS = 100_000, 1_000
_STARTS_IN_BUDGET = 50
"""A start may last this part of the time, so that several settings can be compared at all."""
_EXPLORING = 2 / 3
"""The share of the time for trying settings; the rest is for the best of them."""


def tune(
    network: Network | Sequence[int],
    data: Dataset | tuple[npt.ArrayLike, npt.ArrayLike],
    solver: Solver = USUAL,
    *,
    sigma: Sigma | Axis = 3,
    noise: float | Noise = 0.0,
    items: int | None = None,
    seed: int = 0,
    max_seconds: float | None = None,
    trials: int | None = None,
    starts: int = 8,
    max_iter: int | None = None,
    stop: str | StopRule | Sequence[StopRule] = "gap",
    callbacks: Sequence[Callback] = (),
    threads: int | None = None,
    progress: bool = False,
) -> Tuning:
    """Find the setting with the least expected cost of a success: the cost of all starts over the solved ones.

    Parameters
    ----------
    solver
        A solver object with a Range or Choice in the place of some of its fields:
        ``RRR(beta=Range(0.05, 1), gamma=Choice(0, 1e-3))``. Ranges are searched by their logarithm, and need
        ``pip install 'boolearn[tune]'``.
    sigma
        As for train, or a Range or Choice. A larger σ makes problems easier and gates larger, so it changes what is
        learned.
    max_seconds
        How long to try settings; by default 60 seconds. The cost of a success is then CPU time, and the result
        depends on the machine.
    trials
        Try this many settings instead, however long it takes. The cost of a success is then iterations, and the same
        seed gives the same result.
    starts
        Starts of a setting that is not given up early; the three best get up to four times as many.
    max_iter
        When a start is given up. By default after 100,000 iterations, or fewer when that takes more than 1/50 of
        ``max_seconds``.
    network, data, noise, items, stop, threads
        As for train; ``stop`` says what counts as solved.
    seed
        Start k of every setting begins from ``seed + k``; the choice of settings follows from it too.
    callbacks, progress
        Callbacks (a TuningCallback is told of settings; recorders of single runs are refused), and whether to
        print a line for every setting on standard error.

    Ctrl-C ends it early with what there is.
    """
    network, data = as_network(network), as_dataset(data)
    space = Space(as_solver(solver), sigma)
    check_callbacks(callbacks, Callback)
    _refuse_recorders(callbacks)
    if trials is not None:
        trials = checked_integer("trials", trials, 1)
        if max_seconds is not None:
            raise ParameterError("max_seconds", "left out with 'trials', which says when to end", max_seconds)
    elif max_seconds is None:
        max_seconds = _DEFAULT_SECONDS
    starts = checked_integer("starts", starts, 1)
    allowed = as_noise(noise)
    train_part, test_part = data.split(items)
    if train_part.open is not None:
        check_specified(train_part.targets, train_part.output_names)
    tested = test_part is not None and not test_part.input_kind.free
    most = _MOST_ITERATIONS if max_iter is None else max_iter
    budget = Budget.checked(most, max_seconds, stop, DEFAULT_RATIO, noise=allowed.outputs, tested=tested)
    conditions = Conditions(
        network,
        train_part,
        test_part,
        replace(budget, max_seconds=None),
        allowed,
        checked_integer("seed", seed, 0),
        check_threads(threads),
    )
    for values in space.ends():  # refused now rather than when their turn comes
        of_values, its_sigma = space.setting(values)
        of_values.check(conditions.problem(its_sigma))
    first = space.first()
    proposals = Proposals(space, first, conditions.seed)
    begun = time.perf_counter()
    with ExitStack() as stack:
        watching: list[Callback] = [*callbacks, *([TuningLine()] if progress else [])]
        several = Several(watching)
        stack.callback(several.close)
        interrupt = stack.enter_context(Interruptible())

        def over(share: float = 1.0) -> Request:
            late = max_seconds is not None and time.perf_counter() - begun >= share * max_seconds
            return Request.STOP if late or interrupt.requested else Request.NONE

        def tell(number: int, tried: Tried) -> None:
            for callback in watching:
                if isinstance(callback, TuningCallback):
                    callback.on_setting(number, tried)

        player = Player(space, conditions, several, over)
        if max_seconds is not None and max_iter is None:
            player.conditions = replace(conditions, budget=_within(player, first, max_seconds))
        race = Race(player, starts, "iterations" if max_seconds is None else "seconds", tell)
        race.explore(proposals, trials, lambda: bool(over(_EXPLORING)))
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
        interrupted=bool(interrupt.requested),
    )


def _refuse_recorders(callbacks: Sequence[Callback]) -> None:
    for callback in callbacks:
        if isinstance(callback, JsonLines | CsvTable | TensorBoard):
            raise ParameterError(
                "callbacks",
                "without recorders, which know a start by its seed where all settings have the same seeds; "
                "write down what on_setting of a TuningCallback is told instead",
                type(callback).__name__,
            )


def _within(player: Player, values: Values, max_seconds: float) -> Budget:
    """The budget of a start, so that it lasts no more than its part of the time. Two digits are enough."""
    seconds = max_seconds / _STARTS_IN_BUDGET
    rate = player.iterations_per_second(values, min(0.5, seconds))
    most = max(_FEWEST_ITERATIONS, min(_MOST_ITERATIONS, rate * seconds))
    digits = 1 - math.floor(math.log10(most))
    return replace(player.conditions.budget, max_iter=int(round(most, digits)))
