"""Runs starts of a setting and counts what they cost."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace

from boolearn.data import Dataset
from boolearn.network import Network
from boolearn.problem import Problem, Sigma
from boolearn.solver.interrupt import Request
from boolearn.solver.starts import Budget, Restarts
from boolearn.solver.starts.measure import Measure
from boolearn.solver.starts.pool import StartPool
from boolearn.solver.starts.race import Ended, run_starts
from boolearn.solver.watching import Callback
from boolearn.training.parameters import Noise
from boolearn.tuning.space import Space, Values
from boolearn.tuning.tried import Tried


@dataclass(frozen=True)
class Conditions:
    """What all settings have in common. Start k begins from ``seed + k`` with all of them."""

    network: Network
    train_part: Dataset
    test_part: Dataset | None
    budget: Budget
    noise: Noise
    seed: int
    cores: int

    def problem(self, sigma: Sigma) -> Problem:
        return Problem(self.network, self.train_part, sigma, self.noise.outputs, self.noise.inputs)


@dataclass
class Player:
    """Takes settings further, start by start."""

    space: Space
    conditions: Conditions
    callback: Callback
    over: Callable[[], Request]
    """Is the time used up, or has the user had enough?"""

    def begin(self, values: Values) -> Tried:
        solver, sigma = self.space.setting(values)
        return Tried(solver, sigma, values, (), cpu_seconds=0.0, given_up=False)

    def play(self, tried: Tried, starts: int) -> Tried:
        """The setting with that many starts, or fewer when the budget ends."""
        first, new = len(tried.summaries), starts - len(tried.summaries)
        if new <= 0 or self.over():
            return tried
        here = self.conditions
        problem = here.problem(tried.sigma)
        pool = StartPool(
            tried.solver,
            problem,
            Measure(tried.solver.model_network(problem), here.train_part, here.test_part),
            here.budget,
            Restarts(new, all=True),
            here.seed + first,
            self.callback,
            self.over,
            cores=here.cores,
            threads=here.cores,
        )
        ended = Ended()
        begun = time.process_time()
        with closing(pool):
            run_starts(pool, range(new), ended.add)
        spent = time.process_time() - begun + pool.cpu_seconds_elsewhere
        summaries = (*tried.summaries, *ended.summaries)
        return replace(tried, summaries=summaries, cpu_seconds=tried.cpu_seconds + spent)

    def iterations_per_second(self, values: Values, seconds: float) -> float:
        """How fast a start is, measured on one that lasts this long."""
        short = replace(self.conditions, budget=Budget(max_seconds=seconds))
        tried = Player(self.space, short, self.callback, self.over).play(self.begin(values), 1)
        start = tried.summaries[0] if tried.summaries else None
        return start.iterations / start.seconds if start is not None and start.seconds > 0 else 0.0
