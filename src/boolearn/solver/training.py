"""train: the way in. Checks what the user said, runs the starts and picks the best."""

from __future__ import annotations

import math
import numbers
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Literal

from boolearn._version import __version__
from boolearn.cores import check_threads
from boolearn.data import Dataset
from boolearn.engine import EngineName, Precision, make_engine, native_available
from boolearn.errors import ParameterError
from boolearn.network import Network
from boolearn.problem import Problem, Sigma
from boolearn.solver.callbacks import Callback, Several
from boolearn.solver.gates import check_searchable, solve_gates
from boolearn.solver.interrupt import Interruptible
from boolearn.solver.loop import Budget, solve
from boolearn.solver.restarts import run_starts
from boolearn.solver.run import Run
from boolearn.solver.trace import DEFAULT_RATIO

_SMALL = 200_000
"""Edges times items below which a start is better off with one core of its own."""


def train(
    network: Network,
    dataset: Dataset,
    *,
    solver: Literal["rrr", "gates"] = "rrr",
    sigma: Sigma = 3,
    beta: float = 0.2,
    gamma: float = 1e-3,
    max_iter: int | None = None,
    max_seconds: float | None = None,
    gap_tol: float = 0.01,
    seed: int = 0,
    items: int | None = None,
    stop: Literal["gap", "fit"] = "gap",
    restarts: int = 1,
    all_restarts: bool = False,
    side_by_side: bool | None = None,
    engine: EngineName = "auto",
    precision: Precision = "single",
    threads: int | None = None,
    noise: float = 0.0,
    checkpoint_ratio: float = DEFAULT_RATIO,
    callbacks: Sequence[Callback] = (),
    progress: bool = False,
) -> Run:
    """Learn weights with which the network answers as the data says.

    Parameters
    ----------
    solver
        "rrr", the paper's search for weights, or "gates", a search among circuits whose neurons are
        copies and gates of at most three inputs. The latter knows neither ``sigma``, ``beta`` and
        ``gamma`` nor the engine; its iterations are sweeps and its gap is the share of wrong bits.
    sigma
        The support parameter: neurons keep the margin sqrt(m/σ) and so tend to gates of at most
        σ inputs. A number, one per layer, one per neuron, or a function of the node's number.
    beta, gamma
        The time step of the RRR iteration, in (0, 2), and the relaxation of the metric.
    max_iter, max_seconds
        When to give up, for each start. By default after 100,000 iterations.
    gap_tol
        A start is solved when the gap falls below this.
    seed
        Same seed, same result. Restart r (from 0) begins from ``seed + r``.
    items
        Train on the first ``items`` items and test on the rest; by default train on all.
    stop
        "gap", or "fit": also stop at a checkpoint where every training bit is right.
    restarts, all_restarts
        Up to how many starts to try. The first that is solved ends it, unless ``all_restarts``.
    side_by_side
        Whether starts share the cores, one each; by default they do when the problem is small.
        The outcome is the same.
    engine, precision, threads
        "native" (the default where it was compiled) or "reference"; "single" or "double"; at most
        how many threads, by default all cores or what BOOLEARN_THREADS says.
    noise
        For solver="gates": the share of output bits thought to be wrong in the data. A circuit is then
        solved when it disagrees with no more bits than that.
    progress
        Show a live line (or, when not on a terminal, plain lines) on standard error.
    """
    budget = _budget(beta, gamma, gap_tol, max_iter, max_seconds, checkpoint_ratio, stop)
    seed = _check_integer("seed", seed, 0)
    restarts = _check_integer("restarts", restarts, 1)
    cores = check_threads(threads)
    train_part, test_part = dataset.split(items)
    problem = Problem(network, train_part, sigma)
    _check_solver(solver, noise, problem)
    settings: dict[str, object] = {
        "version": __version__,
        "solver": solver,
        "sigma": _plain(sigma),
        "beta": budget.beta,
        "gamma": budget.gamma,
        "max_iter": budget.max_iter,
        "max_seconds": budget.max_seconds,
        "gap_tol": budget.gap_tol,
        "seed": seed,
        "items": len(train_part),
        "input_kind": train_part.input_kind.value,
        "stop": stop,
        "restarts": restarts,
        "engine": _engine_name(engine),
        "precision": precision,
    }
    if solver == "gates":
        for name in ("sigma", "beta", "gamma", "gap_tol", "engine", "precision"):
            del settings[name]
        settings["noise"] = noise
    with ExitStack() as stack:
        watching = Several([*callbacks, *_progress_line(progress)])
        stack.callback(watching.close)
        interrupt = stack.enter_context(Interruptible())
        engines = threading.local()

        def solve_start(number: int, give_up: Callable[[], bool]) -> Run:
            if solver == "gates":
                return solve_gates(
                    problem,
                    test_part,
                    budget,
                    seed + number,
                    watching,
                    give_up,
                    (number + 1, restarts),
                    noise=noise,
                    threads=1 if workers > 1 else cores,
                )
            if not hasattr(engines, "mine"):
                engines.mine = make_engine(problem, engine, precision=precision, threads=1 if workers > 1 else threads)
            place = (number + 1, restarts)
            return solve(problem, engines.mine, test_part, budget, seed + number, watching, give_up, place)

        workers = _workers(problem, engine, cores, restarts, side_by_side)
        best, starts = run_starts(
            restarts, workers, solve_start, lambda: interrupt.requested, watching.on_run_end, all_restarts
        )
    return replace(best, starts=tuple(starts), settings=settings)


def _check_solver(solver: str, noise: float, problem: Problem) -> None:
    if solver not in ("rrr", "gates"):
        raise ParameterError("solver", "'rrr' or 'gates'", solver)
    if not 0 <= noise < 0.5:
        raise ParameterError("noise", "at least 0 and below 0.5", noise)
    if solver == "gates":
        check_searchable(problem)
    elif noise:
        raise ParameterError("noise", "0 for solver='rrr', which has no such allowance", noise)


def _workers(problem: Problem, engine: EngineName, cores: int, restarts: int, side_by_side: bool | None) -> int:
    """How many starts run at the same time. Small problems gain nothing from several threads each."""
    if restarts == 1 or side_by_side is False or engine == "reference" or not native_available():
        return 1
    variables = problem.network.n_edges * problem.n_items
    if side_by_side is None and variables > _SMALL:
        return 1
    return min(restarts, cores)


def _progress_line(wanted: bool) -> list[Callback]:
    if not wanted:
        return []
    from boolearn.solver.progress import ProgressLine

    return [ProgressLine()]


def _budget(
    beta: float,
    gamma: float,
    gap_tol: float,
    max_iter: int | None,
    max_seconds: float | None,
    checkpoint_ratio: float,
    stop: str,
) -> Budget:
    beta = _check_number("beta", beta, "between 0 and 2, both excluded", lambda v: 0 < v < 2)
    gamma = _check_number("gamma", gamma, "at least 0 and below 1", lambda v: 0 <= v < 1)
    gap_tol = _check_number("gap_tol", gap_tol, "finite and at least 0", lambda v: 0 <= v < math.inf)
    checkpoint_ratio = _check_number(
        "checkpoint_ratio", checkpoint_ratio, "finite and above 1", lambda v: 1 < v < math.inf
    )
    if max_iter is None and max_seconds is None:
        max_iter = 100_000
    if max_iter is not None:
        max_iter = _check_integer("max_iter", max_iter, 1, 10**15)
    if max_seconds is not None:
        max_seconds = _check_number("max_seconds", max_seconds, "finite and above 0", lambda v: 0 < v < math.inf)
    if stop not in ("gap", "fit"):
        raise ParameterError("stop", "'gap' or 'fit'", stop)
    return Budget(beta, gamma, gap_tol, max_iter, max_seconds, checkpoint_ratio, stop == "fit")


def _check_number(name: str, value: object, rule: str, allowed: Callable[[float], bool]) -> float:
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not allowed(float(value)):
        raise ParameterError(name, rule, value)
    return float(value)


def _check_integer(name: str, value: object, least: int, most: int | None = None) -> int:
    whole = isinstance(value, numbers.Integral) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):  # type: ignore[operator]
        rule = f"an integer, at least {least}" if most is None else f"an integer from {least} to {most}"
        raise ParameterError(name, rule, value)
    return int(value)  # type: ignore[call-overload,no-any-return]


def _engine_name(engine: EngineName) -> str:
    """What "auto" comes to here."""
    if engine != "auto":
        return engine
    return "native" if native_available() else "reference"


def _plain(sigma: Sigma) -> object:
    """σ as a configuration file can hold it."""
    if callable(sigma):
        return getattr(sigma, "__qualname__", "a function")
    return float(sigma) if isinstance(sigma, numbers.Real) else [float(value) for value in sigma]  # type: ignore[union-attr]
