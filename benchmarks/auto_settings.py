"""Whether `RRR(beta="auto", gamma="auto", anneal="auto")` is better than fixed settings, on problems that settings.py
does not have.

    python benchmarks/auto_settings.py [--only NAME] [--cpu-seconds S] [-o benchmarks/results/auto_settings.json]
    python benchmarks/auto_settings.py --show benchmarks/results/auto_settings.json

What "auto" does was chosen on the problems of settings.py and on other draws of autoencoders and decoders. But results
on the problems here were known by then: how the six fixed settings do, from the starts of an earlier record, and how a
rise of σ does with the γ of that time. Round k tries all settings of a problem from the same start, seed 2000 + k;
problems take turns as in settings.py. What counts is iterations, which do not depend on the machine. One thread.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from common import arguments, chosen, new_record, run_script
from settings import RATE, Case, cell, circuit_case, compare_in_turns, with_setting

from boolearn.bench.record import Row, read_record
from boolearn.data import Dataset, InputKind, automaton, mirror, one_hot_vectors, random_vectors
from boolearn.network import layered
from boolearn.solver.rrr.schedules import Inverse, Schedule

SETTINGS: dict[str, tuple[float, Schedule]] = {
    "β 0.2, γ falls": (0.2, Inverse(1e-3, 1e-5, 5000)),
    "β 0.2, γ 1e-4": (0.2, 1e-4),
    "β 0.2, γ 1e-3": (0.2, 1e-3),
    "β 0.3, γ 1e-3": (0.3, 1e-3),
    "β 0.5, γ 1e-3": (0.5, 1e-3),
    "β 0.5, γ 1e-2": (0.5, 1e-2),
}
DEFAULTS, AUTO = "β 0.2, γ 1e-3", "auto"
FIRST_SEED = 2000
WAYS = {
    **{name: with_setting(*setting, FIRST_SEED) for name, setting in SETTINGS.items()},
    AUTO: with_setting("auto", "auto", FIRST_SEED, "auto"),
}


def bits(numbers: np.ndarray[Any, Any], count: int) -> np.ndarray[Any, Any]:
    return np.where(numbers[:, None] >> np.arange(count) & 1, 1, -1).astype(np.int8)


def adder(size: int) -> Dataset:
    both = np.arange(4**size)
    return Dataset(bits(both, 2 * size), bits(both % 2**size + both // 2**size, size + 1))


def parity(size: int) -> Dataset:
    inputs = bits(np.arange(2**size), size)
    return Dataset(inputs, inputs.prod(axis=1, keepdims=True, dtype=np.int8))


CASES = {
    "2-bit adder 4-6-3": Case(layered(4, 6, 3), adder(2), 3, 10_000, "fit"),
    "3-bit adder 6-8-8-4": Case(layered(6, 8, 8, 4), adder(3), 3, 20_000, "fit"),
    "parity of four, 4-6-1": Case(layered(4, 6, 1), parity(4), 3, 10_000, "fit"),
    "mirror images 4×2, 8-8-8": Case(layered(8, 8, 8), mirror(4, 2, 64, seed=2), 3, 10_000),
    "autoencoder 8-3-8-8, others": Case(layered(8, 3, 8, 8), random_vectors(8, 8, seed=3), 7, 20_000),
    "autoencoder 8-3-8, one-hot": Case(layered(8, 3, 8), one_hot_vectors(8), 7, 20_000),
    "autoencoder 16-4-16-16": Case(layered(16, 4, 16, 16), random_vectors(16, 16, seed=3), 7, 200_000, share=4),
    "decoder 3-8-8, random": Case(layered(3, 8, 8), random_vectors(8, 8, 3, InputKind.ANY_CODE), 5, 60_000, share=2),
    "And/Or circuit 3×8, 64 items": circuit_case("andor", 8, 64, 20_000),
    "Maj circuit 3×8, 64 items": circuit_case("maj", 8, 64, 20_000),
    "rule 110 on 6 cells, 6-12-12-6": Case(layered(6, 12, 12, 6), automaton(110, 6, 1, 48, seed=2), 3, 30_000, "fit"),
}


def show(rows: list[Row]) -> None:
    """Successes per million iterations; then those of "auto" over those of the defaults and of the best."""
    problems: dict[str, dict[str, Row]] = {}
    for row in rows:
        problems.setdefault(row["problem"], {})[row["setting"]] = row
    print(f"{'problem':32}" + "".join(f"{name:>22}" for name in WAYS) + f"{'auto / usual':>14}{'auto / best':>13}")
    near = 0
    for problem, found in problems.items():
        auto, usual = found[AUTO][RATE], found[DEFAULTS][RATE]
        best = max(row[RATE] for row in found.values())
        near += auto >= best / 1.2
        ratios = f"{auto / usual:14.2f}" if usual else f"{'–':>14}"
        ratios += f"{auto / best:13.2f}" if best else f"{'–':>13}"
        print(f"{problem:32}" + "".join(f"{cell(found[name]):>22}" for name in WAYS) + ratios)
    print(f"auto is within 20 % of the best of these settings on {near} of {len(problems)} problems")


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--cpu-seconds", type=float, default=600.0)
    parser.add_argument("--show", type=Path, metavar="FILE", help="print the table of a record and do nothing else")
    options = parser.parse_args()
    if options.show:
        show(read_record(options.show)["rows"])
        return
    record = new_record(("problem", "setting"), options, "round k, from 0, has seed 2000 + k; data has seed 1, 2 or 3")
    compare_in_turns(chosen(CASES, options.only), WAYS, record, options)
    show(record.rows)


if __name__ == "__main__":
    run_script(main)
