"""What exclusive ors as gates save: CPU seconds of the gate search until every training bit is right, without and with.

    python benchmarks/gate_xor.py [--only TEXT] [--seconds 10] [-o benchmarks/results/gate_xor.json]

Parities, adders and multipliers on layers that read the layer below and all inputs; one search on one thread with two
replicas, seeds 0 and 1, both ways with the same seed, one after the other. A search that does not fit in time counts as
unsolved. Test accuracy is on 2,000 items that were not trained on, where the data is not a complete truth table.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from common import arguments, chosen, recording, run_script

from boolearn.checks import generator
from boolearn.data import Dataset, multiplier
from boolearn.data.signs import Signs
from boolearn.model import BoolNet
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.solver import Gates

SEEDS = range(2)
UNSEEN = 2000


@dataclass(frozen=True)
class Case:
    inputs: int
    items: int
    """0 for all of a truth table."""
    layers: tuple[int, ...]
    answer: Callable[[Signs], Signs]


def parity_of(count: int) -> Callable[[Signs], Signs]:
    return lambda inputs: np.where((inputs[:, :count] > 0).sum(axis=1, keepdims=True) % 2, 1, -1)


def sum_bit(inputs: Signs) -> Signs:
    """The highest bit of the sum of two numbers, not the carry."""
    bits = inputs.shape[1] // 2
    places = 1 << np.arange(bits)
    total = (inputs[:, :bits] > 0) @ places + (inputs[:, bits:] > 0) @ places
    return np.where(total >> (bits - 1) & 1, 1, -1)[:, None]


CASES = {
    "parity of 5 of 20, 400 items": Case(20, 400, (12, 12, 12, 12, 1), parity_of(5)),
    "parity of 9 of 30, 1000 items": Case(30, 1000, (16, 16, 16, 12, 12, 8, 1), parity_of(9)),
    "parity of 16, 6400 items": Case(16, 6400, (16, 16, 16, 16, 12, 8, 1), parity_of(16)),
    "sum bit of 4 + 4 bits, 200 items": Case(8, 200, (12, 12, 12, 12, 1), sum_bit),
    "sum bit of 8 + 8 bits, 2000 items": Case(16, 2000, (16, 16, 16, 12, 12, 8, 1), sum_bit),
    "3-bit multiplier": Case(6, 0, (12, 12, 12, 6), lambda inputs: inputs),
    "4-bit multiplier": Case(8, 0, (24, 24, 24, 24, 8), lambda inputs: inputs),
}


def data_of(case: Case) -> tuple[Dataset, int | None]:
    if not case.items:
        return multiplier(case.inputs // 2), None
    inputs = generator(0).choice(np.array((-1, 1), np.int8), (case.items + UNSEEN, case.inputs))
    return Dataset(inputs, case.answer(inputs)), case.items


def searched(
    problem: Problem, test: Dataset | None, seed: int, xor: bool, options: argparse.Namespace
) -> dict[str, Any]:
    """One search until it fits or the CPU seconds are used up."""
    solver = Gates(xor=xor)
    search = solver.search(problem, threads=1, until_fit=True)
    search.begin(seed)
    begun, sweeps = time.process_time(), 0
    while search.status is None and time.process_time() - begun < options.seconds:
        sweeps += search.advance(5).iterations
    seconds = time.process_time() - begun
    model = BoolNet(solver.model_network(problem), search.weights())
    search.close()
    return {
        "fits": search.fits,
        "cpu_seconds": seconds,
        "sweeps": sweeps,
        "test_accuracy": None if test is None or not len(test) else model.accuracy(test),
    }


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--seconds", type=float, default=10.0, help="the budget of a search, in CPU seconds")
    options = parser.parse_args()
    with recording(["problem", "seed", "xor"], options, list(SEEDS)) as record:
        for name, case in chosen(CASES, options.only).items():
            data, items = data_of(case)
            network = layered(case.inputs, *case.layers, reads="inputs")
            train_part, test_part = data.split(items)
            problem = Problem(network, train_part, 3)
            for seed, xor in itertools.product(SEEDS, (False, True)):
                row = {"problem": name, "seed": seed, "xor": xor, **searched(problem, test_part, seed, xor, options)}
                record.add(row)
                accuracy = row["test_accuracy"]
                test = "" if accuracy is None else f", test {accuracy:.2%}"
                ended = "fits after" if row["fits"] else "does not fit in"
                kind = "with xor   " if xor else "without xor"
                print(f"{name}, seed {seed}, {kind}: {ended} {row['cpu_seconds']:.1f} CPU s{test}", flush=True)


if __name__ == "__main__":
    run_script(main)
