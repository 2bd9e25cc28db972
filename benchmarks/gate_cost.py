"""What a sweep of the gate search costs, by width, depth and items, hot and cold.

    python benchmarks/gate_cost.py [--only TEXT] [-o benchmarks/results/gate_cost.json]

A Maj circuit and its items are drawn with seed 0. The time is CPU time of one thread, the least of several sweeps:
"hot" at T = 8 from random copies, "cold" at T = 1 after ten sweeps there.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

from boolearn._native import GateSampler, GateTask, gates_isa
from boolearn.files import write_text
from boolearn.model import random_circuit
from boolearn.solver.benchmark import machine

SIZES = [
    *((depth, 32, 512) for depth in (2, 5, 10)),
    *((5, width, 512) for width in (16, 48, 64, 96, 128, 256)),
    *((5, 32, items) for items in (128, 256, 1024, 4096)),
]


def sweep_seconds(sampler: GateSampler, temperature: float, sweeps: int) -> float:
    best = float("inf")
    for _ in range(sweeps):
        begun = time.thread_time()
        done = sampler.sweep(1, temperature)[0]
        if done:
            best = min(best, time.thread_time() - begun)
    return best


def measure(depth: int, width: int, items: int) -> dict[str, Any]:
    circuit = random_circuit(*(width,) * (depth + 1), gates="maj", seed=0)
    network, data = circuit.network, circuit.sample(items, seed=0)
    bits = [np.ascontiguousarray(part > 0) for part in (data.inputs, data.outputs)]
    sampler = GateSampler(GateTask(width, width, network.start, network.sender, bits[0], bits[1]), 0)
    hot = sweep_seconds(sampler, 8.0, 5)
    sampler.sweep(10, 1.0)
    cold = sweep_seconds(sampler, 1.0, 5)
    return {"depth": depth, "width": width, "items": items, "hot_seconds": hot, "cold_seconds": cold}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help='sizes whose names hold this, for example "5×32"')
    parser.add_argument("-o", "--out", type=Path)
    options = parser.parse_args()
    rows = []
    for depth, width, items in sorted(SIZES):
        name = f"{depth}×{width}, {items} items"
        if options.only not in name:
            continue
        rows.append(measure(depth, width, items))
        hot, cold = (1e3 * rows[-1][f"{state}_seconds"] for state in ("hot", "cold"))
        visits = depth * width / 1e3
        print(
            f"{name:20} {hot:8.2f} ms hot, {cold:8.2f} ms cold a sweep; "
            f"{hot / visits:6.1f}, {cold / visits:6.1f} µs a visit"
        )
    if options.out:
        record = {
            "command": " ".join(["python", "benchmarks/gate_cost.py", *sys.argv[1:]]),
            "machine": {**machine(), "instruction_set": gates_isa()},
            "rows": rows,
        }
        write_text(options.out, json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
