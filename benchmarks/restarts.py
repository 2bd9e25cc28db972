"""Ways to restart: how many iterations, over all starts, it takes to solve a problem of settings.py.

    python benchmarks/restarts.py [--only NAME] [--cpu-seconds S] [-o benchmarks/results/restarts.json]

"one by one": starts with β = 0.2 and γ = 1e-3, each with the problem's budget, until one is solved. "N, halving by η":
``Restarts(N, halving=η)``, begun again with other starts until one is solved. "growing by f": ``Restarts(20,
growing=f)``, begun again in the same way. "two settings": one by one, with β = 0.3, γ = 1e-3 and with β = 0.5, γ = 1e-2
in turns. "race of four": four settings begin, and after 1000 iterations the one that has the most bits right goes on
alone; begun again until one is solved. "auto": with β and γ "auto". A way gives up after 12 budgets, and what it has
spent by then counts.

Attempt j of round k has the seed s = 100,000 + 1000 k + j, with N starts at once N s to N s + N − 1. Problems take
turns, the one that has used the least of its share of CPU time first. Iterations do not depend on the machine. One
thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import count, cycle

from common import arguments, chosen, new_record, run_script
from settings import CASES, Case, Setting, Start, compare_in_turns, run_of, show_ways

from boolearn.solver import Restarts

Settings = tuple[Setting, Setting]
"""β and γ."""

PAPER = (0.2, 1e-3)
AUTO: Settings = ("auto", "auto")
TWO = ((0.3, 1e-3), (0.5, 1e-2))
FOUR = (PAPER, *TWO, (0.5, 1e-3))
RACE = 1000
MOST_BUDGETS = 12
FIRST_SEED = 100_000
SEEDS_A_ROUND = 1000

Spent = tuple[int, bool]
"""Iterations of some starts, and whether one was solved."""


def one_by_one(*settings: Settings) -> Callable[[Case, int], Spent]:
    turn = cycle(settings)

    def attempt(case: Case, seed: int) -> Spent:
        run = run_of(case, seed, *next(turn))
        return run.iterations, run.solved

    return attempt


def several(restarts: Restarts, setting: Settings = PAPER) -> Callable[[Case, int], Spent]:
    def attempt(case: Case, seed: int) -> Spent:
        run = run_of(case, seed * restarts.count, *setting, restarts=restarts)
        return sum(start.iterations for start in run.starts), run.solved

    return attempt


def race(case: Case, seed: int) -> Spent:
    runs = {setting: run_of(case, seed, *setting, max_iter=RACE) for setting in FOUR}
    spent = sum(run.iterations for run in runs.values())
    if any(run.solved for run in runs.values()):
        return spent, True
    best = max(runs, key=lambda setting: (runs[setting].trace[-1].train_accuracy, -runs[setting].gap))
    run = run_of(case, seed, *best)  # the same start again: only what comes after the race is counted
    return spent + run.iterations - RACE, run.solved


WAYS: dict[str, Callable[[], Callable[[Case, int], Spent]]] = {
    "one by one": lambda: one_by_one(PAPER),
    "8, halving by 2": lambda: several(Restarts(8, halving=2)),
    "16, halving by 4": lambda: several(Restarts(16, halving=4)),
    "growing by 1.2": lambda: several(Restarts(20, growing=1.2)),
    "growing by 1.5": lambda: several(Restarts(20, growing=1.5)),
    "two settings": lambda: one_by_one(*TWO),
    "race of four": lambda: race,
    "one by one, auto": lambda: one_by_one(AUTO),
    "growing by 1.5, auto": lambda: several(Restarts(20, growing=1.5), AUTO),
}


def until_solved(case: Case, attempt: Callable[[Case, int], Spent], first_seed: int) -> Start:
    begun, spent, solved = time.process_time(), 0, False
    for seed in count(first_seed):
        iterations, solved = attempt(case, seed)
        spent += iterations
        if solved or spent >= MOST_BUDGETS * case.max_iter:
            break
    return {
        "solved": solved,
        "iterations": spent,
        "cpu_seconds": time.process_time() - begun,
        "train_accuracy": float(solved),
    }


def round_of(make: Callable[[], Callable[[Case, int], Spent]]) -> Callable[[Case, int], Start]:
    return lambda case, number: until_solved(case, make(), FIRST_SEED + SEEDS_A_ROUND * number)


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--cpu-seconds", type=float, default=600.0)
    options = parser.parse_args()
    seeds = "attempt j of round k has seed s = 100000 + 1000 k + j, N s and on with N starts at once; data has seed 1"
    record = new_record(("problem", "way"), options, seeds)
    ways = {way: round_of(make) for way, make in WAYS.items()}
    compare_in_turns(chosen(CASES, options.only), ways, record, options)
    show_ways(record.rows, "one by one")


if __name__ == "__main__":
    run_script(main)
