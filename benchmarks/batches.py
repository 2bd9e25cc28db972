"""Batch mode against all items at once, for the same work.

    python benchmarks/batches.py [--seeds N] [--work ITERATIONS] [-o benchmarks/results/batches.json]

A random Maj circuit 16→16→16→16 (seed k) is learned from 512 items and tested on 10,000 others. Half the batch gets
twice the iterations and half the residence time, as in the paper, so that all settings cost the same.
"""

from __future__ import annotations

import itertools

from common import arguments, recording, run_script

from boolearn.model import random_model
from boolearn.network import layered
from boolearn.solver import Batch
from boolearn.training import train

WIDTHS = (16, 16, 16, 16)
ITEMS = 512


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--seeds", type=int, default=3, help="how many seeds, from 0")
    parser.add_argument("--work", type=int, default=40_000, help="iterations of all items")
    options = parser.parse_args()
    seeds = list(range(options.seeds))
    batches = (Batch(size, 4 * size, rule) for rule in ("whole", "oldest") for size in (256, 128, 64))
    settings: list[Batch | None] = [None, *batches]
    with recording(("seed", "batch", "rule"), options, seeds) as record:
        for seed, batch in itertools.product(seeds, settings):
            size = batch.size if batch else ITEMS
            data = random_model(*WIDTHS, gates="maj", seed=seed).sample(ITEMS + 10_000, seed=seed)
            run = train(
                layered(*WIDTHS),
                data,
                items=ITEMS,
                beta=0.4,
                batch=batch,
                seed=seed,
                max_iter=options.work * ITEMS // size,
            )
            row = {"seed": seed, "batch": size, "rule": batch.rule if batch else "all", **run.result()}
            record.add(row)
            print(
                f"seed {seed}, batch {row['batch']:3} {row['rule']:6}: {row['status']:6} after {run.iterations}, "
                f"train {run.train_accuracy:.2%}, test {run.test_accuracy:.2%}, {run.seconds:.1f} s",
                flush=True,
            )


if __name__ == "__main__":
    run_script(main)
