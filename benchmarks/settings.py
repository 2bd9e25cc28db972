"""How β and γ change the chance of a solution, on problems small enough to try every setting many times.

    python benchmarks/settings.py [--only NAME] [--cpu-seconds S] [-o benchmarks/results/settings.json]
    python benchmarks/settings.py --show benchmarks/results/settings.json

Round k tries the settings of a problem from the same start, seed k. Problems take turns, the one that has used the
least of its share of CPU time first, until the time is used up. Settings with γ = 0 or β = 1, which hardly ever solve
anything, get three rounds; all others get every round, whatever came out before: giving settings up for bad luck would
bias what is left. A start is solved when the problem's stop rule says so: "gap" when the gap is below 0.01, "fit" when
every training bit is right at a trace line. One thread.
"""

from __future__ import annotations

import math
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from common import arguments, chosen, new_record, run_script

from boolearn.bench.record import Document, Record, Row, read_record
from boolearn.data import Dataset, InputKind, automaton, mirror, multiplier, one_hot_vectors, random_vectors, roman
from boolearn.model import random_model
from boolearn.network import Network, layered
from boolearn.solver import RRR, Restarts, Run, Status
from boolearn.solver.rrr.schedules import Schedule
from boolearn.training import train

BETAS = (0.1, 0.2, 0.3, 0.5, 0.7, 1.0)
GAMMAS = (0.0, 1e-3, 1e-2)
USUAL = (0.2, 1e-3)
ROUNDS_AT_THE_EDGE = 3
RATE = "successes_per_million_iterations"

Setting = Schedule | Literal["auto"]
"""Of β or γ."""


@dataclass(frozen=True)
class Case:
    network: Network
    dataset: Dataset
    sigma: float
    max_iter: int
    stop: str = "gap"
    share: int = 1
    """Of the CPU time."""
    settings: tuple[tuple[float, float], ...] = tuple((beta, gamma) for gamma in GAMMAS for beta in BETAS)


def circuit_case(gates: str, width: int, items: int, max_iter: int) -> Case:
    circuit = random_model(width, width, width, width, gates=gates, seed=1)
    return Case(circuit.network, circuit.sample(items, seed=1), 3, max_iter, "fit")


CASES = {
    "2-bit multiplier 4-4-4-4": Case(layered(4, 4, 4, 4), multiplier(2), 3, 10_000),
    "2-bit multiplier 4-5-4": Case(layered(4, 5, 4), multiplier(2), 5, 10_000, "fit"),
    "3-bit multiplier 6-12-12-12-6": Case(
        layered(6, 12, 12, 12, 6),
        multiplier(3),
        3,
        60_000,
        "fit",
        4,
        ((0.2, 1e-3), (0.3, 1e-3), (0.5, 1e-3), (0.7, 1e-3), (0.3, 1e-2), (0.5, 1e-2)),
    ),
    "Roman numerals to 19, 15-12-5": Case(layered(15, 12, 5), roman(19), 3, 10_000, "fit"),
    "mirror images 3×3, 9-9-9": Case(layered(9, 9, 9), mirror(3, 3, 64, seed=1), 3, 10_000),
    "autoencoder 8-3-8-8": Case(layered(8, 3, 8, 8), random_vectors(8, 8, seed=1), 7, 20_000),
    "decoder 3-8-8": Case(layered(3, 8, 8), one_hot_vectors(8, generative=InputKind.ANY_CODE), 5, 20_000),
    "And/Or circuit 3×6, 48 items": circuit_case("andor", 6, 48, 10_000),
    "Maj circuit 3×6, 48 items": circuit_case("maj", 6, 48, 10_000),
    "rule 30 on 6 cells, 6-12-12-6": Case(layered(6, 12, 12, 6), automaton(30, 6, 1, 48, seed=1), 3, 30_000, "fit", 2),
}


Start = dict[str, float | int | bool]


def run_of(
    case: Case,
    seed: int,
    beta: Setting,
    gamma: Setting,
    *,
    anneal: int | Literal["auto"] = 0,
    max_iter: int | None = None,
    restarts: int | Restarts = 1,
) -> Run:
    run = train(
        case.network,
        case.dataset,
        sigma=case.sigma,
        solver=RRR(beta=beta, gamma=gamma, anneal=anneal),
        max_iter=max_iter or case.max_iter,
        stop=case.stop,
        seed=seed,
        restarts=restarts,
        threads=1,
    )
    if run.status is Status.INTERRUPTED:
        raise KeyboardInterrupt
    return run


def one_start(case: Case, beta: Setting, gamma: Setting, seed: int, anneal: int | Literal["auto"] = 0) -> Start:
    begun = time.process_time()
    run = run_of(case, seed, beta, gamma, anneal=anneal)
    return {
        "solved": run.solved,
        "iterations": run.iterations,
        "cpu_seconds": time.process_time() - begun,
        "train_accuracy": run.train_accuracy,
    }


def with_setting(
    beta: Setting, gamma: Setting, first_seed: int, anneal: int | Literal["auto"] = 0
) -> Callable[[Case, int], Start]:
    """A way for compare_in_turns: one start of this setting in each round."""
    return lambda case, number: one_start(case, beta, gamma, first_seed + number, anneal)


def compare_in_turns(
    cases: Mapping[str, Case], ways: Mapping[str, Callable[[Case, int], Start]], record: Record, options: Namespace
) -> None:
    """Rounds of all ways, on the problem that has used the least of its share of CPU time, until the time is used up.

    A way gets the problem and the number of the round. The record's key names the problem and the way.
    """
    found: dict[str, dict[str, list[Start]]] = {problem: {way: [] for way in ways} for problem in cases}
    used, rounds = dict.fromkeys(cases, 0.0), dict.fromkeys(cases, 0)
    while sum(used.values()) < options.cpu_seconds:
        problem = min(used, key=lambda problem: used[problem] / cases[problem].share)
        begun = time.process_time()
        for way, run in ways.items():
            found[problem][way].append(run(cases[problem], rounds[problem]))
        used[problem] += time.process_time() - begun
        rounds[problem] += 1
        print(f"{problem}: round {rounds[problem]}", file=sys.stderr, flush=True)
        record.rows = [
            summary(dict(zip(record.key, (problem, way), strict=True)), starts)
            for problem, tried in found.items()
            for way, starts in tried.items()
            if starts
        ]
        if options.out:
            record.write(options.out)


def show_ways(rows: list[Row], usual: str) -> None:
    """What compare_in_turns has found, next to the way that is usual."""
    problems: dict[str, dict[str, Row]] = {}
    for row in rows:
        problems.setdefault(row["problem"], {})[row["way"]] = row
    print(f'Solutions per million iterations (solved of rounds), and times those of "{usual}"')
    for problem, found in problems.items():
        print(f"\n{problem}")
        rate = found[usual][RATE]
        for way, row in found.items():
            print(f"    {way:24}{cell(row):>24}{f'{row[RATE] / rate:.2f}' if rate else '':>8}")


class Race:
    """All settings on one problem, from the same starts."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.starts: dict[tuple[float, float], list[Start]] = {setting: [] for setting in case.settings}
        self.rounds = 0
        self.used = 0.0

    def run_round(self) -> None:
        begun = time.process_time()
        for (beta, gamma), starts in self.starts.items():
            if self.rounds < ROUNDS_AT_THE_EDGE or (gamma > 0 and beta < 1):
                starts.append(one_start(self.case, beta, gamma, self.rounds))
        self.rounds += 1
        self.used += (time.process_time() - begun) / self.case.share


def summary(about: Row, starts: list[Start]) -> Row:
    """One setting of a problem, which ``about`` names. The error of a ratio of sums is that of its linearisation."""
    n, solved = len(starts), sum(bool(start["solved"]) for start in starts)
    iterations = [int(start["iterations"]) for start in starts]
    cpu = sum(float(start["cpu_seconds"]) for start in starts)
    per = 1e6 * solved / sum(iterations)
    residuals = [1e6 * bool(s["solved"]) - per * int(s["iterations"]) for s in starts]
    error = math.sqrt(sum(r * r for r in residuals) * n / max(1, n - 1)) / sum(iterations)
    ones = [int(start["iterations"]) for start in starts if start["solved"]]
    return {
        **about,
        "starts": n,
        "solved": solved,
        "mean_iterations": sum(ones) / len(ones) if ones else None,
        "successes_per_million_iterations": per,
        "error": error,
        "successes_per_cpu_second": solved / cpu,
        "cpu_error": error / per * solved / cpu if solved else 0.0,
        "microseconds_per_iteration": 1e6 * cpu / sum(iterations),
        "mean_train_accuracy": sum(float(start["train_accuracy"]) for start in starts) / n,
        "iterations_of_solved": {str(seed): k for seed, k in enumerate(iterations) if starts[seed]["solved"]},
    }


def show(record: Document) -> None:
    """Successes per million iterations, settings across, problems down."""
    problems: dict[str, dict[tuple[float, float], Row]] = {}
    for row in record["rows"]:
        problems.setdefault(row["problem"], {})[row["beta"], row["gamma"]] = row
    for gamma in GAMMAS:
        print(f"\nγ = {gamma:g}: successes per million iterations (solved of starts)")
        print(f"{'problem':34}" + "".join(f"{f'β = {beta:g}':>22}" for beta in BETAS))
        for name, rows in problems.items():
            print(f"{name:34}" + "".join(f"{cell(rows.get((beta, gamma))):>22}" for beta in BETAS))
    usual = f"β = {USUAL[0]:g}, γ = {USUAL[1]:g}"
    print(f"\nTimes the rate of {usual}; geometric mean over the problems where both solve any")
    for gamma in GAMMAS:
        for beta in BETAS:
            print(f"β = {beta:<4g} γ = {gamma:<6g} {against_the_usual(beta, gamma, list(problems.values()))}")


def cell(row: Row | None) -> str:
    if row is None:
        return ""
    return f"{row[RATE]:.3g} ± {row['error']:.2g} ({row['solved']}/{row['starts']})"


def against_the_usual(beta: float, gamma: float, problems: list[dict[tuple[float, float], Row]]) -> str:
    ratios = [(rows[beta, gamma][RATE], rows[USUAL][RATE]) for rows in problems if (beta, gamma) in rows]
    logs = [math.log(a / b) for a, b in ratios if a > 0 and b > 0]
    lost = sum(a == 0 < b for a, b in ratios)
    won = sum(b == 0 < a for a, b in ratios)
    mean = f"{math.exp(sum(logs) / len(logs)):.2f} on {len(logs)}" if logs else "none"
    return f"{mean:>14}; only this one solves {won}, only the usual one {lost}"


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--cpu-seconds", type=float, default=1000.0)
    parser.add_argument("--most-rounds", type=int, default=200)
    parser.add_argument("--show", type=Path, metavar="FILE", help="print the tables of a record and do nothing else")
    options = parser.parse_args()
    if options.show:
        show(read_record(options.show))
        return
    races = {name: Race(case) for name, case in chosen(CASES, options.only).items()}
    record = new_record(
        ("problem", "beta", "gamma"),
        options,
        "round k, from 0, has seed k in all settings; data has seed 1",
        problems={name: about(race.case) for name, race in races.items()},
    )
    spent = 0.0
    while spent < options.cpu_seconds:
        open_ones = [name for name, race in races.items() if race.rounds < options.most_rounds]
        if not open_ones:
            break
        name = min(open_ones, key=lambda name: races[name].used)
        races[name].run_round()
        spent = sum(race.used * race.case.share for race in races.values())
        print(f"{spent:7.1f} s  {name}: round {races[name].rounds}", file=sys.stderr, flush=True)
        record.run["parameters"]["cpu_seconds_used"] = spent
        record.rows = [
            summary({"problem": name, "beta": beta, "gamma": gamma}, starts)
            for name, race in races.items()
            if race.rounds
            for (beta, gamma), starts in race.starts.items()
        ]
        if options.out:
            record.write(options.out)
    show(record.document())


def about(case: Case) -> dict[str, Any]:
    return {
        "sigma": case.sigma,
        "items": len(case.dataset),
        "edges": case.network.n_edges,
        "max_iter": case.max_iter,
        "stop": case.stop,
    }


if __name__ == "__main__":
    run_script(main)
