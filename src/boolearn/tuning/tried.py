"""What was seen of a setting, and what tuning returns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from boolearn.problem import Sigma
from boolearn.solver.contract import Solver
from boolearn.solver.run import StartSummary
from boolearn.solver.status import Status
from boolearn.training.parameters import plain_sigma
from boolearn.tuning.space import Values

Cost = Literal["seconds", "iterations"]


@dataclass(frozen=True)
class Tried:
    """A setting and its starts."""

    solver: Solver
    sigma: Sigma
    values: Values
    """What of the setting was searched, by name."""
    summaries: tuple[StartSummary, ...]
    """All starts in the order of their seeds, also those that were cut short at the end of the budget."""
    cpu_seconds: float
    given_up: bool
    """Others did better with as many starts, so it got no more."""

    @property
    def setting(self) -> dict[str, Any]:
        """For ``train(network, data, **setting)``."""
        return {"solver": self.solver, "sigma": self.sigma}

    @property
    def starts(self) -> int:
        """How many starts ended by themselves."""
        return sum(start.status is not Status.INTERRUPTED for start in self.summaries)

    @property
    def solved(self) -> int:
        return sum(start.status.solved for start in self.summaries)

    @property
    def iterations(self) -> int:
        """Of all starts together."""
        return sum(start.iterations for start in self.summaries)

    @property
    def rate(self) -> tuple[float, float]:
        """The share of solved starts and its error; the error is that of Jeffreys' prior, so never 0."""
        a, b = self.solved + 0.5, self.starts - self.solved + 0.5
        return self.solved / max(1, self.starts), math.sqrt(a * b / (a + b + 1)) / (a + b)

    @property
    def iterations_per_success(self) -> tuple[float, float]:
        """Iterations of all starts over successes, and its error; infinite when there is no success."""
        if not self.solved:
            return math.inf, math.inf
        mean = self.iterations / self.solved
        return mean, mean * self._relative_error()

    @property
    def successes_per_second(self) -> tuple[float, float]:
        """Per second of CPU time, and its error."""
        rate = self.solved / self.cpu_seconds if self.cpu_seconds > 0 else 0.0
        return rate, rate * self._relative_error() if self.solved else 0.0

    def expected_cost(self, cost: Cost) -> float:
        """Cost of a success, for comparing settings with as many starts.

        Half a success is added, so that a setting without any has a value too. Those without come after all
        others, and among each other the one whose networks came closer is better.
        """
        total = self.cpu_seconds if cost == "seconds" else float(self.iterations)
        return total / (self.solved + 0.5) * (1 + self._distance())

    def _distance(self) -> float:
        """0 with a success; else below 1, by wrong training bits first and then by gaps."""
        if self.solved or not self.summaries:
            return 0.0
        wrong = sum(1 - start.train_accuracy for start in self.summaries) / len(self.summaries)
        gaps = [start.gap if math.isfinite(start.gap) else 1e9 for start in self.summaries]
        gap = sum(gaps) / len(gaps)
        return 0.9 * wrong + 0.01 * gap / (1 + gap)

    def _relative_error(self) -> float:
        """Of iterations per success: a ratio of sums over independent starts, linearised."""
        n, solved, iterations = len(self.summaries), self.solved, self.iterations
        squares = sum((start.status.solved / solved - start.iterations / iterations) ** 2 for start in self.summaries)
        # One start, or starts that all took the same time, tell nothing of the spread of rare events.
        return math.sqrt(squares * n / (n - 1)) if n > 1 and squares > 0 else 1.0 / math.sqrt(solved)

    def plain(self) -> dict[str, object]:
        """The setting as JSON can hold it."""
        settings = {"solver": self.solver.name, **self.solver.settings(), "sigma": plain_sigma(self.sigma)}
        return {name: value for name, value in settings.items() if value is not None}

    def result(self) -> dict[str, object]:
        """In plain values."""
        per_success, per_second = self.iterations_per_success, self.successes_per_second
        return {
            **self.plain(),
            "starts": self.starts,
            "solved": self.solved,
            "rate": self.rate[0],
            "rate_error": self.rate[1],
            "iterations_per_success": per_success[0] if self.solved else None,
            "iterations_per_success_error": per_success[1] if self.solved else None,
            "successes_per_second": per_second[0],
            "successes_per_second_error": per_second[1],
            "cpu_seconds": self.cpu_seconds,
            "train_accuracy": max((start.train_accuracy for start in self.summaries), default=0.0),
            "given_up": self.given_up,
        }


@dataclass(frozen=True)
class Tuning:
    """All settings that were tried, and the best of them."""

    settings: tuple[Tried, ...]
    """In the order in which they were tried."""
    winner: Tried
    cost: Cost
    """What a success was counted to cost: seconds of CPU time, or iterations."""
    max_iter: int
    seed: int
    seconds: float
    interrupted: bool

    @property
    def best(self) -> dict[str, Any]:
        """The best setting, for ``train(network, data, **tuning.best)``."""
        return self.winner.setting

    @property
    def solved(self) -> bool:
        """Did the best setting solve the problem at all?"""
        return self.winner.solved > 0

    def ranking(self) -> list[Tried]:
        """The best first. More starts come before fewer: those who stopped early were worse."""
        return ranked(self.settings, self.winner, self.cost)

    def result(self) -> dict[str, object]:
        """The outcome in plain values, as files and scripts want it."""
        return {
            "best": self.winner.plain(),
            "solved": self.solved,
            "cost": self.cost,
            "max_iter": self.max_iter,
            "seed": self.seed,
            "seconds": self.seconds,
            "interrupted": self.interrupted,
            "settings": [tried.result() for tried in self.ranking()],
        }

    def __repr__(self) -> str:
        tried = self.winner
        values = ", ".join(f"{name} {value}" for name, value in tried.values.items()) or tried.solver.name
        return f"Tuning({len(self.settings)} settings; best: {values}, {tried.solved} of {tried.starts} starts solved)"


def ranked(settings: Sequence[Tried], winner: Tried, cost: Cost) -> list[Tried]:
    others = [tried for tried in settings if tried is not winner]
    return [winner, *sorted(others, key=lambda tried: (-tried.starts, tried.expected_cost(cost)))]
