"""Which solver gets there for the least work: rrr, gates, auto or hybrid, on the same problems and seeds.

    python benchmarks/solvers.py [--only NAME] [--seeds N] [--seconds S] [-o benchmarks/results/solvers.json]

Seed k is of the data, where they are drawn, and of the solver. A run stops as soon as every training bit is right;
one that does not get there within its budget counts with its time. What is summed up is the CPU time of all runs
of a solver for each of its successes.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from common import arguments, chosen, recording, run_script

from boolearn.data import Dataset, automaton, multiplier
from boolearn.model import random_model
from boolearn.network import Network, layered
from boolearn.training import train

SOLVERS = ("rrr", "gates", "auto", "hybrid")


@dataclass(frozen=True)
class Case:
    network: Network
    data: Callable[[int], Dataset]
    sigma: float = 3


def majority(width: int, items: int) -> Callable[[int], Dataset]:
    """A gate of many inputs, which no single gate of three can stand for."""

    def make(seed: int) -> Dataset:
        inputs = np.random.default_rng(seed).choice(np.array([-1, 1], np.int8), (items, width))
        return Dataset(inputs, np.where(inputs.sum(axis=1) > 0, 1, -1)[:, None])

    return make


def circuit(gates: str, items: int, *widths: int) -> Callable[[int], Dataset]:
    return lambda seed: random_model(*widths, gates=gates, seed=seed).sample(items, seed=seed)


CASES = {
    "2-bit multiplier 4,4,4,4": Case(layered(4, 4, 4, 4), lambda _: multiplier(2)),
    "3-bit multiplier 6,12,12,12,6": Case(layered(6, 12, 12, 12, 6), lambda _: multiplier(3)),
    "rule 30, 96 items": Case(layered(16, 32, 32, 16), lambda seed: automaton(30, 16, 1, 96, seed=seed)),
    "Maj 3×16, 256 items": Case(layered(16, 16, 16, 16), circuit("maj", 256, 16, 16, 16, 16)),
    "And/Or 5×32, 256 items": Case(layered(*[32] * 6), circuit("andor", 256, *[32] * 6)),
    "majority of 9, one neuron": Case(layered(9, 1), majority(9, 200), sigma=9),
    "majority of 9, three hidden": Case(layered(9, 3, 1), majority(9, 200), sigma=9),
}


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--seeds", type=int, default=3, help="how many seeds, from 0")
    parser.add_argument("--seconds", type=float, default=20.0, help="budget of a run")
    options = parser.parse_args()
    seeds = list(range(options.seeds))
    with recording(("problem", "solver"), options, seeds) as record:
        for (name, case), solver in itertools.product(chosen(CASES, options.only).items(), SOLVERS):
            times, solved = [], 0
            for seed in seeds:
                dataset = case.data(seed)
                begun = time.process_time()
                run = train(
                    case.network,
                    dataset,
                    solver=solver,  # type: ignore[arg-type]
                    sigma=case.sigma,
                    seed=seed,
                    stop="fit",
                    max_seconds=options.seconds,
                )
                times.append(time.process_time() - begun)
                solved += run.solved
            per_success = sum(times) / solved if solved else math.inf
            record.add({"problem": name, "solver": solver, "solved": solved, "cpu_seconds": times})
            print(f"{name:32} {solver:7} {solved}/{len(times)} solved, {per_success:8.2f} CPU s each", flush=True)


if __name__ == "__main__":
    run_script(main)
