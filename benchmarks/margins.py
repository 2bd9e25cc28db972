"""The paper's autoencoder with one margin for all layers and with different ones for encoder and decoder.

    python benchmarks/margins.py [--starts N] [-o benchmarks/results/margins.json]

Eight random vectors of eight bits (seed 0) through three bits, 8→3→8→8, γ 1e-4, at most 20,000 iterations; start r has
seed r. The record tells how many starts are solved and after how many iterations.
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import asdict

from boolearn import __version__
from boolearn.data import random_vectors
from boolearn.files import write_text
from boolearn.network import layered
from boolearn.solver import success_rate, train
from boolearn.solver.benchmark import machine

SIGMAS = ((3, 3, 3), (5, 5, 5), (7, 7, 7), (9, 9, 9), (7, 3, 3), (9, 7, 5), (5, 7, 7), (9, 5, 7))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--starts", type=int, default=40)
    parser.add_argument("-o", "--out")
    options = parser.parse_args()
    vectors = random_vectors(8, 8, seed=0)
    rows = []
    for sigma in SIGMAS:
        cpu = time.process_time()
        run = train(
            layered(8, 3, 8, 8),
            vectors,
            sigma=sigma,
            gamma=1e-4,
            max_iter=20_000,
            restarts=options.starts,
            all_restarts=True,
            seed=0,
        )
        rate = success_rate(run.starts)
        rows.append({"sigma": sigma, **asdict(rate), "cpu_seconds": time.process_time() - cpu})
        print(
            f"σ {sigma}: {rate.solved} of {rate.starts} solved, {rate.mean_iterations:.0f} ± {rate.error:.0f} "
            f"iterations, CPU {rows[-1]['cpu_seconds']:.1f} s",
            flush=True,
        )
    if options.out:
        record = {"version": __version__, "machine": machine(), "rows": rows}
        write_text(options.out, json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
