"""The order in which settings are tried, and when they are given up.

A sampler proposes settings. Each gets a few starts, twice as many when it is among the better half of all that
had as many, and so on up to ``starts``. What is left of the budget goes to the few best: choosing the luckiest of
many would otherwise be choosing luck.

Li et al., "A system for massively parallel hyperparameter tuning" (successive halving without waiting).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from types import ModuleType
from typing import TYPE_CHECKING

from boolearn.errors import MissingExtraError
from boolearn.tuning.space import Space, Values
from boolearn.tuning.trials import Player
from boolearn.tuning.tried import Cost, Tried

if TYPE_CHECKING:
    import optuna

_FINALISTS = 3
_FINAL_FACTOR = 4
"""How many times as many starts the finalists get."""
_RANDOM_FIRST = 8
"""Settings drawn at random before the sampler uses what it has seen."""


class Proposals:
    """Settings to try, one after another: all of them where they can be counted, else what the sampler says."""

    def __init__(self, space: Space, first: Values, seed: int) -> None:
        self._space = space
        self._first = first
        self._seed = seed
        self._listed: list[Values] = []
        self._study: optuna.study.Study | None = None
        self._trial: optuna.trial.Trial | None = None
        if space.size is not None:
            self._listed = space.all_values()
            random.Random(seed).shuffle(self._listed)  # noqa: S311
            self._listed.sort(key=lambda values: values != first)
            return
        optuna = _optuna()
        with _quiet(optuna):
            sampler = optuna.samplers.TPESampler(seed=seed, n_startup_trials=_RANDOM_FIRST)
            self._study = optuna.create_study(sampler=sampler)
            usual = space.parameters_of(first)
            if usual is not None:
                self._study.enqueue_trial(usual)

    def next(self) -> Values | None:
        """None when there is nothing left to try."""
        if self._study is None:
            return self._listed.pop(0) if self._listed else None
        with _quiet(_optuna()):
            self._trial = self._study.ask()
            return self._space.suggested(self._trial)

    def learn(self, tried: Tried, cost: Cost) -> None:
        """How the last setting did."""
        if self._study is None or self._trial is None:
            return
        optuna = _optuna()
        # Cost varies by factors, and so few starts tell it within a factor at best.
        value = math.log(max(tried.expected_cost(cost), 1e-9))
        with _quiet(optuna):
            if tried.given_up:
                self._trial.report(value, step=len(tried.summaries))
                self._study.tell(self._trial, state=optuna.trial.TrialState.PRUNED)
            else:
                self._study.tell(self._trial, value)


@dataclass
class Race:
    """All settings tried so far."""

    player: Player
    starts: int
    cost: Cost
    told: Callable[[int, Tried], None]
    """Called with a setting and its number, from 1, whenever it has been tried."""
    settings: list[Tried] = field(default_factory=list)
    _costs: dict[int, list[float]] = field(default_factory=dict)
    """Of all settings that had as many starts."""

    def explore(self, proposals: Proposals, trials: int | None, over: Callable[[], bool]) -> None:
        """Try settings until there are no more, or it is over."""
        while (trials is None or len(self.settings) < trials) and not (self.settings and over()):
            values = proposals.next()
            if values is None:
                return
            tried = self._try(values)
            self.settings.append(tried)
            proposals.learn(tried, self.cost)
            self.told(len(self.settings), tried)

    def confirm(self) -> None:
        """More starts for the best, in turns so that they stay comparable."""
        for starts in range(2 * self.starts, _FINAL_FACTOR * self.starts + 1, self.starts):
            finalists = sorted(self._finalists(), key=lambda place: self.settings[place].expected_cost(self.cost))
            for place in finalists[:_FINALISTS]:
                if self.player.over():
                    return
                self.settings[place] = self.player.play(self.settings[place], starts)
                self.told(place + 1, self.settings[place])

    def winner(self) -> Tried:
        """The cheapest of those that were not given up and had at least half as many starts as any.

        Fewer starts are more easily lucky, and where the budget ended early some had fewer.
        """
        going = [self.settings[place] for place in self._finalists()] or self.settings
        most = max(len(tried.summaries) for tried in going)
        rivals = [tried for tried in going if 2 * len(tried.summaries) >= most]
        return min(rivals, key=lambda tried: (tried.solved == 0, tried.expected_cost(self.cost)))

    def _try(self, values: Values) -> Tried:
        tried = self.player.begin(values)
        for rung in judged_after(self.starts):
            tried = self.player.play(tried, rung)
            if len(tried.summaries) < rung or self.player.over():
                return tried
            cost = tried.expected_cost(self.cost)
            others = self._costs.setdefault(rung, [])
            others.append(cost)
            better_half = sorted(others)[: (len(others) + 1) // 2]
            if rung < self.starts and cost > better_half[-1]:
                return replace(tried, given_up=True)
        return tried

    def _finalists(self) -> list[int]:
        return [place for place, tried in enumerate(self.settings) if tried.summaries and not tried.given_up]


def judged_after(starts: int) -> list[int]:
    """After how many starts a setting is judged: a quarter, a half, and all of them."""
    return sorted({max(1, starts // 4), max(1, starts // 2), starts})


def _optuna() -> ModuleType:
    try:
        import optuna
    except ImportError:
        raise MissingExtraError("Tuning over ranges", "tune") from None
    return optuna


@contextmanager
def _quiet(optuna: ModuleType) -> Iterator[None]:
    """Nothing but the command line prints; what the user has set comes back."""
    verbosity = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        yield
    finally:
        optuna.logging.set_verbosity(verbosity)
