"""The problems whose iterations are timed: the paper's, from the smallest to one that does not fit the caches."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from boolearn.data import Dataset, InputKind, automaton, multiplier
from boolearn.model import random_model
from boolearn.network import Network, layered


@dataclass(frozen=True)
class TimedProblem:
    """A problem to time, and on how many threads; 0 means as many as are worth it."""

    name: str
    network: Network
    dataset: Dataset
    sigma: float = 3.0
    threads: int = 0


def timed_problems() -> list[TimedProblem]:
    """All of them, from small to large."""
    circuit = random_model(32, 32, 32, 32, 32, 32, gates="andor", seed=1)
    fours = np.random.default_rng(1).choice(np.array([-1, 1], np.int8), (1024, 256))
    return [
        TimedProblem("2-bit multiplier", layered(4, 4, 4, 4), multiplier(2), threads=1),
        TimedProblem("3-bit multiplier", layered(6, 12, 12, 12, 6), multiplier(3), threads=1),
        TimedProblem("rule 30, 96 items", layered(16, 32, 32, 16), automaton(30, 16, 1, 96, seed=1)),
        TimedProblem("circuit, 128 items", circuit.network, circuit.sample(128, seed=2)),
        TimedProblem("circuit, 512 items", circuit.network, circuit.sample(512, seed=2)),
        TimedProblem(
            "MNIST 4's, 1024 items", layered(16, 256, 256), Dataset.generative(fours, InputKind.ONE_HOT_CODE), 5.0
        ),
    ]
