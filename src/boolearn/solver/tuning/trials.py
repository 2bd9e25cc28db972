"""Plays starts of a setting and counts what they cost."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace

from boolearn.data import Dataset
from boolearn.engine import EngineName, Precision, make_engine
from boolearn.network import Network
from boolearn.problem import Problem
from boolearn.solver.attempt import Budget
from boolearn.solver.callbacks import Callback
from boolearn.solver.parameters import checked_pace
from boolearn.solver.restarts import run_starts, starts_at_a_time
from boolearn.solver.rrr_search import RrrSearch
from boolearn.solver.run import Run
from boolearn.solver.starts import Searches, Starts
from boolearn.solver.tuning.space import Setting
from boolearn.solver.tuning.tried import Tried
from boolearn.solver.watch import Watch


@dataclass(frozen=True)
class Conditions:
    """What all settings have in common. Start k begins from ``seed + k`` under all of them."""

    network: Network
    train_part: Dataset
    test_part: Dataset | None
    budget: Budget
    gap_tol: float
    noise: float
    input_noise: float
    seed: int
    engine: EngineName
    precision: Precision
    cores: int

    def problem(self, setting: Setting) -> Problem:
        return Problem(self.network, self.train_part, setting["sigma"], self.noise, self.input_noise)


@dataclass
class Player:
    """Takes settings further, start by start."""

    conditions: Conditions
    callback: Callback
    over: Callable[[], bool]
    """Is the time used up, or has the user had enough?"""

    def begin(self, setting: Setting) -> Tried:
        return Tried(**setting, runs=(), cpu_seconds=0.0, given_up=False)

    def play(self, tried: Tried, starts: int) -> Tried:
        """The setting with as many starts as this, or fewer when the budget ends."""
        first, new = len(tried.runs), starts - len(tried.runs)
        if new <= 0 or self.over():
            return tried
        here = self.conditions
        problem = here.problem(tried.setting)
        pace = checked_pace(tried.beta, tried.gamma, here.gap_tol)
        workers = starts_at_a_time(problem, here.engine, here.cores, new, None)

        def make_search() -> RrrSearch:
            threads = 1 if workers > 1 else here.cores
            made = make_engine(problem, here.engine, precision=here.precision, threads=threads)
            return RrrSearch(problem, made, pace)

        begun = time.process_time()
        with closing(Searches(make_search)) as searches:
            watch = Watch(here.network, here.train_part, here.test_part)
            made = Starts(searches, watch, here.budget, here.seed + first, new, self.callback, None, halved=False)
            _, ends = run_starts(new, workers, made.solve, self.over, _silent, all_restarts=True)
        spent = time.process_time() - begun
        return replace(tried, runs=(*tried.runs, *ends), cpu_seconds=tried.cpu_seconds + spent)

    def iterations_per_second(self, setting: Setting, seconds: float) -> float:
        """How fast a start goes, seen on one that lasts so long."""
        short = replace(self.conditions, budget=Budget(max_seconds=seconds))
        tried = Player(short, self.callback, self.over).play(self.begin(setting), 1)
        start = tried.runs[0] if tried.runs else None
        return start.iterations / start.seconds if start is not None and start.seconds > 0 else 0.0


def _silent(_run: Run) -> None:
    """Single starts are no news here."""
