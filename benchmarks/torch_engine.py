"""An iteration of the torch engine on a device, next to the native engine on this machine's processor.

python benchmarks/torch_engine.py --device cuda [-o benchmarks/results/torch_engine.json]
"""

from __future__ import annotations

import time

import numpy as np
import torch
from common import arguments, chosen, recording, run_script

from boolearn.data import Dataset
from boolearn.engine import Engine, make_engine
from boolearn.network import layered
from boolearn.problem import Problem

CASES = {
    "8→8→8, 128 items": ([8, 8, 8], 128),
    "64→256→64, 1024 items": ([64, 256, 64], 1024),
}
SEED = 1


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--device", default="cpu", help="cpu, cuda, mps, …")
    parser.add_argument("--precision", default="single")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    torch.set_default_device(options.device)
    with recording(("case", "device"), options, seeds=SEED) as record:
        for case, (widths, items) in chosen(CASES, options.only).items():
            signs = np.random.default_rng(SEED).choice(np.array([-1, 1], np.int8), (items, widths[0] + widths[-1]))
            problem = Problem(layered(*widths), Dataset(signs[:, : widths[0]], signs[:, widths[0] :]))
            engines = {name: make_engine(problem, name, precision=options.precision) for name in ("torch", "native")}
            # In turns, and the least counts; every iteration fetches its gaps, so the device has finished.
            rounds = [{name: seconds(engine) for name, engine in engines.items()} for _ in range(options.rounds)]
            least = {name: min(one[name] for one in rounds) for name in engines}
            record.add({"case": case, "device": options.device, **least})
            print(
                f"{case:28}{options.device:6} torch {1e3 * least['torch']:9.3f} ms, native {1e3 * least['native']:9.3f}"
            )


def seconds(engine: Engine, iterations: int = 5) -> float:
    """Of one iteration."""
    begun = time.perf_counter()
    engine.iterate(iterations, beta=0.2, gamma=1e-3)
    return (time.perf_counter() - begun) / iterations


if __name__ == "__main__":
    run_script(main)
