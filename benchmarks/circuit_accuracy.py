"""How long RRR takes to a test accuracy on the paper's random circuits of five layers of 32, and on rule 30.

    python benchmarks/circuit_accuracy.py --max-iter 100000 -o benchmarks/results/circuit_accuracy.json
    python benchmarks/circuit_accuracy.py --only Maj --items 256 --draws 1 --betas auto --max-iter 1000
    python benchmarks/circuit_accuracy.py --betas auto --anneal 0 20000 --max-iter 30000
    python benchmarks/circuit_accuracy.py --show benchmarks/results/circuit_accuracy.json
    python benchmarks/circuit_accuracy.py --only "one step" --items 96 --betas auto --anneal 0 80000 --max-iter 100000

A run ends when the accuracy is reached at a trace line, or with the budget. Its accuracies at ten, thirty and a hundred
per cent of the budget are recorded, so that settings can be compared where none reaches the target. Draw k has circuit,
samples and start of seed k. A file of an earlier run is added to. One thread, so that several may run side by side.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from pathlib import Path
from statistics import mean, stdev

from common import arguments, chosen, new_record, run_script

from boolearn.bench.record import Row, read_record
from boolearn.data import Dataset, automaton
from boolearn.model import random_model
from boolearn.network import Network, layered
from boolearn.solver import RRR, Run, Status
from boolearn.solver.rrr.schedules import parse_schedule
from boolearn.solver.stopping import Target
from boolearn.training import train

TESTED = 2000


def circuit(gates: str) -> Callable[[int, int], tuple[Network, Dataset]]:
    def drawn(items: int, seed: int) -> tuple[Network, Dataset]:
        model = random_model(32, 32, 32, 32, 32, 32, gates=gates, seed=seed)
        return model.network, model.sample(items, seed=seed)

    return drawn


def rule_30(steps: int, *widths: int) -> Callable[[int, int], tuple[Network, Dataset]]:
    return lambda items, seed: (layered(*widths), automaton(30, 16, steps, items, seed=seed))


CASES = {
    "And/Or": circuit("andor"),
    "Maj": circuit("maj"),
    "rule 30, one step": rule_30(1, 16, 32, 32, 16),
    "rule 30, two steps": rule_30(2, 16, 48, 48, 48, 16),
}


def learn(gates: str, items: int, draw: int, beta: str, anneal: int, target: float, max_iter: int) -> Row:
    network, samples = CASES[gates](items + TESTED, draw)
    begun, used = time.perf_counter(), time.process_time()
    solver = RRR(beta=parse_schedule("beta", beta), anneal=anneal)
    stop = [Target(target)]
    run = train(network, samples, solver=solver, items=items, seed=draw, max_iter=max_iter, stop=stop, threads=1)
    if run.status is Status.INTERRUPTED:
        raise KeyboardInterrupt
    return {
        "gates": gates,
        "items": items,
        "draw": draw,
        "beta": beta,
        "anneal": anneal,
        "target": target,
        "max_iter": max_iter,
        "status": run.status.value,
        "iterations": run.iterations,
        "test_accuracy": run.trace[-1].test_accuracy,
        "accuracy_after": {str(share): accuracy_at(run, share * max_iter) for share in (0.1, 0.3, 1.0)},
        "cpu_seconds": time.process_time() - used,
        "wall_seconds": time.perf_counter() - begun,
    }


def accuracy_at(run: Run, iteration: float) -> float | None:
    """On test items, at the last trace line until then; a run that ended at the target has it from then on."""
    return [line.test_accuracy for line in run.trace if line.iteration <= iteration][-1]


def show(rows: list[Row]) -> None:
    """Mean test accuracies over draws, with their standard errors, at each share of the budget; then CPU seconds."""
    alike: dict[tuple[str, int, str, int, int], list[Row]] = {}
    for row in rows:
        kind = (row["gates"], row["items"], row["beta"], row["anneal"], row["max_iter"])
        alike.setdefault(kind, []).append(row)
    for (gates, items, beta, anneal, max_iter), found in alike.items():
        means = []
        for share in ("0.1", "0.3", "1.0"):
            values = [row["accuracy_after"][share] for row in found]
            error = f" ± {stdev(values) / len(values) ** 0.5:.2%}" if len(values) > 1 else ""
            means.append(f"{float(share) * max_iter:8,.0f}: {mean(values):.2%}{error}")
        reached = sum(row["accuracy_after"]["1.0"] >= row["target"] for row in found)
        seconds = mean(row["cpu_seconds"] for row in found)
        about = f"{gates}, {items} items, β {beta}, anneal {anneal}"
        print(f"{about:50} {'; '.join(means)}; {reached} of {len(found)} draws at the target, {seconds:.0f} s")


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--items", type=int, nargs="+", default=[256, 512])
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--betas", nargs="+", default=["0.2", "auto"])
    parser.add_argument(
        "--anneal", type=int, nargs="+", default=[0], help="iterations over which σ rises; 0: it does not"
    )
    parser.add_argument("--target", type=float, default=0.99)
    parser.add_argument("--max-iter", type=int, default=1_000_000)
    parser.add_argument("--show", type=Path, metavar="FILE", help="print means of a record and do nothing else")
    options = parser.parse_args()
    if options.show:
        show(read_record(options.show)["rows"])
        return
    record = new_record(("gates", "items", "draw", "beta", "anneal"), options, "draw k has seed k, from 1")
    for draw in range(1, options.draws + 1):
        for items in options.items:
            for gates in chosen(CASES, options.only):
                for beta, anneal in itertools.product(options.betas, options.anneal):
                    row = learn(gates, items, draw, beta, anneal, options.target, options.max_iter)
                    record.add(row)
                    if options.out:
                        record.write_into(options.out)
                    after = ", ".join("–" if a is None else f"{a:.2%}" for a in row["accuracy_after"].values())
                    about = f"{gates}, {items} items, draw {draw}, β {beta}, anneal {anneal}"
                    print(f"{about:55} {after}; {row['iterations']} iterations, {row['cpu_seconds']:.0f} s", flush=True)


if __name__ == "__main__":
    run_script(main)
