"""How often and how fast the search among gates finds the circuit behind the data.

    python benchmarks/gate_search.py [--only TEXT] [--draws N] [--seconds S] [-o benchmarks/results/gate_search.json]
    python benchmarks/gate_search.py --table benchmarks/results/gate_search.json

Draw k uses seed k for the circuit or automaton, for its items, for flipped bits and for the search. A circuit is exact
when it is proved to compute what the data was made with. Rows already in the record are replaced when they are run
again, and kept otherwise; every row names the run it comes from. ``--table`` prints a record.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import shlex
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from ambiguity import chance_of_truth

from boolearn.circuit import prove_equal
from boolearn.circuit.bits import all_inputs
from boolearn.cores import available_cores
from boolearn.data import Dataset, automaton, multiplier
from boolearn.data.automata import evolve
from boolearn.files import write_text
from boolearn.model import BoolNet, random_circuit
from boolearn.network import Network, layered
from boolearn.problem import Problem
from boolearn.solver.benchmark import machine
from boolearn.solver.gate_search import GateSearch
from boolearn.solver.gate_table import weights_of

UNSEEN = 10_000
PROOF_SECONDS = 60.0


@dataclass(frozen=True)
class Draw:
    train: Dataset
    test: Dataset | None
    truth: BoolNet | Dataset
    """A circuit, or all inputs with their outputs."""
    flips: np.ndarray[tuple[int, int], np.dtype[np.bool_]] | None = None


@dataclass(frozen=True)
class Case:
    network: Network
    draw: Callable[[int], Draw]
    draws: int
    noise: float = 0.0


def circuit_case(gates: str, depth: int, width: int, items: int, draws: int, noise: float = 0.0) -> Case:
    widths = (width,) * (depth + 1)

    def draw(seed: int) -> Draw:
        circuit = random_circuit(*widths, gates=gates, seed=seed)
        train, test = circuit.sample(items + UNSEEN, seed=seed).split(items)
        if not noise:
            return Draw(train, test, circuit)
        flips = np.random.default_rng(seed).random(train.outputs.shape) < noise
        return Draw(replace(train, outputs=np.where(flips, -train.outputs, train.outputs)), test, circuit, flips)

    return Case(layered(*widths), draw, draws, noise)


def rule_case(steps: int, items: int, draws: int, *widths: int) -> Case:
    def draw(seed: int) -> Draw:
        train, test = automaton(30, widths[0], steps, items + UNSEEN, seed=seed).split(items)
        states = all_inputs(widths[0])
        return Draw(train, test, Dataset(states, evolve(states, 30, steps)))

    return Case(layered(*widths), draw, draws)


def multiplier_case(bits: int, draws: int, *widths: int) -> Case:
    table = multiplier(bits)
    return Case(layered(*widths), lambda _: Draw(table, None, table), draws)


CASES = {
    "3-bit multiplier, 6→12→12→12→6": multiplier_case(3, 10, 6, 12, 12, 12, 6),
    "3-bit multiplier, 6→10→10→10→6": multiplier_case(3, 5, 6, 10, 10, 10, 6),
    "3-bit multiplier, 6→9→9→9→6": multiplier_case(3, 5, 6, 9, 9, 9, 6),
    "3-bit multiplier, 6→8→8→8→6": multiplier_case(3, 5, 6, 8, 8, 8, 6),
    "3-bit multiplier, 6→16→16→6": multiplier_case(3, 5, 6, 16, 16, 6),
    "4-bit multiplier, 8→24→24→24→24→8": multiplier_case(4, 5, 8, 24, 24, 24, 24, 8),
    **{f"rule 30, one step, {n} items": rule_case(1, n, 5, 16, 32, 32, 16) for n in (48, 64, 96)},
    **{f"rule 30, two steps, {n} items": rule_case(2, n, 5, 16, 48, 48, 48, 16) for n in (128, 192, 256)},
    **{
        f"{name} 5×32, {n} items": circuit_case(gates, 5, 32, n, 5)
        for name, gates in (("Maj", "maj"), ("And/Or", "andor"))
        for n in (128, 256, 384, 512)
    },
    "And/Or 5×32, 1024 items": circuit_case("andor", 5, 32, 1024, 5),
    "And/Or 5×32, 2048 items": circuit_case("andor", 5, 32, 2048, 5),
    **{
        f"And/Or 5×32, 512 items, {100 * p:g} % flipped": circuit_case("andor", 5, 32, 512, 3, p)
        for p in (0.01, 0.02, 0.05)
    },
    "Maj 8×32, 512 items": circuit_case("maj", 8, 32, 512, 2),
    "Maj 5×64, 512 items": circuit_case("maj", 5, 64, 512, 2),
    "Maj 5×64, 1024 items": circuit_case("maj", 5, 64, 1024, 2),
    "Maj 5×128, 1024 items": circuit_case("maj", 5, 128, 1024, 1),
}


def ridge_accuracy(draw: Draw, strength: float = 1.0) -> float:
    """On unseen items, of the signs of a linear regression of every output with a penalty on its coefficients."""
    assert draw.test is not None
    train, test = (np.column_stack([part.inputs, np.ones(len(part))]) for part in (draw.train, draw.test))
    coefficients = np.linalg.solve(train.T @ train + strength * np.eye(train.shape[1]), train.T @ draw.train.outputs)
    return float((np.where(test @ coefficients >= 0, 1, -1) == draw.test.outputs).mean())


def is_exact(model: BoolNet, draw: Draw) -> bool | None:
    """None when the proof took too long."""
    if draw.test is not None and model.accuracy(draw.test) < 1:
        return False
    proof = prove_equal(model, draw.truth, time_limit=PROOF_SECONDS)
    return proof.equal


def run_draw(case: Case, seed: int, budget: float, threads: int) -> dict[str, Any]:
    """Seconds are of the search alone; CPU seconds, of all its threads, depend less on what else the machine does."""
    draw = case.draw(seed)
    problem = Problem(case.network, draw.train, 3)
    row: dict[str, Any] = {"items": len(draw.train), "seed": seed}
    cpu, begun = time.process_time(), time.perf_counter()
    search = GateSearch(problem, seed, noise=case.noise, threads=threads)
    fit: dict[str, float | None] = {"fit_seconds": None, "fit_cpu_seconds": None}
    while not search.finished and time.process_time() - cpu < budget:
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
    if isinstance(draw.truth, BoolNet) and draw.test is not None and not case.noise:
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
        parts.append(f"test {100 * row['test_accuracy']:.3f} % (ridge {100 * row['ridge_accuracy']:.1f} %)")
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
    likely beforehand: it is not 0 when all draws agree.
    """
    lines = [
        "| problem | fits | exact | chance | test % mean (least) | ridge % | flips found | CPU s to fit | CPU s |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
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
            mean("ridge_accuracy", ".1f"),
            f"{found}/{flips}" if flips else "",
            f"{sorted(fits)[len(fits) // 2]:.1f}" if fits else "–",
            mean("cpu_seconds", ".1f", 1.0),
        ]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def merge(path: Path, run: dict[str, Any], rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The record with these rows in the place of older ones; runs that no row comes from are dropped."""
    record = json.loads(path.read_text("utf-8")) if path.exists() else {"runs": [], "rows": []}
    fresh = {(row["problem"], row["seed"]) for row in rows}
    kept = [row for row in record["rows"] if (row["problem"], row["seed"]) not in fresh]
    runs = record["runs"] if run in record["runs"] else [*record["runs"], run]
    merged = [*kept, *({**row, "run": runs.index(run)} for row in rows)]
    used = sorted({row["run"] for row in merged})
    return {
        "runs": [runs[index] for index in used],
        "rows": [{**row, "run": used.index(row["run"])} for row in merged],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="", help="problems whose names hold this")
    parser.add_argument("--draws", type=int)
    parser.add_argument("--seconds", type=float, default=120.0, help="CPU seconds a draw may take")
    parser.add_argument("--threads", type=int, default=min(2, available_cores()))
    parser.add_argument("-o", "--out", type=Path)
    parser.add_argument("--table", type=Path, help="print this record and do nothing else")
    options = parser.parse_args()
    if options.table:
        print(table(json.loads(options.table.read_text("utf-8"))))
        return
    run = {
        "command": " ".join(["python", "benchmarks/gate_search.py", *map(shlex.quote, sys.argv[1:])]),
        "machine": machine(),
        "budget_cpu_seconds": options.seconds,
        "threads": options.threads,
    }
    rows: list[dict[str, Any]] = []
    for problem, case in CASES.items():
        if options.only not in problem:
            continue
        for seed in range(options.draws or case.draws):
            rows.append({"problem": problem, **run_draw(case, seed, options.seconds, options.threads)})
            print(show(problem, rows[-1]), flush=True)
            if options.out:
                write_text(options.out, json.dumps(merge(options.out, run, rows), indent=2) + "\n")


if __name__ == "__main__":
    main()
