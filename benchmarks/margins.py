"""The paper's autoencoder with one margin for all layers and with different ones for encoder and decoder.

    python benchmarks/margins.py [--starts N] [-o benchmarks/results/margins.json]

2^k random vectors of 2^k bits (seed 0) through k bits, 2^k→k→2^k→2^k, for k = 3 and 4, with γ 1e-4; start r has seed r.
The record tells how many starts are solved and after how many iterations.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from dataclasses import asdict

from boolearn.solver.benchmark import machine

from boolearn import __version__
from boolearn.data import random_vectors
from boolearn.files import write_text
from boolearn.network import layered
from boolearn.solver import success_rate
from boolearn.training import train

MOST_ITERATIONS = {3: 20_000, 4: 60_000}
SIGMAS = ((3, 3, 3), (5, 5, 5), (7, 7, 7), (9, 9, 9), (7, 5, 7), (7, 3, 5), (9, 7, 5), (5, 7, 7))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--starts", type=int, default=20)
    parser.add_argument("-o", "--out")
    options = parser.parse_args()
    rows = []
    for k, sigma in itertools.product(MOST_ITERATIONS, SIGMAS):
        width, cpu = 1 << k, time.process_time()
        run = train(
            layered(width, k, width, width),
            random_vectors(width, width, seed=0),
            sigma=sigma,
            gamma=1e-4,
            max_iter=MOST_ITERATIONS[k],
            restarts=options.starts,
            all_restarts=True,
            seed=0,
        )
        rate = success_rate(run.starts)
        rows.append({"k": k, "sigma": sigma, **asdict(rate), "cpu_seconds": time.process_time() - cpu})
        print(
            f"k {k}, σ {sigma}: {rate.solved} of {rate.starts} solved, {rate.mean_iterations:.0f} ± {rate.error:.0f} "
            f"iterations, CPU {rows[-1]['cpu_seconds']:.1f} s",
            flush=True,
        )
    if options.out:
        record = {"version": __version__, "machine": machine(), "rows": rows}
        write_text(options.out, json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
