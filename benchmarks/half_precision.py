"""Would half-precision storage do? Success rates when all variables are rounded after every iteration.

    python benchmarks/half_precision.py [--starts N] [-o benchmarks/results/half_precision.json]

The NumPy engine computes in double; what it keeps is rounded to the type in question, as an engine would that stores
its variables in it. Two-bit multiplier, 4→4→4→4, σ = 3, β = 0.2, γ = 1e-3, 10,000 iterations, seeds 0, 1, ….
"""

from __future__ import annotations

import argparse
import json

import numpy as np

from boolearn.data import multiplier
from boolearn.engine import Progress, ReferenceEngine
from boolearn.files import write_text
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.solver.benchmark import machine


class RoundedEngine(ReferenceEngine):
    """Keeps its variables, and nothing else, in a smaller type."""

    def __init__(self, problem: Problem, kept: type[np.floating]) -> None:
        self._kept = kept
        super().__init__(problem)

    def _iterate_once(self, beta: float, gamma: float) -> Progress:
        progress = super()._iterate_once(beta, gamma)
        for name in ("w", "x", "y"):
            setattr(self.point, name, getattr(self.point, name).astype(self._kept).astype(np.float64))
        return progress


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--starts", type=int, default=20)
    parser.add_argument("--max-iter", type=int, default=10_000)
    parser.add_argument("-o", "--out")
    options = parser.parse_args()
    problem = Problem(layered(4, 4, 4, 4), multiplier(2))
    rows = []
    for kept in (np.float16, np.float32):
        engine = RoundedEngine(problem, kept)
        iterations, gaps = [], []
        for seed in range(options.starts):
            engine.begin(seed)
            progress = engine.iterate(options.max_iter, beta=0.2, gamma=1e-3, stop_below=0.01)
            gaps.append(progress.least_gap)
            if progress.gap < 0.01:
                iterations.append(progress.iterations)
        rows.append({"kept": kept.__name__, "starts": options.starts, "iterations": iterations, "least_gaps": gaps})
        print(
            f"{kept.__name__}: {len(iterations)} of {options.starts} solved, "
            f"median least gap {float(np.median(gaps)):.4f}, least of all {min(gaps):.4f}",
            flush=True,
        )
    if options.out:
        write_text(options.out, json.dumps({"machine": machine(), "rows": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
