"""How often and how fast the search among gates finds the circuit behind the data.

    python benchmarks/gate_search.py [--only TEXT] [--draws N] [--seconds S] [--rrr S] [--adamw S]
                                     [-o benchmarks/results/gate_search.json]
    python benchmarks/gate_search.py --table benchmarks/results/gate_search.json

Draws have the seeds 30, 31, …; smaller ones helped to make the search what it is. A draw uses its seed for the circuit
or automaton, for its items, for flipped bits and for the search. A circuit is exact when it is proved to compute what
the data was made with. Rows already in the record are replaced when they are run again, and kept otherwise; every row
names the run it comes from. ``--table`` prints a record. ``--rrr`` and ``--adamw`` give those solvers this number of
seconds on the same items.
"""

from __future__ import annotations

import argparse
import itertools
import math
import time
from pathlib import Path
from typing import Any

from ambiguity import chance_of_truth
from common import arguments, chosen, new_record, run_script
from gate_cases import CASES, Case, Draw
from gate_rivals import adamw_accuracy, ridge_accuracy, rrr_accuracy

from boolearn.bench.record import read_record
from boolearn.circuit import prove_equal
from boolearn.cores import available_cores
from boolearn.model import BoolNet
from boolearn.problem import Problem
from boolearn.solver.gates.annealer import GateAnnealer
from boolearn.solver.gates.table import weights_of

PROOF_SECONDS = 60.0
FIRST_SEED = 30
WIDEST_ENUMERATED = 40
"""Senders of a neuron all of whose gates can be listed, to see how much in doubt it is."""
COLUMNS = (
    *("problem", "fits", "exact", "chance", "test % mean (least)", "ridge %", "RRR %", "AdamW %"),
    *("flips found", "CPU s to fit", "CPU s"),
)


def is_exact(model: BoolNet, draw: Draw) -> bool | None:
    """None when the proof took too long."""
    if draw.test is not None and model.accuracy(draw.test) < 1:
        return False
    proof = prove_equal(model, draw.truth, time_limit=PROOF_SECONDS)
    return proof.equal


def run_draw(case: Case, seed: int, options: argparse.Namespace) -> dict[str, Any]:
    """Seconds are of the search alone; CPU seconds, of all its threads, depend less on what else the machine does."""
    draw = case.draw(seed)
    problem = Problem(case.network, draw.train, case.sigma, case.noise)
    row: dict[str, Any] = {"items": len(draw.train), "seed": seed}
    cpu, begun = time.process_time(), time.perf_counter()
    search = GateAnnealer(problem, seed, threads=options.threads)
    fit: dict[str, float | None] = {"fit_seconds": None, "fit_cpu_seconds": None}
    while not search.finished and time.process_time() - cpu < options.seconds:
        search.advance()
        if search.fits and fit["fit_seconds"] is None:
            fit = {"fit_seconds": time.perf_counter() - begun, "fit_cpu_seconds": time.process_time() - cpu}
    row |= {**fit, "seconds": time.perf_counter() - begun, "cpu_seconds": time.process_time() - cpu}
    search.close()
    model = BoolNet(case.network, weights_of(case.network, search.best))
    row |= {"sweeps": search.sweeps, "wrong_training_bits": search.least, "finished": search.finished}
    row["exact"] = is_exact(model, draw)
    if draw.test is not None:
        row["test_accuracy"] = model.accuracy(draw.test)
        row["ridge_accuracy"] = ridge_accuracy(draw)
        if options.rrr:
            row |= {"rrr_accuracy": rrr_accuracy(case, draw, seed, options.rrr), "rrr_seconds": options.rrr}
        if options.adamw:
            row["adamw_accuracy"] = adamw_accuracy(case.network, draw, seed, options.adamw)
            row["adamw_seconds"] = options.adamw
    enumerable = case.network.fan_in.max() <= WIDEST_ENUMERATED and case.sigma < 5
    if isinstance(draw.truth, BoolNet) and draw.test is not None and not case.noise and enumerable:
        row["chance_of_truth"], row["neurons_in_doubt"] = chance_of_truth(draw.truth, draw.train, draw.test)
    if draw.flips is not None:
        suspects = model.predict(draw.train.inputs) != draw.train.outputs
        row |= {
            "flips": int(draw.flips.sum()),
            "flips_found": int((suspects & draw.flips).sum()),
            "wrongly_suspected": int((suspects & ~draw.flips).sum()),
        }
    return row


def show(problem: str, row: dict[str, Any]) -> str:
    parts = [f"{problem:36} draw {row['seed']}: {row['wrong_training_bits']} wrong"]
    if row["fit_cpu_seconds"] is not None:
        parts.append(f"fits after {row['fit_cpu_seconds']:.1f} CPU s")
    if "test_accuracy" in row:
        rivals = [name for name in ("ridge", "rrr", "adamw") if f"{name}_accuracy" in row]
        others = ", ".join(f"{name} {100 * row[f'{name}_accuracy']:.1f} %" for name in rivals)
        parts.append(f"test {100 * row['test_accuracy']:.3f} % ({others})")
    parts.append({True: "exact", False: "not exact", None: "proof took too long"}[row["exact"]])
    if "chance_of_truth" in row:
        parts.append(f"chance {row['chance_of_truth']:.2g}")
    if "flips" in row:
        parts.append(
            f"{row['flips_found']} of {row['flips']} flips found, {row['wrongly_suspected']} suspected in error"
        )
    return ", ".join([*parts, f"{row['seconds']:.1f} s, CPU {row['cpu_seconds']:.1f} s"])


def table(record: dict[str, Any]) -> str:
    """The record in Markdown, a line for each problem. A rate's error is its standard deviation, all rates being as
    likely beforehand: it is not 0 when all draws agree. Columns with nothing in them are left out.
    """
    lines = []
    order = {name: place for place, name in enumerate(CASES)}
    rows = sorted(record["rows"], key=lambda row: (order.get(row["problem"], len(order)), row["seed"]))
    for problem, group in itertools.groupby(rows, key=lambda row: row["problem"]):
        draws = list(group)
        n = len(draws)
        exact = sum(row["exact"] is True for row in draws)
        fits = [row["fit_cpu_seconds"] for row in draws if row["fit_cpu_seconds"] is not None]

        def mean(name: str, form: str, scale: float = 100.0, draws: list[dict[str, Any]] = draws) -> str:
            values = [scale * row[name] for row in draws if row.get(name) is not None]
            return format(sum(values) / len(values), form) if values else ""

        least = min((row["test_accuracy"] for row in draws if "test_accuracy" in row), default=None)
        rate = (exact + 1) / (n + 2)
        flips = sum(row.get("flips", 0) for row in draws)
        found = sum(row.get("flips_found", 0) for row in draws)
        cells = [
            problem,
            f"{len(fits)}/{n}",
            f"{exact}/{n} ± {math.sqrt(rate * (1 - rate) / (n + 3)):.2f}",
            mean("chance_of_truth", ".2f", 1.0),
            "" if least is None else f"{mean('test_accuracy', '.3f')} ({100 * least:.3f})",
            *(mean(f"{name}_accuracy", ".1f") for name in ("ridge", "rrr", "adamw")),
            f"{found}/{flips}" if flips else "",
            f"{sorted(fits)[len(fits) // 2]:.1f}" if fits else "–",
            mean("cpu_seconds", ".1f", 1.0),
        ]
        lines.append(cells)
    used = [k for k in range(len(COLUMNS)) if any(cells[k] for cells in lines)]
    shown = [[cells[k] for k in used] for cells in (list(COLUMNS), ["---"] * len(COLUMNS), *lines)]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in shown)


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--draws", type=int)
    parser.add_argument("--seconds", type=float, default=120.0, help="CPU seconds a draw may take")
    parser.add_argument("--threads", type=int, default=min(2, available_cores()))
    parser.add_argument("--rrr", type=float, metavar="SECONDS", help="let RRR learn from the same items")
    parser.add_argument("--adamw", type=float, metavar="SECONDS", help="let a gradient network learn from them (torch)")
    parser.add_argument("--table", type=Path, help="print this record and do nothing else")
    options = parser.parse_args()
    if options.table:
        print(table(read_record(options.table)))
        return
    cases = chosen(CASES, options.only)
    record = new_record(("problem", "seed"), options, seeds="the seed of each row")
    for problem, case in cases.items():
        for seed in range(FIRST_SEED, FIRST_SEED + (options.draws or case.draws)):
            row = {"problem": problem, **run_draw(case, seed, options)}
            record.add(row)
            print(show(problem, row), flush=True)
            if options.out:
                record.write_into(options.out)


if __name__ == "__main__":
    run_script(main)
