"""What a sweep of the gate search costs, by width, depth and items, hot and cold.

    python benchmarks/gate_cost.py [--only TEXT] [--sigma 5] [-o benchmarks/results/gate_cost.json]

A Maj circuit and its items are drawn with seed 0. The time is CPU time of one thread, the least of several sweeps:
"hot" at T = 8 from random copies, "cold" at T = 1 after ten sweeps there. With ``--sigma 5`` every size is measured
twice, with gates of three inputs and with majorities of five as well, sweep by sweep in turns.
"""

from __future__ import annotations

import time
from typing import Any

from common import arguments, chosen, recording, run_script
from gate_cases import gate_task

from boolearn._native import GateSampler
from boolearn.model import random_model
from boolearn.solver.gates.table import may_be_five

SIZES = sorted(
    [
        *((depth, 32, 512) for depth in (2, 5, 10)),
        *((5, width, 512) for width in (16, 48, 64, 96, 128, 256)),
        *((5, 32, items) for items in (128, 256, 1024, 4096, 16384)),
    ]
)
CASES = {f"{depth}×{width}, {items} items": (depth, width, items) for depth, width, items in SIZES}


def sweep_seconds(samplers: list[GateSampler], temperature: float, sweeps: int) -> list[float]:
    best = [float("inf")] * len(samplers)
    for _ in range(sweeps):
        for k, sampler in enumerate(samplers):
            begun = time.thread_time()
            sampler.sweep(1, temperature)
            best[k] = min(best[k], time.thread_time() - begun)
    return best


def measure(depth: int, width: int, items: int, supports: list[int]) -> list[dict[str, Any]]:
    circuit = random_model(*(width,) * (depth + 1), gates="maj", seed=0)
    network, data = circuit.network, circuit.sample(items, seed=0)
    samplers = [GateSampler(gate_task(network, data, five=may_be_five(network, support)), 0) for support in supports]
    hot = sweep_seconds(samplers, 8.0, 5)
    for sampler in samplers:
        sampler.sweep(10, 1.0)
    cold = sweep_seconds(samplers, 1.0, 5)
    size = {"depth": depth, "width": width, "items": items}
    return [
        {**size, **({} if supports[k] < 5 else {"sigma": supports[k]}), "hot_seconds": hot[k], "cold_seconds": cold[k]}
        for k in range(len(supports))
    ]


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--sigma", type=int, default=3, choices=(3, 5), help="5: with majorities of five as well")
    options = parser.parse_args()
    with recording(("depth", "width", "items", "sigma"), options, seeds=0) as record:
        for name, (depth, width, items) in chosen(CASES, options.only).items():
            for row in measure(depth, width, items, [3] if options.sigma < 5 else [3, 5]):
                record.add(row)
                hot, cold = (1e3 * row[f"{state}_seconds"] for state in ("hot", "cold"))
                visits = depth * width / 1e3
                print(
                    f"{name:20} {'σ = 5' if 'sigma' in row else '':6}{hot:8.2f} ms hot, {cold:8.2f} ms cold a sweep; "
                    f"{hot / visits:6.1f}, {cold / visits:6.1f} µs a visit",
                    flush=True,
                )


if __name__ == "__main__":
    run_script(main)
