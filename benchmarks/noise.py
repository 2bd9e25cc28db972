"""Circuits from data with wrong output bits: with and without an allowance, RRR and the gate search.

    python benchmarks/noise.py [--only NAME] [--draws N] [-o benchmarks/results/noise.json]

Draw k uses seed k for the circuit, its items, the bits that are flipped and the solver. Found are the flagged bits
among those flipped (recall) and the flipped bits among those flagged (precision); accuracy is against the clean
circuit on 10,000 unseen inputs.
"""

from __future__ import annotations

import argparse
import json
from dataclasses import replace

import numpy as np

from boolearn.files import write_text
from boolearn.model import random_circuit
from boolearn.network import layered
from boolearn.solver import train
from boolearn.solver.benchmark import machine

CASES = {"And/Or 8,8,8, 128 items": ("andor", (8, 8, 8), 128), "Maj 8,8,8, 128 items": ("maj", (8, 8, 8), 128)}
WRONG = (0.01, 0.02, 0.05)
ALLOWED = (0.0, 1.0, 1.4)
"""The allowance as a multiple of the share of wrong bits."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="")
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--max-iter", type=int, default=20_000, help="of RRR")
    parser.add_argument("-o", "--out")
    options = parser.parse_args()
    rows = []
    for name, (gates, widths, items) in CASES.items():
        for wrong in WRONG:
            for solver, multiple in [*(("rrr", m) for m in ALLOWED), ("gates", 1.0)]:
                if options.only not in f"{name} {solver}":
                    continue
                draws = [
                    one_draw(gates, widths, items, wrong, solver, multiple * wrong, options.max_iter, draw)
                    for draw in range(options.draws)
                ]
                mean = {
                    key: float(np.nanmean([draw[key] for draw in draws])) for key in ("precision", "recall", "test")
                }
                rows.append(
                    {"problem": name, "wrong": wrong, "solver": solver, "allowed": multiple * wrong, "draws": draws}
                )
                print(
                    f"{name}, {wrong:.0%} wrong, {solver:5} allowing {multiple * wrong:.1%}: "
                    f"{sum(draw['solved'] for draw in draws):.0f}/{len(draws)} solved, "
                    f"precision {mean['precision']:.2f}, recall {mean['recall']:.2f}, test {mean['test']:.2%}",
                    flush=True,
                )
    if options.out:
        record = {"machine": machine(), "max_iter": options.max_iter, "rows": rows}
        write_text(options.out, json.dumps(record, indent=2) + "\n")


def one_draw(
    gates: str, widths: tuple[int, ...], items: int, wrong: float, solver: str, allowed: float, max_iter: int, seed: int
) -> dict[str, float]:
    circuit = random_circuit(*widths, gates=gates, seed=seed)
    clean, unseen = circuit.sample(items, seed=seed), circuit.sample(10_000, seed=seed + 1_000_000)
    flipped = np.zeros(clean.outputs.shape, np.bool_)
    flipped.flat[np.random.default_rng(seed).permutation(flipped.size)[: round(wrong * flipped.size)]] = True
    data = replace(clean, outputs=np.where(flipped, -clean.outputs, clean.outputs))
    run = train(
        layered(*widths),
        data,
        solver=solver,  # type: ignore[arg-type]
        noise=allowed,
        beta=0.3,
        seed=seed,
        max_iter=max_iter if solver == "rrr" else None,
    )
    flagged = run.doubted()
    return {
        "solved": float(run.solved),
        "gap": run.gap,
        "flagged": float(flagged.sum()),
        "precision": float((flagged & flipped).sum() / flagged.sum()) if flagged.any() else float("nan"),
        "recall": float((flagged & flipped).sum() / flipped.sum()),
        "test": run.model.accuracy(unseen),
        "seconds": run.seconds,
    }


if __name__ == "__main__":
    main()
