"""train: the way in. Checks what the user said, runs the starts and picks the best."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Literal

from boolearn._version import __version__
from boolearn.data import Dataset
from boolearn.engine import EngineName, Precision, available_cores, make_engine, native_available
from boolearn.errors import ParameterError
from boolearn.network import Network
from boolearn.problem import Problem, Sigma
from boolearn.solver.callbacks import Callback, Several
from boolearn.solver.gates import check_searchable, solve_gates
from boolearn.solver.interrupt import Interruptible
from boolearn.solver.loop import Budget, solve
from boolearn.solver.restarts import best_of, run_starts
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
    _check_integer("seed", seed, 0)
    _check_integer("restarts", restarts, 1)
    train_part, test_part = dataset.split(items)
    problem = Problem(network, train_part, sigma)
    _check_solver(solver, noise, problem)
    settings: dict[str, object] = {
        "version": __version__,
        "solver": solver,
        "sigma": _plain(sigma),
        "beta": beta,
        "gamma": gamma,
        "max_iter": budget.max_iter,
        "max_seconds": max_seconds,
        "gap_tol": gap_tol,
        "seed": seed,
        "items": len(train_part),
        "stop": stop,
        "restarts": restarts,
        "engine": "reference"
        if engine == "auto" and not native_available()
        else "native"
        if engine == "auto"
        else engine,
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
                    threads=1 if workers > 1 else threads or available_cores(),
                )
            if not hasattr(engines, "mine"):
                engines.mine = make_engine(problem, engine, precision=precision, threads=1 if workers > 1 else threads)
            place = (number + 1, restarts)
            return solve(problem, engines.mine, test_part, budget, seed + number, watching, give_up, place)

        workers = _workers(problem, engine, threads, restarts, side_by_side)
        runs = run_starts(
            restarts, workers, solve_start, lambda: interrupt.requested, watching.on_run_end, all_restarts
        )
    return replace(best_of(runs), starts=tuple(run.start() for run in runs), settings=settings)


def _check_solver(solver: str, noise: float, problem: Problem) -> None:
    if solver not in ("rrr", "gates"):
        raise ParameterError("solver", "'rrr' or 'gates'", solver)
    if not 0 <= noise < 0.5:
        raise ParameterError("noise", "at least 0 and below 0.5", noise)
    if solver == "gates":
        check_searchable(problem)
    elif noise:
        raise ParameterError("noise", "0 for solver='rrr', which has no such allowance", noise)


def _workers(
    problem: Problem, engine: EngineName, threads: int | None, restarts: int, side_by_side: bool | None
) -> int:
    """How many starts run at the same time. Small problems gain nothing from several threads each."""
    if restarts == 1 or side_by_side is False or engine == "reference" or not native_available():
        return 1
    variables = problem.network.n_edges * problem.n_items
    if side_by_side is None and variables > _SMALL:
        return 1
    return min(restarts, threads or available_cores())


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
    if not 0 < beta < 2:
        raise ParameterError("beta", "between 0 and 2, both excluded", beta)
    if not (0 <= gamma < 1):
        raise ParameterError("gamma", "at least 0 and below 1", gamma)
    if not (0 <= gap_tol < math.inf):
        raise ParameterError("gap_tol", "finite and at least 0", gap_tol)
    if max_iter is None and max_seconds is None:
        max_iter = 100_000
    if max_iter is not None:
        _check_integer("max_iter", max_iter, 1)
    if max_seconds is not None and not (0 < max_seconds < math.inf):
        raise ParameterError("max_seconds", "finite and above 0", max_seconds)
    if not (1 < checkpoint_ratio < math.inf):
        raise ParameterError("checkpoint_ratio", "finite and above 1", checkpoint_ratio)
    if stop not in ("gap", "fit"):
        raise ParameterError("stop", "'gap' or 'fit'", stop)
    return Budget(beta, gamma, gap_tol, max_iter, max_seconds, checkpoint_ratio, stop == "fit")


def _check_integer(name: str, value: object, least: int) -> None:
    if isinstance(value, bool) or not hasattr(value, "__index__") or value < least:  # type: ignore[operator]
        raise ParameterError(name, f"an integer, at least {least}", value)


def _plain(sigma: Sigma) -> object:
    """σ as a configuration file can hold it."""
    if callable(sigma):
        return getattr(sigma, "__qualname__", "a function")
    return float(sigma) if isinstance(sigma, int | float) else [float(value) for value in sigma]
