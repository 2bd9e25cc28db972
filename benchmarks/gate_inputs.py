"""What a visit of the gate search costs on tables of many items and inputs; layers read the layer below and all inputs.

    python benchmarks/gate_inputs.py [--only TEXT] [--xor] [-o benchmarks/results/gate_inputs.json]

Four outputs, each the sign of a random sum of the first 24 inputs, on layers of 24, 16, 12, 8 and 4 neurons; all seeds
are 0. The search cools from T = 200 to 1 in 30 sweeps and insists for eight; then each of eight sweeps at T = 1 is
timed. The time is CPU time of one thread; the whole is done three times, and the least time of each sweep counts.
"""

from __future__ import annotations

import itertools
import time
from typing import Any

import numpy as np
from common import arguments, chosen, recording, run_script
from gate_cases import gate_task

from boolearn._native import GateSampler
from boolearn.data import Dataset
from boolearn.network import layered

CASES = {
    f"{inputs} inputs, {items} items": (inputs, items)
    for inputs, items in itertools.product((64, 200, 768), (6400, 25_600, 100_000))
}


def measure(inputs: int, items: int, xor: bool) -> dict[str, Any]:
    rng = np.random.default_rng(0)
    network = layered(inputs, 24, 16, 12, 8, 4, reads="inputs")
    rows = rng.choice(np.array((-1, 1), np.int8), (items, inputs))
    answers = np.where(rows[:, :24] @ rng.normal(size=(24, 4)) > 0, 1, -1)
    task = gate_task(network, Dataset(rows, answers), xor=xor)
    times = np.min([_sweep_times(GateSampler(task, 0)) for _ in range(3)], axis=0)
    return {"inputs": inputs, "items": items, "visit_microseconds": 1e6 * float(times.mean()) / network.n_neurons}


def _sweep_times(sampler: GateSampler) -> list[float]:
    for temperature in np.geomspace(200, 1, 30):
        sampler.sweep(1, float(temperature), 1.0)
    for _ in range(8):
        sampler.sweep(1, 1.0, 1.0)
        sampler.weigh_wrong_bits(63)
    times = []
    for _ in range(8):
        begun = time.thread_time()
        sampler.sweep(1, 1.0, 1.0)
        times.append(time.thread_time() - begun)
    return times


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--xor", action="store_true", help="with exclusive ors")
    options = parser.parse_args()
    with recording(("inputs", "items"), options, seeds=0) as record:
        for name, (inputs, items) in chosen(CASES, options.only).items():
            row = measure(inputs, items, options.xor)
            record.add(row)
            print(f"{name:28} {row['visit_microseconds']:6.1f} µs a visit", flush=True)


if __name__ == "__main__":
    run_script(main)
