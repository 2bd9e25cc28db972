"""Departures from the paper's iteration: do they solve problems in fewer iterations?

    python benchmarks/departures.py [--only NAME] [--cpu-seconds S] [-o benchmarks/results/departures.json]

"margins rise" begins with lower margins, 0.7 or 0.8 of the true ones, and reaches these after a twentieth of the limit,
in two steps; "margins fall" begins with larger ones. "kick" lets a random 10 or 30 % of the items forget their
variables, every twentieth of the limit: what the present weights make of their inputs takes their place. "metric"
changes the weights of neurons and items every fifth of the limit: all 1 again, their squares, or their square roots;
the sums of the iteration under way keep the old ones. All have the β and γ of "auto" at the first iteration. A start is
solved when the gap is below 0.01.

Round k tries everything from the same start, seed 5000 + k. Problems take turns, the one that has used the least CPU
time first. Iterations do not depend on the machine. One thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from common import arguments, chosen, new_record, run_script
from settings import CASES, Case, Start, compare_in_turns, show_ways

from boolearn.engine.native import NativeEngine
from boolearn.problem import Problem
from boolearn.solver.rrr.schedules import value_at
from boolearn.solver.rrr.solver import settings_for

FIRST_SEED = 5000
GAP_TOL = 0.01
NAMES = (
    "2-bit multiplier 4-4-4-4",
    "mirror images 3×3, 9-9-9",
    "autoencoder 8-3-8-8",
    "And/Or circuit 3×6, 48 items",
    "Maj circuit 3×6, 48 items",
)
"""Of settings.py. Decoders are left out: their items have no inputs to begin again from."""
LONGEST = 30_000
"""Iterations: a gap closes later than the bits are right, for which the limits of settings.py are meant."""

Change = Callable[[NativeEngine, np.random.Generator], None]


def engine_of(case: Case, lower: float = 1.0) -> NativeEngine:
    """With margins lower than those of the case by this factor; margins go with 1/√σ."""
    problem = Problem(case.network, case.dataset, case.sigma / lower**2)
    return NativeEngine(problem, precision="single", threads=1)


def limit_of(case: Case) -> int:
    return case.max_iter if case.stop == "gap" else LONGEST


def iterated(engine: NativeEngine, iterations: int) -> tuple[int, bool]:
    """How many were done, and whether the gap closed."""
    beta, gamma = settings_for(engine.problem)
    step = value_at("gamma", gamma, 0)
    progress = engine.iterate(iterations, beta=beta, gamma=step, stop_below=GAP_TOL)
    return progress.iterations, progress.gap < GAP_TOL


def with_margins(*factors: float) -> Callable[[Case, int], tuple[int, bool]]:
    """A fortieth of the limit with each factor, then the true margins."""

    def search(case: Case, seed: int) -> tuple[int, bool]:
        limit = limit_of(case)
        engine, done = engine_of(case, factors[0] if factors else 1.0), 0
        engine.begin(seed)
        for following in [*factors[1:], 1.0] if factors else []:
            done += iterated(engine, limit // 40)[0]  # a gap closed to other margins is no solution
            state = engine.snapshot()
            engine = engine_of(case, following)
            engine.restore(state)
        last, solved = iterated(engine, limit - done)
        return done + last, solved

    return search


def with_changes(times: int, change: Change) -> Callable[[Case, int], tuple[int, bool]]:
    """The state is changed this many times less one, after equal numbers of iterations."""

    def search(case: Case, seed: int) -> tuple[int, bool]:
        engine, done, random = engine_of(case), 0, np.random.default_rng(seed)
        engine.begin(seed)
        for turn in range(times):
            if turn:
                change(engine, random)
            more, solved = iterated(engine, limit_of(case) // times)
            done += more
            if solved:
                return done, True
        return done, False

    return search


def kick(share: float) -> Change:
    def change(engine: NativeEngine, random: np.random.Generator) -> None:
        problem = engine.problem
        count = max(1, int(share * problem.n_items))
        first = int(random.integers(0, problem.n_items - count + 1))
        items = slice(first, first + count)
        engine.replace(first, problem.dataset.inputs[items], problem.targets[items])

    return change


def metric(power: float) -> Change:
    def change(engine: NativeEngine, random: np.random.Generator) -> None:
        del random
        state = dict(engine.snapshot())
        g = np.asarray(state["g"], np.float64)
        changed = np.where(g > 0, np.minimum(g**power, 1e6), 0)  # padding has 0
        state["g"] = changed.astype(state["g"].dtype)
        engine.restore(state)

    return change


WAYS: dict[str, Callable[[Case, int], tuple[int, bool]]] = {
    "as it is": with_margins(),
    "margins rise from 0.7": with_margins(0.7, 0.85),
    "margins rise from 0.8": with_margins(0.8, 0.9),
    "margins fall from 1.3": with_margins(1.3, 1.15),
    "kick 10 %": with_changes(20, kick(0.1)),
    "kick 30 %": with_changes(20, kick(0.3)),
    "metric begins again": with_changes(5, metric(0)),
    "metric squared": with_changes(5, metric(2)),
    "root of the metric": with_changes(5, metric(0.5)),
}


def round_of(search: Callable[[Case, int], tuple[int, bool]]) -> Callable[[Case, int], Start]:
    def one(case: Case, number: int) -> Start:
        begun = time.process_time()
        iterations, solved = search(case, FIRST_SEED + number)
        spent = time.process_time() - begun
        return {"solved": solved, "iterations": iterations, "cpu_seconds": spent, "train_accuracy": float(solved)}

    return one


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--cpu-seconds", type=float, default=300.0)
    options = parser.parse_args()
    record = new_record(("problem", "way"), options, "round k, from 0, has seed 5000 + k; data has seed 1")
    ways = {way: round_of(search) for way, search in WAYS.items()}
    compare_in_turns(chosen({name: CASES[name] for name in NAMES}, options.only), ways, record, options)
    show_ways(record.rows, "as it is")


if __name__ == "__main__":
    run_script(main)
