"""Does the cost of an iteration grow linearly with edges × items? From caches to memory, over three decades.

python benchmarks/scaling.py [-o benchmarks/results/scaling.json]
"""

from __future__ import annotations

import argparse
import json
import math
import time

import numpy as np

from boolearn.data import Dataset
from boolearn.engine.native import NativeEngine
from boolearn.files import write_text
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.solver.benchmark import BETA, GAMMA, machine, seconds_of_pass

SIZES = [(16, 16), (16, 64), (32, 64), (32, 256), (64, 256), (64, 1024), (128, 1024), (128, 4096)]
"""Width of four equal layers, and items."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("-o", "--out")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    rows = []
    print(f"{'edges·items':>12}{'megabytes':>11}{'ns per edge·item':>18}{'of limit':>10}")
    for width, items in SIZES:
        network = layered(width, width, width, width)
        signs = rng.choice(np.array([-1, 1], np.int8), (items, 2 * width))
        problem = Problem(network, Dataset(signs[:, :width], signs[:, width:]))
        engine = NativeEngine(problem, threads=options.threads)
        size = network.n_edges * items
        n = max(2, int(3e7 / size))
        engine.iterate(n, beta=BETA, gamma=GAMMA)
        best = math.inf
        for _ in range(options.rounds):
            begun = time.perf_counter()
            engine.iterate(n, beta=BETA, gamma=GAMMA)
            best = min(best, (time.perf_counter() - begun) / n)
        row = {"edges_times_items": size, "bytes": engine.nbytes, "nanoseconds": 1e9 * best / size}
        row["share_of_limit"] = seconds_of_pass(8 * size, options.threads) / best
        rows.append(row)
        print(
            f"{size:12d}{row['bytes'] / 1e6:11.1f}{row['nanoseconds']:18.3f}{row['share_of_limit']:10.0%}", flush=True
        )
    if options.out:
        record = {"machine": machine(), "threads": options.threads, "rows": rows}
        write_text(options.out, json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
