"""train: the way in. Checks what the user said, runs the starts and picks the best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from typing import Literal, get_args

from boolearn._version import __version__
from boolearn.checks import checked_integer, checked_number
from boolearn.cores import check_threads
from boolearn.data import Dataset
from boolearn.engine import EngineName, Precision, check_engine, make_engine, native_available
from boolearn.errors import BoolearnError, FileError, ParameterError
from boolearn.files import PathLike
from boolearn.network import Network
from boolearn.problem import Problem, Sigma, check_fit
from boolearn.solver.attempt import Budget
from boolearn.solver.batches import Batches, BatchRule
from boolearn.solver.callbacks import Callback, Several
from boolearn.solver.gate_table import PRICE, may_be_five
from boolearn.solver.gates import GatesSolver, check_searchable
from boolearn.solver.halving import run_halving, rungs
from boolearn.solver.hybrid import HybridSearch
from boolearn.solver.interrupt import Interruptible
from boolearn.solver.parameters import checked_batches, checked_budget, checked_pace, checked_share, plain
from boolearn.solver.restarts import run_starts, starts_at_a_time
from boolearn.solver.rrr_search import RrrSearch
from boolearn.solver.run import Run
from boolearn.solver.schedules import Schedule, describe
from boolearn.solver.search import Search
from boolearn.solver.starts import Searches, Starts
from boolearn.solver.stopping import Fit, StopRule, describe_rule
from boolearn.solver.store import Store, fingerprint
from boolearn.solver.trace import DEFAULT_RATIO
from boolearn.solver.watch import Watch

SolverName = Literal["rrr", "gates", "hybrid", "auto"]


def train(
    network: Network,
    dataset: Dataset,
    *,
    solver: SolverName = "rrr",
    sigma: Sigma = 3,
    beta: Schedule = 0.2,
    gamma: Schedule = 1e-3,
    max_iter: int | None = None,
    max_seconds: float | None = None,
    gap_tol: float = 0.01,
    seed: int = 0,
    items: int | None = None,
    batch: int | None = None,
    batch_iter: int | None = None,
    batch_rule: BatchRule = "whole",
    noise: float = 0.0,
    input_noise: float = 0.0,
    price: float = PRICE,
    stop: str | StopRule | Sequence[StopRule] = "gap",
    restarts: int = 1,
    all_restarts: bool = False,
    halving: int | None = None,
    side_by_side: bool | None = None,
    engine: EngineName = "auto",
    precision: Precision = "single",
    threads: int | None = None,
    checkpoint: PathLike | None = None,
    checkpoint_seconds: float = 60.0,
    resume: bool = False,
    checkpoint_ratio: float = DEFAULT_RATIO,
    callbacks: Sequence[Callback] = (),
    progress: bool = False,
) -> Run:
    """Learn weights with which the network answers as the data says.

    Parameters
    ----------
    solver
        "rrr", the paper's search for weights; "gates", a search among circuits whose neurons are
        copies and gates of at most three inputs (five, see ``sigma``); "auto", both in turns where the problem
        is one for both; "hybrid", the same, each going on from what the other found. The gate search knows
        neither ``beta`` and ``gamma`` nor the engine; its iterations are sweeps, its gap is the share of wrong bits.
    sigma
        The support parameter: neurons keep the margin sqrt(m/σ) and so tend to gates of at most
        σ inputs. A number, one per layer, one per neuron, or a function of the node's number. The gate search
        looks at majorities of five as well where σ is at least 5; below that it takes σ for 3.
    beta, gamma
        The time step of the RRR iteration, in (0, 2), and the relaxation of the metric; γ = 0 leaves the
        metric alone. Numbers, or schedules: functions of the iteration such as ``Linear(0.5, 0.2, 10_000)``.
    max_iter, max_seconds
        When to give up, for each start. By default after 100,000 iterations.
    gap_tol
        A start is solved when the gap falls below this.
    seed
        Same seed, same result. Restart r (from 0) begins from ``seed + r``.
    items
        Train on the first ``items`` items and test on the rest; by default train on all.
    batch, batch_iter, batch_rule
        Have only ``batch`` of the items in the solver at a time, each for ``batch_iter`` iterations (by
        default four per item of the batch); replace all of them at once ("whole") or one after another
        ("oldest"). A start is solved when its gap is closed and every training item is right.
    noise, input_noise
        The share of output bits, and of input bits, that may be wrong in the data. Allow a little more than
        you expect: with less the gap stays open, with much more right bits are given up. RRR lets all items
        begin anew every 2000 iterations when output bits may be wrong (or as a ``batch`` of all items says).
    price
        For the gate search: what an And, Or or majority costs, in wrong bits, while shorter circuits that fit are
        looked for. Where the data leaves things open likely circuits have the last word, whatever the price.
    stop
        What else ends a start at a checkpoint: "gap" for nothing, "fit" when every training bit is right,
        "fit=3" when so at three checkpoints, "target=0.99" for an accuracy on the test part, "stagnation=3"
        when nothing got better while the iterations tripled; several with commas; or rules of your own.
    restarts, all_restarts
        Up to how many starts to try. The first that is solved ends it, unless ``all_restarts``.
    halving
        With η: begin all restarts with a small budget, go on with the better 1/η of them, and so on.
    side_by_side
        Whether starts share the cores, one each; by default they do when the problem is small.
        The outcome is the same.
    engine, precision, threads
        "native" (the default where it was compiled) or "reference"; "half", "single" or "double"; at most
        how many threads, by default all cores or what BOOLEARN_THREADS says.
    checkpoint, checkpoint_seconds, resume
        A directory in which the state of the run is kept, every so many seconds and at its end; with
        ``resume`` a run that was stopped goes on from there as if nothing had happened.
    checkpoint_ratio
        By what factor the iterations grow from one line of the trace to the next.
    progress
        Show a live line (or, when not on a terminal, plain lines) on standard error.
    """
    check_engine(engine, precision)
    pace = checked_pace(beta, gamma, gap_tol)
    noise, input_noise = checked_share("noise", noise), checked_share("input_noise", input_noise)
    price = checked_number("price", price, "finite and at least 0", lambda v: 0 <= v < math.inf)
    seed = checked_integer("seed", seed, 0)
    restarts = checked_integer("restarts", restarts, 1)
    halving = None if halving is None else checked_integer("halving", halving, 2)
    cores = check_threads(threads)
    train_part, test_part = dataset.split(items)
    check_fit(network, train_part)
    tested = test_part is not None and not test_part.input_kind.free
    budget = checked_budget(max_iter, max_seconds, checkpoint_ratio, stop, noise, tested)
    batches = checked_batches(train_part, batch, batch_iter, batch_rule)
    if input_noise and batches is not None and not batches.whole_data:
        raise ParameterError("input_noise", "0 in batches of less than all items", input_noise)
    inside = train_part if batches is None else train_part.take(slice(0, batches.size))
    problem = Problem(network, inside, sigma, noise, input_noise)
    searchable = _check_solver(solver, problem, batches)
    settings: dict[str, object] = {
        "version": __version__,
        "solver": solver,
        "sigma": plain(sigma),
        "beta": describe(pace.beta),
        "gamma": describe(pace.gamma),
        "max_iter": budget.max_iter,
        "max_seconds": budget.max_seconds,
        "gap_tol": pace.gap_tol,
        "seed": seed,
        "items": len(train_part),
        "input_kind": train_part.input_kind.value,
        "noise": noise,
        "input_noise": input_noise,
        "price": price,
        "batch": None if batches is None else batches.size,
        "batch_iter": None if batches is None else batches.iterations,
        "batch_rule": None if batches is None else batches.rule,
        "stop": ",".join(map(describe_rule, budget.stop)) or "gap",
        "restarts": restarts,
        "halving": halving,
        "engine": _engine_name(engine),
        "precision": precision,
    }
    if solver == "gates":
        for name in ("beta", "gamma", "gap_tol", "engine", "precision", "input_noise"):
            del settings[name]
        if not may_be_five(network, sigma).any():
            del settings["sigma"]
    elif solver == "rrr":
        del settings["price"]
    plan = _plan(halving, restarts, all_restarts, budget)
    every = checked_number("checkpoint_seconds", checkpoint_seconds, "at least 0", lambda v: v >= 0)
    if resume and checkpoint is None:
        raise ParameterError("resume", "False where there is no 'checkpoint' directory to go on from", resume)
    workers = starts_at_a_time(problem, engine, cores, restarts, side_by_side)

    def make_gates() -> GatesSolver:
        refine = not any(isinstance(rule, Fit) for rule in budget.stop)
        return GatesSolver(problem, price=price, refine=refine, threads=1 if workers > 1 else cores)

    def make_rrr() -> RrrSearch:
        made = make_engine(problem, engine, precision=precision, threads=1 if workers > 1 else threads)
        return RrrSearch(problem, made, pace, batches)

    def make_search() -> Search:
        if solver == "rrr" or (solver == "auto" and not searchable):
            return make_rrr()
        if solver == "gates":
            return make_gates()
        return HybridSearch(make_rrr(), make_gates(), handover=solver == "hybrid")

    with ExitStack() as stack:
        watching = Several([*callbacks, *_progress_line(progress)])
        stack.callback(watching.close)
        store: Store | None = None
        if checkpoint is not None:
            marks = {"checkpoint_ratio": budget.checkpoint_ratio}
            identity = {**settings, **marks, **fingerprint(problem, train_part, test_part)}
            store = stack.enter_context(closing(Store(checkpoint, identity, every)))
            if not store.empty and not resume:
                raise FileError(
                    store.directory, None, "holds the state of a run; resume it or choose another directory."
                )
        interrupt = stack.enter_context(Interruptible())
        searches = stack.enter_context(closing(Searches(make_search)))
        watch = Watch(network, train_part, test_part)
        starts = Starts(searches, watch, budget, seed, restarts, watching, store, halved=plan is not None)
        if plan is not None:
            best, ends = run_halving(
                plan, workers, starts.solve_up_to, lambda: interrupt.requested, watching.on_run_end, starts.forget
            )
        else:
            best, ends = run_starts(
                restarts, workers, starts.solve, lambda: interrupt.requested, watching.on_run_end, all_restarts
            )
    return replace(best, starts=tuple(ends), settings=settings)


def _plan(halving: int | None, restarts: int, all_restarts: bool, budget: Budget) -> list[tuple[int, int]] | None:
    if halving is None:
        return None
    if all_restarts:
        raise ParameterError("all_restarts", "False with 'halving', which gives most starts up", all_restarts)
    if budget.max_iter is None:
        raise ParameterError("max_iter", "given with 'halving', which shares it out", None)
    return rungs(restarts, budget.max_iter, halving)


def _check_solver(solver: str, problem: Problem, batches: Batches | None) -> bool:
    """Is the problem one for the gate search? Refused where it must be."""
    if solver not in get_args(SolverName):
        raise ParameterError("solver", f"one of {', '.join(map(repr, get_args(SolverName)))}", solver)
    try:
        check_searchable(problem, batches is not None)
    except BoolearnError:
        if solver in ("gates", "hybrid"):
            raise
        return False
    return True


def _progress_line(wanted: bool) -> list[Callback]:
    if not wanted:
        return []
    from boolearn.solver.progress import ProgressLine

    return [ProgressLine()]


def _engine_name(engine: EngineName) -> str:
    """What "auto" comes to here."""
    if engine != "auto":
        return engine
    return "native" if native_available() else "reference"
