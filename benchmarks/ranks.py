"""An iteration on several MPI ranks of one thread each: time of the sweep, of the exchange, and what a model says.

python benchmarks/ranks.py [--ranks 1,2,4] [-o benchmarks/results/ranks.json]
python benchmarks/ranks.py --plot docs/images/ranks.svg --of benchmarks/results/ranks.json
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from common import arguments, chosen, recording, run_script

from boolearn.bench.ranks_model import (
    Cluster,
    Size,
    efficiency,
    memory_per_rank,
    most_gained_by_overlap,
    seconds_of_iteration,
)
from boolearn.bench.record import read_record
from boolearn.data import Dataset
from boolearn.errors import BoolearnError
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.ranks import as_ranks

CASES: dict[str, tuple[list[int], int, bool]] = {
    "strong 16→32→32→16, 4096 items": ([16, 32, 32, 16], 4096, False),
    "strong 32→64→64→32, 4096 items": ([32, 64, 64, 32], 4096, False),
    "strong 64→256→64, 1024 items": ([64, 256, 64], 1024, False),
    "weak 32→64→64→32, 2048 items a rank": ([32, 64, 64, 32], 2048, True),
}
"""Widths of the layers, items, and whether every rank has as many."""
SEED = 1
SAMPLES, EXCHANGES = 12, 400
"""Iterations, and exchanges by themselves, of which the shortest counts: other processes are on the machine."""
TIMES = ("seconds", "sweep", "exchange")
"""Wall-clock seconds of an iteration; its CPU seconds; wall-clock seconds of an exchange. Of the slowest rank."""
PLANS = {
    "10⁷ edges, 10⁶ items": Size(10**7, 10**7, 10**4, 9000, 10**6),
    "10⁷ edges, a batch of 10⁴": Size(10**7, 10**7, 10**4, 9000, 10**4),
    "10⁶ edges, 10⁶ items": Size(10**6, 10**6, 3000, 2500, 10**6),
    "10⁴ edges, 10⁵ items": Size(10**4, 10**4, 400, 350, 10**5),
}
"""Problems too large to be run here."""
NETWORK = Cluster(edge_item=1e-9, latency=2e-6, bandwidth=10e9, memory=10e9)
"""A cluster as there are many: 1 ns for an edge and item, 2 µs, 10 GB/s."""


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--ranks", default="1,2", help="numbers of ranks, with commas")
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    parser.add_argument("--plot", type=Path, help="draw a record instead")
    parser.add_argument("--of", type=Path, help="the record to draw")
    options = parser.parse_args()
    if options.worker:
        work(options.worker)
    elif options.plot:
        plot(read_record(options.of)["rows"], options.plot)
    else:
        measure(options)


def work(case: str) -> None:
    """On every rank."""
    from mpi4py import MPI

    from boolearn.engine.distributed import DistributedEngine

    widths, items, weak = CASES[case]
    ranks = as_ranks(MPI.COMM_WORLD)
    network = layered(*widths)
    items = items * ranks.size if weak else items
    signs = np.random.default_rng(SEED).choice(np.array([-1, 1], np.int8), (items, widths[0] + widths[-1]))
    engine = DistributedEngine(
        Problem(network, Dataset(signs[:, : widths[0]], signs[:, widths[0] :])), ranks, threads=1
    )
    wall, cpu = [], []
    for _ in range(SAMPLES):
        begun, used = time.perf_counter(), time.process_time()
        engine.iterate(1, beta=0.2, gamma=1e-3)
        wall.append(time.perf_counter() - begun)
        cpu.append(time.process_time() - used)
    exchange = []
    for _ in range(EXCHANGES if ranks.size > 1 else 0):
        begun = time.perf_counter()
        engine.concur(0.0)
        exchange.append(time.perf_counter() - begun)
    slowest = [np.max(ranks.each(times), axis=0).min() if times else 0.0 for times in (wall, cpu, exchange)]
    if ranks.leads:
        size = {"edges": network.n_edges, "weights": network.n_weights, "items": items}
        more = {"nodes": network.n_nodes, "neurons": network.n_neurons, "bytes_of_rank": engine.nbytes}
        print(json.dumps({**size, **more, **dict(zip(TIMES, map(float, slowest), strict=True))}))


def measure(options: Any) -> None:
    cases = chosen(CASES, options.only)
    counts = [int(number) for number in options.ranks.split(",")]
    best: dict[tuple[str, int], dict[str, Any]] = {}
    with recording(("case", "ranks"), options, seeds=SEED) as record:
        for _ in range(options.rounds):  # in turns: other processes come and go
            for case in cases:
                for ranks in counts:
                    row, old = run_ranks(case, ranks), best.get((case, ranks), {})
                    least = {name: min(row[name], old.get(name, row[name])) for name in TIMES}
                    best[case, ranks] = {**row, **least}
        cluster = fitted([{"ranks": ranks, **row} for (_, ranks), row in best.items()])
        print(f"fitted: {cluster}")
        print(f"{'case':40}{'ranks':>6}{'ms':>10}{'sweep':>10}{'exchange':>10}{'model':>10}")
        for (case, ranks), row in best.items():
            size = Size(row["edges"], row["weights"], row["nodes"], row["neurons"], row["items"])
            modelled = seconds_of_iteration(size, ranks, cluster).total
            record.add({"case": case, "ranks": ranks, **row, "model": modelled, "cluster": vars(cluster)})
            numbers = [1e3 * value for value in (row["seconds"], row["sweep"], row["exchange"], modelled)]
            print(f"{case:40}{ranks:6d}" + "".join(f"{number:10.3f}" for number in numbers))
        for name, size in PLANS.items():
            for ranks in (10, 100, 1000):
                gigabytes = memory_per_rank(size, ranks) / 1e9
                good, gain = efficiency(size, ranks, NETWORK), most_gained_by_overlap(size, ranks, NETWORK)
                plan = {"gigabytes": gigabytes, "efficiency": good, "gain_of_overlap": gain}
                record.add({"case": f"plan {name}", "ranks": ranks, **plan})
                print(f"plan {name:30}{ranks:6d} ranks {gigabytes:12.3f} GB a rank, ", end="")
                print(f"efficiency {good:.0%}, overlap would gain at most {gain - 1:.2%}")


def run_ranks(case: str, ranks: int) -> dict[str, Any]:
    mpiexec = Path(sys.executable).with_name("mpiexec")
    words = [str(mpiexec), "-n", str(ranks), sys.executable, __file__, "--worker", case]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BoolearnError(f"{ranks} ranks failed: {done.stderr.strip()[-300:]}")
    row: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return row


def fitted(rows: list[dict[str, Any]]) -> Cluster:
    """The cluster that this machine is: the sweep from one rank, latency and bandwidth from the exchanges of two."""
    alone = [row["sweep"] / (row["edges"] * row["items"]) for row in rows if row["ranks"] == 1]
    two = [row for row in rows if row["ranks"] == 2]
    edge_item = float(np.median(alone or [1e-9]))
    if len(two) < 2:
        return Cluster(edge_item=edge_item)
    # Two messages, and the bytes that the model moves.
    free = Cluster(edge_item=0, latency=0, bandwidth=1, memory=np.inf)
    moved = [
        seconds_of_iteration(Size(r["edges"], r["weights"], r["nodes"], r["neurons"], r["items"]), 2, free).exchange
        for r in two
    ]
    slope, base = np.polyfit(moved, [row["exchange"] for row in two], 1)
    return Cluster(edge_item, latency=max(float(base), 1e-7) / 2, bandwidth=1 / max(float(slope), 1e-12))


def plot(rows: list[dict[str, Any]], path: Path) -> None:
    """Measured against modelled, and what the model says of more ranks."""
    import matplotlib as mpl

    mpl.use("svg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4), constrained_layout=True)
    for case in dict.fromkeys(row["case"] for row in rows if "seconds" in row):
        of_case = sorted((row for row in rows if row["case"] == case), key=lambda row: row["ranks"])
        ranks = [row["ranks"] for row in of_case]
        (line,) = left.plot(ranks, [1e3 * (row["sweep"] + row["exchange"]) for row in of_case], "o", label=case)
        left.plot(ranks, [1e3 * row["model"] for row in of_case], "--", color=line.get_color())
    left.set(xlabel="ranks", ylabel="milliseconds an iteration", title="measured (dots) and modelled", yscale="log")
    left.legend(fontsize=7)
    many = np.unique(np.geomspace(1, 4096, 60).astype(int))
    for name, size in PLANS.items():
        right.plot(many, [efficiency(size, int(ranks), NETWORK) for ranks in many], label=name)
    right.set(xlabel="ranks", ylabel="efficiency", title="predicted, 2 µs and 10 GB/s", xscale="log", ylim=(0, 1.05))
    right.legend(fontsize=7)
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    run_script(main)
