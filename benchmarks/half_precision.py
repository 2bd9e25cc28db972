"""Half precision: does it solve as often as single, and what does it gain?

    python benchmarks/half_precision.py [-o benchmarks/results/half_precision.json]

Success rates over as many starts, seeds 0, 1, …, σ = 3, β = 0.2, γ = 1e-3; then the time of one iteration on
problems of growing size, in turns, the best of several rounds.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from typing import Any, Literal

from boolearn.data import multiplier
from boolearn.engine.native import NativeEngine
from boolearn.files import write_text
from boolearn.model import random_circuit
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.solver import success_rate, train
from boolearn.solver.benchmark import BETA, GAMMA, machine, tasks

KINDS: tuple[Literal["half", "single"], ...] = ("half", "single")


def rates(starts: int) -> list[dict[str, Any]]:
    circuit = random_circuit(8, 8, 8, gates="andor", seed=1)
    problems = {
        "2-bit multiplier, 4→4→4→4": (layered(4, 4, 4, 4), multiplier(2), 10_000),
        "And/Or circuit, 8→8→8, 128 items": (circuit.network, circuit.sample(128, seed=2), 5_000),
    }
    rows = []
    for name, (network, dataset, most) in problems.items():
        for kept in KINDS:
            run = train(network, dataset, max_iter=most, restarts=starts, all_restarts=True, precision=kept)
            rate = success_rate(run.starts)
            rows.append(
                {
                    "problem": name,
                    "kept": kept,
                    "starts": rate.starts,
                    "solved": rate.solved,
                    "mean_iterations": rate.mean_iterations,
                    "error": rate.error,
                }
            )
            share = rate.solved / rate.starts
            error = math.sqrt(share * (1 - share) / rate.starts)
            print(
                f"{name}, {kept}: {rate.solved} of {rate.starts} solved, {share:.3f} ± {error:.3f}; "
                f"{rate.mean_iterations:.0f} ± {rate.error:.0f} iterations",
                flush=True,
            )
    return rows


def times(rounds: int) -> list[dict[str, Any]]:
    rows = []
    for task in tasks()[2:]:
        problem = Problem(task.network, task.dataset, task.sigma)
        variables = task.network.n_edges * problem.n_items
        engines = {kept: NativeEngine(problem, precision=kept) for kept in KINDS}
        iterations = max(3, int(1e8 / variables))
        best = dict.fromkeys(KINDS, math.inf)
        for engine in engines.values():
            engine.iterate(3, beta=BETA, gamma=GAMMA)
        for _ in range(rounds):
            for kept, engine in engines.items():
                begun = time.perf_counter()
                engine.iterate(iterations, beta=BETA, gamma=GAMMA)
                best[kept] = min(best[kept], (time.perf_counter() - begun) / iterations)
        row = {
            "problem": task.name,
            "nanoseconds": {kept: 1e9 * seconds / variables for kept, seconds in best.items()},
            "bytes_per_variable": {kept: engine.nbytes / variables for kept, engine in engines.items()},
            "ratio": best["single"] / best["half"],
        }
        rows.append(row)
        print(f"{task.name}: {row['ratio']:.2f} times as fast in half precision", flush=True)
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--starts", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("-o", "--out")
    options = parser.parse_args()
    record = {"machine": machine(), "rates": rates(options.starts), "times": times(options.rounds)}
    if options.out:
        write_text(options.out, json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
