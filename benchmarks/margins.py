"""The paper's autoencoder with one margin for all layers and with different ones for encoder and decoder.

    python benchmarks/margins.py [--starts N] [-o benchmarks/results/margins.json]

2^k random vectors of 2^k bits (seed 0) through k bits, 2^k→k→2^k→2^k, for k = 3 and 4, with γ 1e-4; start r has seed r.
The record has how many starts were solved and after how many iterations.
"""

from __future__ import annotations

import itertools
import time
from dataclasses import asdict

from common import arguments, recording, run_script

from boolearn.data import random_vectors
from boolearn.network import layered
from boolearn.solver import Restarts, success_rate
from boolearn.training import train

MOST_ITERATIONS = {3: 20_000, 4: 60_000}
SIGMAS = ((3, 3, 3), (5, 5, 5), (7, 7, 7), (9, 9, 9), (7, 5, 7), (7, 3, 5), (9, 7, 5), (5, 7, 7))


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--starts", type=int, default=20)
    options = parser.parse_args()
    with recording(("k", "sigma"), options, seeds="start r has seed r; data has seed 0") as record:
        for k, sigma in itertools.product(MOST_ITERATIONS, SIGMAS):
            width, cpu = 1 << k, time.process_time()
            run = train(
                layered(width, k, width, width),
                random_vectors(width, width, seed=0),
                sigma=sigma,
                gamma=1e-4,
                max_iter=MOST_ITERATIONS[k],
                restarts=Restarts(options.starts, all=True),
                seed=0,
            )
            rate, cpu = success_rate(run.starts), time.process_time() - cpu
            record.add({"k": k, "sigma": sigma, **asdict(rate), "cpu_seconds": cpu})
            print(
                f"k {k}, σ {sigma}: {rate.solved} of {rate.starts} solved, {rate.mean_iterations:.0f} ± "
                f"{rate.error:.0f} iterations, CPU {cpu:.1f} s",
                flush=True,
            )


if __name__ == "__main__":
    run_script(main)
