"""Does the cost of an iteration grow linearly with edges × items? From caches to memory, over three decades.

python benchmarks/scaling.py [-o benchmarks/results/scaling.json]
"""

from __future__ import annotations

import numpy as np
from common import arguments, recording, run_script

from boolearn.bench.clock import best_in_turns, seconds_of_iteration, seconds_of_pass
from boolearn.data import Dataset
from boolearn.engine.native import NativeEngine
from boolearn.network import layered
from boolearn.problem import Problem

SIZES = [(16, 16), (16, 64), (32, 64), (32, 256), (64, 256), (64, 1024), (128, 1024), (128, 4096)]
"""Width of four equal layers, and items."""


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    print(f"{'edges·items':>12}{'megabytes':>11}{'ns per edge·item':>18}{'of limit':>10}")
    with recording(("edges_times_items",), options, seeds=1) as record:
        for width, items in SIZES:
            network = layered(width, width, width, width)
            signs = rng.choice(np.array([-1, 1], np.int8), (items, 2 * width))
            engine = NativeEngine(
                Problem(network, Dataset(signs[:, :width], signs[:, width:])), threads=options.threads
            )
            row = measure(engine, network.n_edges * items, options.threads, options.rounds)
            record.add(row)
            print(
                f"{row['edges_times_items']:12d}{row['bytes'] / 1e6:11.1f}{row['nanoseconds']:18.3f}"
                f"{row['share_of_limit']:10.0%}",
                flush=True,
            )


def measure(engine: NativeEngine, size: int, threads: int, rounds: int) -> dict[str, float]:
    """``size`` is edges × items; an edge and an item have two variables of four bytes."""
    contestants = {
        "iteration": lambda: seconds_of_iteration(engine, max(2, int(3e7 / size))),
        "pass": lambda: seconds_of_pass(8 * size, threads),
    }
    best = best_in_turns(contestants, rounds)
    return {
        "edges_times_items": size,
        "bytes": engine.nbytes,
        "nanoseconds": 1e9 * best["iteration"] / size,
        "share_of_limit": best["pass"] / best["iteration"],
    }


if __name__ == "__main__":
    run_script(main)
