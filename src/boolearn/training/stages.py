"""Training in stages: shallow networks one after another, each of which reads what the earlier ones found.

A deep network is learned badly where a function needs many neurons that none of its outputs rewards yet. A network with
one hidden layer is learned well, and what it found is a step of the way. The next stage reads the inputs, the hidden
neurons of the stages before and their outputs, so it begins with what is known and corrects what is wrong. A bound on
the support keeps it from memorising, for it has many signals to choose from.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boolearn.checks import checked_integer, checked_integers, checked_number
from boolearn.data import Dataset, InputKind, as_dataset
from boolearn.errors import DataError, ParameterError
from boolearn.runs import Checkpoints, kept_stages
from boolearn.solver.axes import check_no_axes
from boolearn.solver.contract import Solver
from boolearn.solver.interrupt import Interruptible
from boolearn.solver.named import as_solver
from boolearn.solver.rrr import RRR
from boolearn.solver.rrr.schedules import Linear
from boolearn.solver.run import Run
from boolearn.solver.starts import Restarts
from boolearn.solver.status import Status
from boolearn.solver.trace import TraceLine
from boolearn.solver.watching.callbacks import Callback, Several
from boolearn.solver.watching.progress import ProgressLine
from boolearn.training.chosen import ChosenOutputs
from boolearn.training.parameters import as_checkpoints, as_restarts, check_callbacks
from boolearn.training.signals import Signals
from boolearn.training.stage import Plan

if TYPE_CHECKING:
    import numpy.typing as npt

    from boolearn.files import PathLike


def stage_solver(max_iter: int, support: float) -> RRR:
    """RRR for one stage: σ rises over most of the iterations, steps become smaller, and the support is bounded."""
    return RRR(beta=Linear(0.9, 0.05, max_iter), anneal=7 * max_iter // 10, support=support)


def train_in_stages(
    data: Dataset | tuple[npt.ArrayLike, npt.ArrayLike],
    *,
    stages: int = 3,
    width: int = 64,
    first: Sequence[int] = (),
    solver: Solver | None = None,
    sigma: float = 3,
    support: float | None = None,
    items: int | None = None,
    seed: int = 0,
    max_iter: int = 10_000,
    max_seconds: float | None = None,
    restarts: int | Restarts = 1,
    consensus: int = 1,
    checkpoint: PathLike | Checkpoints | None = None,
    callbacks: Sequence[Callback] = (),
    threads: int | None = None,
    progress: bool = False,
) -> Run:
    """Learn Boolean functions with a network that grows stage by stage, without layers to choose.

    Each stage trains a network with one hidden layer that reads the inputs and what earlier stages found. Training
    ends after the last stage, or sooner when every training bit is right; with a ``consensus`` only when, besides, so
    many starts agree on every output. An output is taken from the stage in which it was right on the most training
    items. With a ``consensus`` it is taken from any start of a stage, and if several are right on equally many items,
    from the one that agrees most with the others on synthetic inputs. The run's model is the network of all stages
    that its outputs depend on.

    Parameters
    ----------
    data
        A Dataset with Boolean inputs and outputs, or a pair ``(X, y)``.
    stages
        How many stages at most.
    width
        How many hidden neurons a stage has.
    first
        The hidden layers of the first stage, each of which reads the layer below; by default a single one of ``width``.
    solver
        What trains a stage; by default RRR with a σ that rises over 7/10 of the iterations, steps that fall from 0.9
        to 0.05, and a bound on the support.
    sigma
        The support parameter of all neurons.
    support
        At most how many inputs a neuron has in effect; by default 2σ. Where it is too large, networks memorise.
    items
        Train on the first ``items`` items and test on the rest; by default train on all.
    seed
        Same seed, same result. The starts of all stages have the seeds ``seed``, ``seed + 1``, ….
    max_iter, max_seconds
        Iterations of each start, and the sum of the seconds of all starts of all stages, also of those side by side.
    restarts
        How many starts each stage has, as for ``train``. With a ``consensus`` all of them are run.
    consensus
        With 2 or more, later stages read only the neurons that this many starts of a stage have found independently,
        the same on all training items and on synthetic inputs. What several starts have found is seldom found by
        accident, so later stages memorise less, and more stages are worth it. With 1 they read what the best start has
        found. At most ``restarts``.
    checkpoint
        A folder in which checkpoints are kept, one folder for each stage; or
        ``Checkpoints(folder, resume=True)``, which resumes training that was stopped. Then only ``stages``,
        ``max_seconds``, ``threads`` and how often checkpoints are written may change.
    callbacks, threads, progress
        As for ``train``.
    """
    dataset = as_dataset(data)
    if dataset.input_kind is not InputKind.BOOLEAN or dataset.classes:
        raise DataError(
            f"training in stages takes Boolean inputs and outputs without classes. Got {dataset!r} instead."
        )
    stages, width = checked_integer("stages", stages, 1), checked_integer("width", width, 1)
    seed, max_iter = checked_integer("seed", seed, 0), checked_integer("max_iter", max_iter, 1)
    sigma = checked_number("sigma", sigma, "finite and at least 1", lambda value: 1 <= value < np.inf)
    first = checked_integers("first", first, 1, "widths of hidden layers, each at least 1")
    if isinstance(solver, str):
        raise ParameterError("solver", "a solver object such as RRR(support=5)", solver)
    if solver is None:
        solver = stage_solver(max_iter, 2 * sigma if support is None else support)
    elif support is not None:
        raise ParameterError("support", "left out with 'solver', which has its own", support)
    solver = as_solver(solver)
    check_no_axes(solver)
    restarts, checkpoints = as_restarts(restarts), as_checkpoints(checkpoint)
    consensus = checked_integer("consensus", consensus, 1)
    if consensus > restarts.count:
        raise ParameterError("consensus", f"at most 'restarts', which is {restarts.count}", consensus)
    if consensus > 1 and restarts.halving is not None:
        raise ParameterError("consensus", "1 with 'halving', which abandons most starts", consensus)
    if consensus > 1:
        restarts = replace(restarts, all=True)
    if max_seconds is not None:
        max_seconds = checked_number("max_seconds", max_seconds, "finite and above 0", lambda v: 0 < v < np.inf)
    check_callbacks(callbacks, Callback)
    train_part, test_part = dataset.split(items)
    plan = Plan(
        dataset=dataset,
        items=items,
        stages=stages,
        width=width,
        first=first,
        solver=solver,
        sigma=sigma,
        seed=seed,
        max_iter=max_iter,
        max_seconds=max_seconds,
        restarts=restarts,
        consensus=consensus,
        threads=threads,
    )
    with ExitStack() as stack:
        if checkpoints is not None:
            stack.enter_context(kept_stages(checkpoints, plan.identity()))
        watching = Several([*callbacks, *([ProgressLine()] if progress else [])])
        stack.callback(watching.close)
        interrupt = stack.enter_context(Interruptible())  # between stages; in a stage train has its own
        signals = Signals(dataset, len(train_part), seed)
        outputs = ChosenOutputs(dataset.n_output_nodes, len(train_part), consensus)
        done = _train_stages(plan, signals, outputs, checkpoints, watching, lambda: bool(interrupt.requested))
        model = signals.network(outputs.nodes, dataset)
        accuracy = model.accuracy(train_part)
        last = done.runs[-1]
        status = done.ended or last.status
        if done.ended is None and (outputs.done or accuracy == 1):
            status = Status.SOLVED if last.status is Status.SOLVED else Status.FIT
        tested = None if test_part is None or not test_part.specified_bits else test_part
        found = {"whole_stages": done.whole, "settled_outputs": outputs.settled}
        return replace(
            _together(done.runs, all_starts=consensus > 1),
            status=status,
            model=model,
            train_accuracy=accuracy,
            test_accuracy=None if tested is None else model.accuracy(tested),
            seed=seed,
            dataset=train_part,
            settings=last.settings | plan.settings() | found,
        )


class _Done(NamedTuple):
    """The stages that were trained."""

    runs: list[Run]
    whole: int
    """How many of them were not cut off."""
    ended: Status | None
    """Why others did not follow that were wanted."""


def _train_stages(
    plan: Plan,
    signals: Signals,
    outputs: ChosenOutputs,
    checkpoints: Checkpoints | None,
    watching: Several,
    stopped: Callable[[], bool],
) -> _Done:
    """One stage after another, up to the last that is allowed or the first that leaves nothing to do."""
    targets = plan.dataset.split(plan.items)[0].targets
    runs: list[Run] = []
    for number in range(1, plan.stages + 1):
        seconds = plan.seconds_left(runs)
        if seconds is not None and seconds <= 0:
            return _Done(runs, len(runs), Status.TIME)
        if runs and stopped():
            return _Done(runs, len(runs), Status.INTERRUPTED)
        run, models = plan.train(number, signals, seconds, checkpoints, watching)
        runs.append(run)
        found = [signals.add(model) for model in (models if plan.consensus > 1 else [run.model])]
        better = outputs.choose(found, targets)
        # What a stage that was cut off has found depends on the clock. So no other stage reads it, and though it may
        # leave nothing to do the run is not finished: resumed, it may find something else.
        if run.status is Status.INTERRUPTED or stopped():
            return _Done(runs, number - 1, Status.INTERRUPTED)
        if any(start.status is Status.TIME for start in run.starts):
            return _Done(runs, number - 1, Status.TIME)
        if outputs.done:
            break
        if number < plan.stages:
            if plan.consensus > 1:
                signals.pass_on_shared(found, plan.consensus)
            else:
                signals.pass_on_heard(found[0], better)
    return _Done(runs, len(runs), None)


def _together(runs: Sequence[Run], all_starts: bool) -> Run:
    """The last run, with the work and the starts of all; ``all_starts`` count where all are made use of, else the best
    of each stage, as for ``train``."""
    starts = tuple(start for run in runs for start in run.starts)
    counted = starts if all_starts else runs
    return replace(
        runs[-1],
        iterations=sum(one.iterations for one in counted),
        least_gap=min(run.least_gap for run in runs),
        seconds=sum(one.seconds for one in counted),
        trace=tuple(_after_one_another(runs)),
        starts=starts,
    )


def _after_one_another(runs: Sequence[Run]) -> list[TraceLine]:
    """The traces of all stages, with iterations and seconds counted on."""
    lines: list[TraceLine] = []
    iterations, seconds = 0, 0.0
    for run in runs:
        lines += (replace(t, iteration=iterations + t.iteration, seconds=seconds + t.seconds) for t in run.trace)
        iterations, seconds = iterations + run.iterations, seconds + run.seconds
    return lines
