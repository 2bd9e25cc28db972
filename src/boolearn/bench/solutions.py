"""How long it takes to solve the problems of the paper, and how long it takes the C toolkit."""

from __future__ import annotations

import math
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from boolearn.bench.solvable import SolvableProblem, solvable_problems
from boolearn.bench.toolkit import Orders, Toolkit, check_program, lines_of_trace
from boolearn.checks import checked_integer
from boolearn.cores import check_threads
from boolearn.errors import ParameterError
from boolearn.problem import Problem
from boolearn.ranks import ALONE, Ranks
from boolearn.solver import RRR, Gates, Restarts, Run, Status, Turns
from boolearn.solver.contract import Solver
from boolearn.solver.gates.search import GatesSearch
from boolearn.solver.rrr.search import RRRSearch
from boolearn.solver.stopping import Target
from boolearn.solver.trace import TraceLine
from boolearn.training import train

KEY = ("problem", "solver")
"""The fields of a Comparison that say what was solved, and by what of ours."""

GAP_TOL = 0.01
MOST_STARTS = 100
"""Until one is solved, where their limits grow; by then they have long been the problem's."""


@dataclass(frozen=True)
class UntilClosed(RRR):
    """RRR that ends, as the C toolkit does, when the gap is closed: whether codes give every bit is not checked."""

    def search(
        self, problem: Problem, *, threads: int | None = None, until_fit: bool = False, ranks: Ranks = ALONE
    ) -> RRRSearch:
        search = super().search(problem, threads=threads, until_fit=until_fit, ranks=ranks)
        search.gap_alone = True
        return search


@dataclass(frozen=True)
class UntilFit(Gates):
    """A gate search that ends with the first circuit that fits. With σ of 3 or more its gap is 0."""

    def search(
        self,
        problem: Problem,
        *,
        threads: int | None = None,
        until_fit: bool = True,  # noqa: ARG002
        ranks: Ranks = ALONE,
    ) -> GatesSearch:
        return super().search(problem, threads=threads, until_fit=True, ranks=ranks)


@dataclass(frozen=True)
class Settings:
    """What to solve, and for how long."""

    original: Path | None = None
    """The C toolkit's train program."""
    only: str = ""
    """Only problems whose name contains this."""
    starts: int = 20
    """Of each program on each problem."""
    max_seconds: int = 60
    """CPU time of each program on each problem."""
    threads: int | None = None
    solver: Literal["rrr", "auto"] = "rrr"
    """Of ours: RRR alone, or RRR and the gate search in turns."""
    beta: float | Literal["auto"] | None = None
    gamma: float | Literal["auto"] | None = None
    """Of our RRR, by default those that the solver has; the C toolkit always has the paper's."""
    anneal: int | Literal["auto"] | None = None
    """Of our RRR: over how many iterations σ rises, by default as the solver has it."""
    growing: float | None = None
    """By what factor the limits of our starts grow until one is solved. By default all have the problem's."""
    seed: int = 0

    def __post_init__(self) -> None:
        check_threads(self.threads)
        if self.solver not in ("rrr", "auto"):
            raise ParameterError("solver", "'rrr' or 'auto'", self.solver)
        usual = RRR() if self.solver == "rrr" else RRR(beta="auto", gamma="auto", anneal="auto")
        for name in ("beta", "gamma", "anneal"):
            if getattr(self, name) is None:
                object.__setattr__(self, name, getattr(usual, name))
        self.solver_for(sigma=3), Restarts(growing=self.growing)  # these refuse what is not allowed
        checked_integer("starts", self.starts, 1)
        checked_integer("max_seconds", self.max_seconds, 1)
        names = [task.name for task in solvable_problems()]
        if not any(self.only in name for name in names):
            raise ParameterError("only", f"a part of one of the problems' names, {'; '.join(names)}", self.only)
        if self.original is not None:
            check_program(self.original)

    def solver_for(self, sigma: float) -> Solver:
        """The solver that is named, but for when it ends: as the C toolkit does, with a closed gap.

        Gates of three inputs have the margins of σ = 3. Where larger ones are asked for, RRR is alone.
        """
        assert self.beta is not None
        assert self.gamma is not None
        assert self.anneal is not None
        precision: Literal["single", "auto"] = "single" if self.solver == "rrr" else "auto"
        rrr = UntilClosed(self.beta, self.gamma, GAP_TOL, precision=precision, anneal=self.anneal)
        return rrr if self.solver == "rrr" or sigma < 3 else Turns((rrr, UntilFit()))


@dataclass
class Effort:
    """What one program has spent on one problem, and what for."""

    starts: list[tuple[int, bool]] = field(default_factory=list)
    """Of those that came to their end: iterations, and whether solved. With growing limits one entry is for all starts
    up to one that is solved."""
    seconds: list[float] = field(default_factory=list)
    """Of the same, where some iterations take longer than others."""
    unfinished: int = 0
    """Iterations of starts that the limit of time ended."""
    cpu_seconds: float = 0.0
    wall_seconds: float = 0.0

    @property
    def solved(self) -> int:
        return sum(solved for _, solved in self.starts)

    @property
    def iterations(self) -> int:
        return self.unfinished + sum(iterations for iterations, _ in self.starts)

    @property
    def relative_error(self) -> float | None:
        """Standard error of the cost of a solution, from how starts vary; of a ratio of sums, linearised."""
        n = len(self.starts)
        if n < 2 or not self.solved:
            return None
        costs = self.seconds or [iterations for iterations, _ in self.starts]
        per = sum(costs) / self.solved
        residuals = sum((per * solved - cost) ** 2 for cost, (_, solved) in zip(costs, self.starts, strict=True))
        return math.sqrt(residuals * n / (n - 1)) / sum(costs)

    def row(self) -> dict[str, object]:
        """Costs of a solution count all starts, also those that were not solved."""
        return {
            "starts": len(self.starts),
            "solved": self.solved,
            "iterations": self.iterations,
            "cpu_seconds": self.cpu_seconds,
            "wall_seconds": self.wall_seconds,
            "cpu_seconds_per_solution": self.per_solution(self.cpu_seconds),
            "wall_seconds_per_solution": self.per_solution(self.wall_seconds),
            "relative_error": self.relative_error,
        }

    def per_solution(self, seconds: float) -> float | None:
        return seconds / self.solved if self.solved else None


@dataclass(frozen=True)
class Comparison:
    """Both programs on one problem. Ratios are times of the C toolkit over ours."""

    task: SolvableProblem
    threads: int
    ours: Effort
    original: Effort | None
    solver: str = "rrr"

    @property
    def cpu_ratio(self) -> float | None:
        """Of CPU seconds for a solution; where the C toolkit has none, of the seconds in which it found none."""
        return self._ratio(lambda effort: effort.cpu_seconds)

    @property
    def wall_ratio(self) -> float | None:
        return self._ratio(lambda effort: effort.wall_seconds)

    @property
    def is_bound(self) -> bool:
        """The C toolkit solved nothing: the ratio is at least what is given."""
        return self.original is not None and not self.original.solved

    @property
    def ratio_error(self) -> float | None:
        """Of the ratio of CPU seconds."""
        errors = [effort.relative_error for effort in (self.ours, self.original) if effort is not None]
        if self.cpu_ratio is None or len(errors) < 2 or None in errors:
            return None
        return self.cpu_ratio * math.hypot(*(error for error in errors if error is not None))

    @property
    def iteration_ratio(self) -> float | None:
        """Of CPU seconds for an iteration. The ratio for a solution is this times the ratio of iterations.

        A sweep of a gate search is no iteration: with both there is no such ratio.
        """
        if self.original is None or not self.original.iterations or self.solver != "rrr":
            return None
        return (self.original.cpu_seconds / self.original.iterations) / (self.ours.cpu_seconds / self.ours.iterations)

    @property
    def iterations_ratio(self) -> float | None:
        """Of iterations for a solution: what the ratio would be if both took as long for an iteration."""
        return self._ratio(lambda effort: effort.iterations) if self.solver == "rrr" else None

    def row(self) -> dict[str, object]:
        task = self.task
        return {
            "problem": task.name,
            "solver": self.solver,
            "edges": task.network.n_edges,
            "items": task.learned_items,
            "sigma": task.sigma,
            "original_beta": task.beta,
            "original_gamma": task.gamma,
            "max_iter": task.max_iter,
            "target": task.target,
            "threads": self.threads,
            "ours": self.ours.row(),
            "original": None if self.original is None else self.original.row(),
            "cpu_ratio": self.cpu_ratio,
            "cpu_ratio_error": self.ratio_error,
            "wall_ratio": self.wall_ratio,
            "ratios_are_lower_bounds": self.is_bound,
            "iteration_cpu_ratio": self.iteration_ratio,
            "iterations_ratio": self.iterations_ratio,
        }

    def _ratio(self, seconds: Callable[[Effort], float]) -> float | None:
        if self.original is None or not self.ours.solved:
            return None
        return seconds(self.original) / max(1, self.original.solved) / (seconds(self.ours) / self.ours.solved)


def geometric_mean(ratios: list[float]) -> float | None:
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else None


def run_solutions(settings: Settings) -> Iterator[Comparison]:
    """Solve every problem that is wanted."""
    for task in solvable_problems():
        if settings.only in task.name:
            yield _compared(task, settings)


def _compared(task: SolvableProblem, settings: Settings) -> Comparison:
    """Some starts of the one program, then as many of the other, until both have had enough starts or time."""
    threads = check_threads(settings.threads)
    ours, original = Effort(), None if settings.original is None else Effort()
    with tempfile.TemporaryDirectory() as folder:
        turns: list[tuple[Effort, Callable[[int, int], None]]] = [
            (ours, lambda starts, seconds: _our_starts(ours, task, settings, starts, seconds))
        ]
        if settings.original is not None and original is not None:
            toolkit, effort = Toolkit(settings.original, task.network, task.dataset, Path(folder)), original
            turns.append((original, lambda starts, seconds: _original_starts(effort, task, toolkit, starts, seconds)))
        while turns:
            for effort, run in list(turns):
                wanted = min(max(task.starts_at_once, threads), settings.starts - len(effort.starts))
                seconds = settings.max_seconds - int(effort.cpu_seconds)
                if wanted < 1 or seconds < 1:
                    turns.remove((effort, run))
                else:
                    run(wanted, seconds)
    return Comparison(task, threads, ours, original, settings.solver)


def _our_starts(effort: Effort, task: SolvableProblem, settings: Settings, starts: int, seconds: int) -> None:
    begun, used = time.perf_counter(), time.process_time()

    stopped = threading.Event()

    def out_of_time(trace: Sequence[TraceLine]) -> Status | None:
        del trace
        return Status.DROPPED if stopped.is_set() or time.process_time() - used > seconds else None

    def run_of(first: int, restarts: Restarts, threads: int | None) -> Run:
        run = train(
            task.network,
            task.dataset,
            solver=settings.solver_for(task.sigma),
            sigma=task.sigma,
            items=task.items,
            max_iter=task.max_iter,
            stop=[out_of_time] if task.target is None else [Target(task.target), out_of_time],
            seed=settings.seed + first,
            restarts=restarts,
            threads=threads,
        )
        if run.status is Status.INTERRUPTED:
            raise KeyboardInterrupt
        return run

    tried = len(effort.starts)
    if settings.growing is None:
        run = run_of(tried, Restarts(starts, all=True), settings.threads)
        ended = [(start.iterations, start.status, start.seconds) for start in run.starts]
    else:
        growing = Restarts(MOST_STARTS, growing=settings.growing)
        firsts = [MOST_STARTS * number for number in range(tried, tried + starts)]
        with ThreadPoolExecutor(check_threads(settings.threads)) as pool:  # side by side, as starts are above
            try:
                runs = list(pool.map(lambda first: run_of(first, growing, 1), firsts))
            except BaseException:
                stopped.set()
                raise
        ended = [
            (sum(start.iterations for start in run.starts), run.starts[-1].status, sum(s.seconds for s in run.starts))
            for run in runs
        ]
    effort.cpu_seconds += time.process_time() - used
    effort.wall_seconds += time.perf_counter() - begun
    for iterations, status, wall_seconds in ended:
        if status is Status.DROPPED:
            effort.unfinished += iterations
            continue
        effort.starts.append((iterations, status.solved))
        if settings.solver != "rrr":
            effort.seconds.append(wall_seconds)


def _original_starts(effort: Effort, task: SolvableProblem, toolkit: Toolkit, starts: int, seconds: int) -> None:
    lines = lines_of_trace(task.max_iter)
    gap_tol = GAP_TOL if task.target is None else 0.0
    orders = Orders(
        task.learned_items,
        task.sigma,
        task.beta,
        task.gamma,
        task.max_iter,
        gap_tol,
        lines,
        1 if task.target else starts,
    )
    spent = toolkit.run(orders, seconds)
    trace, share = toolkit.trace(tested=task.target is not None), 1.0
    # It may have come almost to the next line of its trace.
    done = task.max_iter if spent.ended else math.ceil(trace[-1][0] * task.max_iter ** (1 / lines)) if trace else 0
    if task.target is not None:
        # The program cannot stop at an accuracy. What it did after it had reached that does not count.
        reached = next((iteration for iteration, accuracy in trace if accuracy >= task.target), None)
        if reached is not None:
            share = reached / done
        if reached is not None or spent.ended:
            effort.starts.append((reached or task.max_iter, reached is not None))
        else:
            effort.unfinished += done
    else:
        effort.starts += [(iterations or task.max_iter, iterations > 0) for iterations in toolkit.ended_starts()]
        effort.unfinished += 0 if spent.ended else done
    effort.cpu_seconds += spent.cpu_seconds * share
    effort.wall_seconds += spent.wall_seconds * share
