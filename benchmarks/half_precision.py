"""Half precision: does it solve as often as single, and what does it gain?

    python benchmarks/half_precision.py [-o benchmarks/results/half_precision.json]

Success rates over the same number of starts, seeds 0, 1, …, β = 0.2, γ = 1e-3; then the time of one iteration on
problems of growing size, in turns, the best of several rounds.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import Any

from common import arguments, recording, run_script

from boolearn.bench.clock import best_in_turns, seconds_of_iteration
from boolearn.bench.problems import timed_problems
from boolearn.data import InputKind, multiplier, random_vectors
from boolearn.engine import Precision
from boolearn.engine.native import NativeEngine
from boolearn.model import random_model
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.solver import Restarts, success_rate
from boolearn.training import train

PRECISIONS: tuple[Precision, ...] = ("half", "single")


def rates(starts: int) -> Iterator[dict[str, Any]]:
    circuit = random_model(8, 8, 8, gates="andor", seed=1)
    majorities = random_model(8, 8, 8, gates="maj", seed=1)
    vectors, codes = random_vectors(8, 8, seed=1), random_vectors(8, 8, 1, InputKind.ANY_CODE)
    problems = {
        "2-bit multiplier, 4→4→4→4": (layered(4, 4, 4, 4), multiplier(2), 3, 10_000),
        "And/Or circuit, 8→8→8, 128 items": (circuit.network, circuit.sample(128, seed=2), 3, 5_000),
        "Maj circuit, 8→8→8, 128 items": (majorities.network, majorities.sample(128, seed=2), 3, 5_000),
        "autoencoder, 8→3→8→8": (layered(8, 3, 8, 8), vectors, 7, 20_000),
        "decoder, 3→8→8": (layered(3, 8, 8), codes, 5, 20_000),
    }
    for name, (network, dataset, sigma, most) in problems.items():
        for precision in PRECISIONS:
            every = Restarts(starts, all=True)
            run = train(network, dataset, sigma=sigma, max_iter=most, restarts=every, precision=precision)
            rate = success_rate(run.starts)
            share = rate.solved / rate.starts
            error = math.sqrt(share * (1 - share) / rate.starts)
            print(
                f"{name}, {precision}: {rate.solved} of {rate.starts} solved, {share:.3f} ± {error:.3f}; "
                f"{rate.mean_iterations:.0f} ± {rate.error:.0f} iterations",
                flush=True,
            )
            yield {"measured": "success rate", "problem": name, "precision": precision, **asdict(rate)}


def times(rounds: int) -> Iterator[dict[str, Any]]:
    for task in timed_problems()[2:]:
        problem = Problem(task.network, task.dataset, task.sigma)
        variables = task.network.n_edges * problem.n_items
        engines = {precision: NativeEngine(problem, precision=precision) for precision in PRECISIONS}
        iterations = max(3, int(1e8 / variables))
        contestants: dict[str, Callable[[], float]] = {
            precision: functools.partial(seconds_of_iteration, engine, iterations)
            for precision, engine in engines.items()
        }
        best = best_in_turns(contestants, rounds)
        ratio = best["single"] / best["half"]
        print(f"{task.name}: {ratio:.2f} times as fast in half precision", flush=True)
        yield {
            "measured": "iteration time",
            "problem": task.name,
            "nanoseconds": {precision: 1e9 * seconds / variables for precision, seconds in best.items()},
            "bytes_per_variable": {precision: engine.nbytes / variables for precision, engine in engines.items()},
            "ratio": ratio,
        }


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--starts", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=8)
    options = parser.parse_args()
    with recording(("measured", "problem", "precision"), options, seeds="start r has seed r") as record:
        for row in itertools.chain(rates(options.starts), times(options.rounds)):
            record.add(row)


if __name__ == "__main__":
    run_script(main)
