"""Checks of what users pass to train."""

from __future__ import annotations

import math
import numbers
from collections.abc import Sequence

from boolearn.checks import checked_integer, checked_number
from boolearn.data import Dataset
from boolearn.errors import ParameterError
from boolearn.problem import Sigma
from boolearn.solver.attempt import Budget
from boolearn.solver.batches import BATCH_RULES, ITERATIONS_PER_ITEM, Batches, BatchRule
from boolearn.solver.rrr_search import Pace
from boolearn.solver.schedules import Schedule, checked_schedule
from boolearn.solver.stopping import StopRule, Target, stop_rules

_DEFAULT_ITERATIONS = 100_000


def checked_budget(
    max_iter: int | None,
    max_seconds: float | None,
    checkpoint_ratio: float,
    stop: str | StopRule | Sequence[StopRule],
    noise: float,
    tested: bool,
) -> Budget:
    """``tested`` tells whether there are items kept back to test on."""
    ratio = checked_number("checkpoint_ratio", checkpoint_ratio, "finite and above 1", lambda v: 1 < v < math.inf)
    if max_iter is None and max_seconds is None:
        max_iter = _DEFAULT_ITERATIONS
    if max_iter is not None:
        max_iter = checked_integer("max_iter", max_iter, 1, 10**15)
    if max_seconds is not None:
        max_seconds = checked_number("max_seconds", max_seconds, "finite and above 0", lambda v: 0 < v < math.inf)
    rules = stop_rules(stop, noise)
    for rule in rules:
        if isinstance(rule, Target) and not tested:
            raise ParameterError(
                "stop", "without a target where no items are kept back; say how many with 'items'", stop
            )
    return Budget(max_iter, max_seconds, ratio, rules)


def checked_pace(beta: Schedule, gamma: Schedule, gap_tol: float) -> Pace:
    return Pace(
        checked_schedule("beta", beta, "between 0 and 2, both excluded", lambda v: 0 < v < 2),
        checked_schedule("gamma", gamma, "at least 0 and below 1", lambda v: 0 <= v < 1),
        checked_number("gap_tol", gap_tol, "finite and at least 0", lambda v: 0 <= v < math.inf),
    )


def checked_batches(
    dataset: Dataset, batch: int | None, batch_iter: int | None, batch_rule: BatchRule
) -> Batches | None:
    """None when all items are in at a time."""
    if batch_rule not in BATCH_RULES:
        raise ParameterError("batch_rule", "'whole' or 'oldest'", batch_rule)
    if batch is None:
        if batch_iter is not None:
            raise ParameterError("batch_iter", "left out where there is no 'batch'", batch_iter)
        return None
    size = checked_integer("batch", batch, 1, len(dataset))
    iterations = ITERATIONS_PER_ITEM * size if batch_iter is None else checked_integer("batch_iter", batch_iter, 1)
    return Batches(dataset, size, iterations, batch_rule)


def checked_share(name: str, value: float) -> float:
    return checked_number(name, value, "at least 0 and below 0.5", lambda v: 0 <= v < 0.5)


def plain(sigma: Sigma) -> object:
    """σ as a configuration file can hold it."""
    if callable(sigma):
        return getattr(sigma, "__qualname__", "a function")
    return float(sigma) if isinstance(sigma, numbers.Real) else [float(value) for value in sigma]  # type: ignore[union-attr]
