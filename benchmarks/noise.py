"""Circuits from data with wrong output bits: with and without an allowance, RRR and the gate search.

    python benchmarks/noise.py [--only NAME] [--draws N] [-o benchmarks/results/noise.json]

Draw k uses seed k for the circuit, its items, the bits that are flipped and the solver. Found are the flagged bits
among those flipped (recall) and the flipped bits among those flagged (precision); accuracy is against the clean
circuit on 10,000 unseen inputs.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
from common import arguments, chosen, recording, run_script

from boolearn.model import random_model
from boolearn.network import layered
from boolearn.solver import RRR, Gates
from boolearn.training import train

CASES = {"And/Or 8,8,8, 128 items": ("andor", (8, 8, 8), 128), "Maj 8,8,8, 128 items": ("maj", (8, 8, 8), 128)}
WRONG = (0.01, 0.02, 0.05)
ALLOWED = (0.0, 1.0, 1.4)
"""The allowance as a multiple of the share of wrong bits."""
SOLVERS = (*(("rrr", multiple) for multiple in ALLOWED), ("gates", 1.0))
"""With the allowance."""


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--max-iter", type=int, default=20_000, help="of RRR")
    options = parser.parse_args()
    wanted = chosen({f"{name} {solver}": None for name in CASES for solver, _ in SOLVERS}, options.only)
    with recording(("problem", "wrong", "solver", "allowed"), options, "draw k, from 0, has seed k") as record:
        for name, wrong, (solver, multiple) in itertools.product(CASES, WRONG, SOLVERS):
            if f"{name} {solver}" not in wanted:
                continue
            allowed = multiple * wrong
            draws = [
                one_draw(*CASES[name], wrong, solver, allowed, options.max_iter, draw) for draw in range(options.draws)
            ]
            record.add({"problem": name, "wrong": wrong, "solver": solver, "allowed": allowed, "draws": draws})
            print(f"{name}, {wrong:.0%} wrong, {solver:5} allowing {allowed:.1%}: {summary(draws)}", flush=True)


def summary(draws: list[dict[str, float | None]]) -> str:
    """Means over the draws; the precision is undefined where no bit is flagged."""
    means = {}
    for name in ("solved", "precision", "recall", "test"):
        values = [value for draw in draws if (value := draw[name]) is not None]
        means[name] = sum(values) / len(values) if values else float("nan")
    return (
        f"{means['solved']:.0%} of {len(draws)} solved, precision {means['precision']:.2f}, "
        f"recall {means['recall']:.2f}, test {means['test']:.2%}"
    )


def one_draw(
    gates: str, widths: tuple[int, ...], items: int, wrong: float, solver: str, allowed: float, max_iter: int, seed: int
) -> dict[str, float | None]:
    circuit = random_model(*widths, gates=gates, seed=seed)
    clean, unseen = circuit.sample(items, seed=seed), circuit.sample(10_000, seed=seed + 1_000_000)
    flipped = np.zeros(clean.outputs.shape, np.bool_)
    flipped.flat[np.random.default_rng(seed).permutation(flipped.size)[: round(wrong * flipped.size)]] = True
    data = replace(clean, outputs=np.where(flipped, -clean.outputs, clean.outputs))
    run = train(
        layered(*widths),
        data,
        solver=RRR(beta=0.3) if solver == "rrr" else Gates(),
        noise=allowed,
        seed=seed,
        max_iter=max_iter if solver == "rrr" else None,
    )
    flagged = run.doubted()
    return {
        "solved": float(run.solved),
        "gap": run.gap,
        "flagged": float(flagged.sum()),
        "precision": float((flagged & flipped).sum() / flagged.sum()) if flagged.any() else None,
        "recall": float((flagged & flipped).sum() / flipped.sum()),
        "test": run.model.accuracy(unseen),
        "seconds": run.seconds,
    }


if __name__ == "__main__":
    run_script(main)
