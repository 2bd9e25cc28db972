"""Measuring times on a machine that others use too: contestants take turns, and the best of several rounds counts."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping

from boolearn.engine import Engine

BETA, GAMMA = 0.2, 1e-3


def best_in_turns(contestants: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """The least seconds of each; other work on the machine hurts all of them alike."""
    best = dict.fromkeys(contestants, math.inf)
    for _ in range(rounds):
        for name, measure in contestants.items():
            best[name] = min(best[name], measure())
    return best


def seconds_of_one(repeat: Callable[[int], object], n: int) -> float:
    """Seconds of one of ``n`` repetitions."""
    repeat(n)  # cores that were idle while others were timed are awake again after this
    begun = time.perf_counter()
    repeat(n)
    return (time.perf_counter() - begun) / n


def seconds_of_iteration(engine: Engine, n: int) -> float:
    """Seconds of one RRR iteration of an engine."""
    return seconds_of_one(lambda count: engine.iterate(count, beta=BETA, gamma=GAMMA), n)


def seconds_of_pass(size: int, threads: int) -> float:
    """Seconds to read, change and write back this number of bytes, and nothing else."""
    from boolearn._native import seconds_of_pass as measure

    passes = max(3, int(5e7 / size))
    return min(measure(size, threads, passes) for _ in range(7))
