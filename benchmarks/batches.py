"""Batch mode against all items at once, for the same work.

    python benchmarks/batches.py [--seeds N] [--work ITERATIONS] [-o benchmarks/results/batches.json]

A random Maj circuit 16→16→16→16 (seed k) is learned from 512 items and tested on 10,000 others. Half the batch gets
twice the iterations and half the residence time, as in the paper, so that all settings cost the same.
"""

from __future__ import annotations

import argparse
import json

from boolearn.solver.benchmark import machine

from boolearn.files import write_text
from boolearn.model import random_model
from boolearn.network import layered
from boolearn.training import train

WIDTHS = (16, 16, 16, 16)
ITEMS = 512


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--work", type=int, default=40_000, help="iterations of all items")
    parser.add_argument("-o", "--out")
    options = parser.parse_args()
    rows = []
    for seed in range(options.seeds):
        data = random_model(*WIDTHS, gates="maj", seed=seed).sample(ITEMS + 10_000, seed=seed)
        for batch, rule in [(None, None), *((b, r) for r in ("whole", "oldest") for b in (256, 128, 64))]:
            share = (batch or ITEMS) / ITEMS
            run = train(
                layered(*WIDTHS),
                data,
                items=ITEMS,
                batch=batch,
                batch_iter=None if batch is None else 4 * batch,
                batch_rule=rule or "whole",  # type: ignore[arg-type]
                beta=0.4,
                seed=seed,
                max_iter=int(options.work / share),
            )
            row = {"seed": seed, "batch": batch or ITEMS, "rule": rule or "all", **run.result()}
            rows.append(row)
            print(
                f"seed {seed}, batch {row['batch']:3} {row['rule']:6}: {row['status']:6} after {run.iterations}, "
                f"train {run.train_accuracy:.2%}, test {run.test_accuracy:.2%}, {run.seconds:.1f} s",
                flush=True,
            )
    if options.out:
        write_text(options.out, json.dumps({"machine": machine(), "work": options.work, "rows": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
