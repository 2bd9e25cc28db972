"""train: everything is checked and put together here, and the starts are run."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy.typing as npt

from boolearn._version import __version__
from boolearn.checks import checked_integer
from boolearn.cores import check_threads
from boolearn.data import Dataset, as_dataset
from boolearn.data.open_outputs import check_specified
from boolearn.files import PathLike
from boolearn.network import Network, as_network
from boolearn.problem import Problem, Sigma
from boolearn.ranks import as_ranks
from boolearn.runs import Checkpoints, CheckpointStore, check_same_on_all, fingerprint
from boolearn.solver.axes import check_no_axes
from boolearn.solver.contract import Solver
from boolearn.solver.interrupt import Interruptible, Request
from boolearn.solver.named import SolverName, as_solver
from boolearn.solver.run import Outcome, Run
from boolearn.solver.starts import Budget, Restarts
from boolearn.solver.starts.checkpoint import Keepers
from boolearn.solver.starts.halving import halving_plan, run_halving
from boolearn.solver.starts.measure import Measure
from boolearn.solver.starts.pool import StartPool
from boolearn.solver.starts.race import Ended, run_starts
from boolearn.solver.starts.shared import SharedKeepers
from boolearn.solver.status import Status
from boolearn.solver.stopping import StopRule, describe_rule
from boolearn.solver.trace import DEFAULT_RATIO
from boolearn.solver.watching.callbacks import Callback, Several
from boolearn.solver.watching.progress import ProgressLine
from boolearn.training.parameters import (
    Noise,
    as_checkpoints,
    as_noise,
    as_restarts,
    check_callbacks,
    plain_sigma,
)

if TYPE_CHECKING:
    from mpi4py.MPI import Intracomm as Comm


def train(
    network: Network | Sequence[int],
    data: Dataset | tuple[npt.ArrayLike, npt.ArrayLike],
    *,
    solver: SolverName | Solver = "rrr",
    sigma: Sigma = 3,
    noise: float | Noise = 0.0,
    items: int | None = None,
    seed: int = 0,
    max_iter: int | None = None,
    max_seconds: float | None = None,
    stop: str | StopRule | Sequence[StopRule] = "gap",
    restarts: int | Restarts = 1,
    trace_ratio: float = DEFAULT_RATIO,
    checkpoint: PathLike | Checkpoints | None = None,
    callbacks: Sequence[Callback] = (),
    threads: int | None = None,
    comm: Comm | None = None,
    progress: bool = False,
    **parameters: Any,
) -> Run:
    """Learn weights with which the network answers as the data says.

    Parameters
    ----------
    network
        A Network, or the widths of a layered one: ``[4, 8, 4]``.
    data
        A Dataset, or a pair ``(X, y)``.
    solver
        "rrr", the paper's search for weights; "gates", a search among circuits of small gates; "auto", both in
        turns where both are able to solve the problem; "hybrid", the same, each continuing from what the other
        found. Or an object: ``RRR(beta=0.5)``, ``Gates(price=0.1)``, ``Turns(…)``.
    sigma
        The support parameter: neurons keep the margin sqrt(m/σ) and so tend to gates of at most σ inputs. A number,
        one per layer, one per neuron, or a function of the node's number. The gate search tries majorities of five
        where σ is at least 5; below that it does not depend on σ.
    noise
        The share of output bits, or of class labels, that may be wrong in the data; or ``Noise(outputs=…, inputs=…)``.
    items
        Train on the first ``items`` items and test on the rest; by default train on all.
    seed
        Same seed, same result. Restart r (from 0) begins from ``seed + r``.
    max_iter, max_seconds
        When to give up, for each start. By default after 100,000 iterations.
    stop
        What else ends a start when a trace line is taken: "gap" for nothing, "fit" when every training bit is right,
        "fit=3" when so at three trace lines in a row, "target=0.99" for an accuracy on the test part,
        "stagnation=3" when nothing improved while the iterations tripled; several with commas; or rules of your own.
    restarts
        Up to how many starts to try; the first that is solved ends the run. Or ``Restarts(50, halving=2)``,
        or ``Restarts(50, growing=1.5)``.
    trace_ratio
        By what factor the iterations grow from one line of the trace to the next.
    checkpoint
        A folder in which checkpoints are kept, every minute and at the end; or
        ``Checkpoints(folder, every=600, resume=True)``, which resumes a run that was stopped as if nothing had
        happened.
    callbacks
        Callback objects, told of what happens.
    threads
        At most how many; by default all cores, or what BOOLEARN_THREADS says.
    comm
        An MPI communicator such as ``mpi4py.MPI.COMM_WORLD``: its ranks, all of which make this call with the same
        arguments, train together. RRR shares out the items, the gate search its replicas; the result is the same on
        any number of ranks up to 64. Rank 0 alone shows progress, calls callbacks and writes checkpoints.
    progress
        Show a live display (or, when not on a terminal, plain lines) on standard error.
    **parameters
        Fields of the solver, when it is given by name: ``train(network, data, beta=0.5)``.
    """
    ranks = as_ranks(comm)
    with ranks.together():
        network, data = as_network(network), as_dataset(data)
        own = [name for name, p in inspect.signature(train).parameters.items() if p.kind is p.KEYWORD_ONLY]
        chosen = as_solver(solver, parameters, others=own)
        check_no_axes(chosen)
        allowed, many, kept = as_noise(noise), as_restarts(restarts), as_checkpoints(checkpoint)
        seed, cores = checked_integer("seed", seed, 0), check_threads(threads)
        check_callbacks(callbacks, Callback)
        train_part, test_part = data.split(items)
        if train_part.open is not None:
            check_specified(train_part.targets, train_part.output_names)
        problem = Problem(network, train_part, sigma, allowed.outputs, allowed.inputs)
        chosen.check(problem)
        measure = Measure(chosen.model_network(problem), train_part, test_part, ranks)
        tested = measure.test is not None
        budget = Budget.checked(max_iter, max_seconds, stop, trace_ratio, noise=allowed.outputs, tested=tested)
        if many.halving is not None:
            halving_plan(many.count, budget.max_iter, many.halving)
        settings: dict[str, object] = {
            "version": __version__,
            "solver": chosen.name,
            "sigma": plain_sigma(sigma),
            **chosen.settings(),
            "max_iter": budget.max_iter,
            "max_seconds": budget.max_seconds,
            "seed": seed,
            "items": len(train_part),
            "input_kind": train_part.input_kind.value,
            "noise": allowed.outputs,
            "input_noise": allowed.inputs,
            "stop": ",".join(map(describe_rule, budget.stop)) or "gap",
            "restarts": many.count,
            "halving": many.halving,
            "growing": many.growing,
        }
        identity = {**settings, "trace_ratio": budget.trace_ratio}
        if kept is not None or ranks.size > 1:
            identity |= fingerprint(problem, train_part, test_part)
    check_same_on_all(ranks, identity)
    threads = ranks.threads(threads)
    cores = check_threads(threads)
    interrupt = Interruptible()

    def stop_requested() -> Request:
        return max(ranks.each(interrupt.requested))

    with ExitStack() as stack:
        # With all starts to be run, taking what there is would leave some out.
        line = [ProgressLine(on_enter=None if many.all else interrupt.take)] if progress and ranks.leads else []
        watching = Several([*callbacks, *line] if ranks.leads else [])
        stack.callback(watching.close)
        keepers: Keepers | None = None
        with ranks.together():
            if kept is not None and ranks.leads:
                keepers = stack.enter_context(closing(CheckpointStore(kept, identity)))
        if kept is not None and ranks.size > 1:
            keepers = SharedKeepers(keepers, ranks)
        stack.enter_context(interrupt)
        pool = StartPool(
            chosen, problem, measure, budget, many, seed, watching, stop_requested, keepers, cores, threads, ranks
        )
        stack.enter_context(closing(pool))
        ended = Ended()

        def add(outcome: Outcome) -> None:
            ended.add(outcome)
            watching.on_start_end(outcome)

        if many.halving is not None:
            run_halving(pool, add)
        else:
            run_starts(pool, range(many.count), add)
    best = ended.best
    if stop_requested() and not best.solved:
        best = replace(best, status=Status.INTERRUPTED)  # the best start may have ended before
    return Run.of(best, ended.summaries, settings)
