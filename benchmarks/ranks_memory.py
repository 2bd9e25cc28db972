"""Memory of every MPI rank where all ranks read a data file, and where rank 0 reads it and all map what it has read.

python benchmarks/ranks_memory.py [--ranks 2] [-o benchmarks/results/ranks_memory.json]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
from common import arguments, recording, run_script

from boolearn.data import Dataset, read, write
from boolearn.data.handed_on import handed_on
from boolearn.errors import BoolearnError
from boolearn.ranks import as_ranks
from boolearn.training import train

ITEMS, INPUTS, OUTPUTS = 10**6, 64, 64
WAYS = ("every rank reads", "rank 0 reads")
BATCH, ITERATIONS = 1000, 20
SEED = 1
LOOK_EVERY = 0.02


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--items", type=int, default=ITEMS)
    parser.add_argument("--formats", default="npz", help="endings of data files, with commas; text takes minutes")
    parser.add_argument("--worker", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(Path(options.worker[0]), options.worker[1])
    else:
        measure(options)


class Memory(threading.Thread):
    """Megabytes of this process: its own, with the most so far; and those of files, which the system can take back."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most = 0.0

    def run(self) -> None:
        while True:
            self.most = max(self.most, self.now()["RssAnon"])
            time.sleep(LOOK_EVERY)

    def now(self) -> dict[str, float]:
        lines = (line.split() for line in Path("/proc/self/status").read_text().splitlines())
        return {words[0][:-1]: int(words[1]) / 1024 for words in lines if words[0] in ("RssAnon:", "RssFile:")}


def work(path: Path, way: str) -> None:
    """On every rank."""
    from mpi4py import MPI

    comm, memory = MPI.COMM_WORLD, Memory()
    ranks = as_ranks(comm)
    before = memory.now()["RssAnon"]
    memory.start()
    begun = time.process_time()
    if way == WAYS[0]:
        data = read(path)
    else:
        data = handed_on(ranks, read(path) if ranks.leads else None, path, path.with_name("copy.npz"))
    read_seconds = time.process_time() - begun
    train([INPUTS, 64, OUTPUTS], data, batch=BATCH, gap_tol=0, max_iter=ITERATIONS, threads=1, comm=comm)
    now = memory.now()
    mine = {"own": now["RssAnon"] - before, "most": memory.most - before, "files": now["RssFile"], "cpu": read_seconds}
    every = ranks.each(mine)
    if ranks.leads:
        print(json.dumps(every))


def measure(options: Any) -> None:
    with recording(("format", "way", "rank"), options, SEED) as record, tempfile.TemporaryDirectory() as folder:
        random = np.random.default_rng(SEED)
        bits = random.integers(0, 2, (options.items, INPUTS + OUTPUTS), np.int8)
        signs = (2 * bits - 1).astype(np.int8)
        dataset = Dataset(signs[:, :INPUTS], signs[:, INPUTS:])
        print(f"{'format':8}{'':20}{'rank':>5}{'own MB':>10}{'most MB':>10}{'files MB':>10}{'CPU s to read':>15}")
        for name in options.formats.split(","):
            path = Path(folder) / f"data.{name}"
            write(dataset, path)
            for way in WAYS:
                for rank, row in enumerate(run_ranks(path, way, options.ranks)):
                    record.add({"format": name, "way": way, "rank": rank, **row})
                    numbers = "".join(f"{row[field]:10.0f}" for field in ("own", "most", "files"))
                    print(f"{name:8}{way:20}{rank:5d}{numbers}{row['cpu']:15.1f}", flush=True)


def run_ranks(path: Path, way: str, ranks: int) -> list[dict[str, float]]:
    mpiexec = Path(sys.executable).with_name("mpiexec")
    words = [str(mpiexec), "-n", str(ranks), sys.executable, __file__, "--worker", str(path), way]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode:
        raise BoolearnError(f"{ranks} ranks failed: {done.stderr.strip()[-300:]}")
    rows: list[dict[str, float]] = json.loads(done.stdout.strip().splitlines()[-1])
    return rows


if __name__ == "__main__":
    run_script(main)
