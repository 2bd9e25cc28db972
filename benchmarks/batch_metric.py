"""Why small batches lose: whether the metric, which begins at 1 in every batch, has too little time.

    python benchmarks/batch_metric.py [--draws N] [--work ITERATIONS] [-o benchmarks/results/batch_metric.json]
    python benchmarks/batch_metric.py --show benchmarks/results/batch_metric.json

The paper's And/Or circuit of five layers of 32, 512 items, with all items at once and in batches of 128 that stay for
500 iterations, as in its appendix on batches, with four times the iterations. The paper has γ = 1e-3 in all runs: in
the 500 iterations of a batch the metric then comes 40 % of its way. Here are also larger γ and none. Draw k has
circuit, samples and start of seed k. One thread.
"""

from __future__ import annotations

from pathlib import Path
from statistics import mean

from common import arguments, new_record, run_script

from boolearn.bench.record import Row, read_record
from boolearn.model import random_model
from boolearn.solver import RRR, Batch, Status
from boolearn.training import train

ITEMS, TESTED = 512, 2000
SETTINGS: tuple[tuple[int, float], ...] = ((512, 1e-3), (128, 1e-3), (128, 4e-3), (128, 1e-2), (128, 0.0))
"""Size of a batch, and γ."""


def learn(draw: int, size: int, gamma: float, work: int) -> Row:
    circuit = random_model(32, 32, 32, 32, 32, 32, gates="andor", seed=draw)
    batch = None if size == ITEMS else Batch(size, 500)
    run = train(
        circuit.network,
        circuit.sample(ITEMS + TESTED, seed=draw),
        items=ITEMS,
        solver=RRR(gamma=gamma, batch=batch),
        max_iter=work * ITEMS // size,
        seed=draw,
        threads=1,
    )
    if run.status is Status.INTERRUPTED:
        raise KeyboardInterrupt
    last = [line.test_accuracy or 0.0 for line in run.trace[-5:]]
    return {
        "draw": draw,
        "batch": size,
        "gamma": gamma,
        "iterations": run.iterations,
        "train_accuracy": run.train_accuracy,
        "test_accuracy": run.test_accuracy,
        "last_test_accuracies": last,
    }


def show(rows: list[Row]) -> None:
    for size, gamma in SETTINGS:
        found = [row for row in rows if (row["batch"], row["gamma"]) == (size, gamma)]
        if found:
            draws = ", ".join(f"{row['test_accuracy']:.2%}" for row in found)
            print(f"batches of {size}, γ {gamma:g}: {mean(row['test_accuracy'] for row in found):.2%} ({draws})")


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--draws", type=int, default=2)
    parser.add_argument("--work", type=int, default=100_000, help="iterations of all items, or as much work in batches")
    parser.add_argument("--show", type=Path, metavar="FILE", help="print means of a record and do nothing else")
    options = parser.parse_args()
    if options.show:
        show(read_record(options.show)["rows"])
        return
    record = new_record(("draw", "batch", "gamma"), options, "draw k has seed k, from 1")
    for draw in range(1, options.draws + 1):
        for size, gamma in SETTINGS:
            record.add(learn(draw, size, gamma, options.work))
            if options.out:
                record.write(options.out)
            print(record.rows[-1], flush=True)
    show(record.rows)


if __name__ == "__main__":
    run_script(main)
