"""How often and how fast the search among gates finds the circuit behind the data.

    python benchmarks/gate_search.py [--only NAME] [--draws N] [--seconds S] [-o benchmarks/results/gate_search.json]

Draw k uses seed k for the circuit or automaton, for its items and for the search. A circuit is exact when it is right
on 10,000 inputs it has not seen, or on the whole table where there is one.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass

from boolearn.data import Dataset, automaton, multiplier
from boolearn.files import write_text
from boolearn.model import random_circuit
from boolearn.network import Network, layered
from boolearn.solver import train
from boolearn.solver.benchmark import machine

UNSEEN = 10_000


@dataclass(frozen=True)
class Case:
    network: Network
    items: int | None
    data: Callable[[int], Dataset]
    draws: int


def circuit_case(gates: str, items: int) -> Case:
    widths = (32, 32, 32, 32, 32, 32)
    return Case(
        layered(*widths),
        items,
        lambda draw: random_circuit(*widths, gates=gates, seed=draw).sample(items + UNSEEN, seed=draw),
        2,
    )


def rule_case(steps: int, items: int, *widths: int) -> Case:
    return Case(layered(*widths), items, lambda draw: automaton(30, 16, steps, items + UNSEEN, seed=draw), 3)


CASES = {
    "3-bit multiplier": Case(layered(6, 12, 12, 12, 6), None, lambda _: multiplier(3), 10),
    "4-bit multiplier": Case(layered(8, 24, 24, 24, 24, 8), None, lambda _: multiplier(4), 2),
    "rule 30, one step, 96 items": rule_case(1, 96, 16, 32, 32, 16),
    "rule 30, two steps, 256 items": rule_case(2, 256, 16, 48, 48, 48, 16),
    "Maj 5×32, 256 items": circuit_case("maj", 256),
    "Maj 5×32, 512 items": circuit_case("maj", 512),
    "And/Or 5×32, 512 items": circuit_case("andor", 512),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--only", default="")
    parser.add_argument("--draws", type=int)
    parser.add_argument("--seconds", type=float, default=120.0, help="budget of a draw")
    parser.add_argument("-o", "--out")
    options = parser.parse_args()
    rows = []
    for name, case in CASES.items():
        if options.only not in name:
            continue
        for draw in range(options.draws or case.draws):
            cpu, begun = time.process_time(), time.perf_counter()
            run = train(
                case.network,
                case.data(draw),
                items=case.items,
                solver="gates",
                seed=draw,
                max_seconds=options.seconds,
            )
            rows.append(
                {
                    "problem": name,
                    "draw": draw,
                    "status": run.status.word,
                    "sweeps": run.iterations,
                    "train_accuracy": run.train_accuracy,
                    "test_accuracy": run.test_accuracy,
                    "seconds": time.perf_counter() - begun,
                    "cpu_seconds": time.process_time() - cpu,
                }
            )
            row = rows[-1]
            test = "" if row["test_accuracy"] is None else f", test {100 * row['test_accuracy']:.3f} %"
            print(
                f"{name:32} draw {draw}: {row['status']}, train {100 * row['train_accuracy']:.3f} %{test}, "
                f"{row['seconds']:.1f} s, CPU {row['cpu_seconds']:.1f} s",
                flush=True,
            )
    if options.out:
        record = {"machine": machine(), "budget_seconds": options.seconds, "rows": rows}
        write_text(options.out, json.dumps(record, indent=2) + "\n")


if __name__ == "__main__":
    main()
