"""What the tests run on several ranks: mpiexec -n 2 python ranked.py TASK. Rank 0 prints what came out as JSON."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from mpi4py import MPI
from problems import PROBLEMS, STEP, data

from boolearn.data import Dataset, multiplier
from boolearn.engine.distributed import DistributedEngine
from boolearn.engine.native import NativeEngine
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.ranks import as_ranks
from boolearn.solver import RRR, Callback, Gates
from boolearn.solver.watching.callbacks import Tick
from boolearn.training import train
from killable import CASES, outcome, run_case

COMM = MPI.COMM_WORLD
EVERY: dict[str, Callable[[], Problem]] = {
    **{
        name: PROBLEMS[name]
        for name in ("layered", "tied", "analog", "any code", "one-hot code", "classes", "open, with noise")
    },
    "five thousand items": lambda: Problem(layered(4, 5, 2), data(layered(4, 5, 2), 5000)),
    "long messages": lambda: Problem(layered(40, 200, 40), data(layered(40, 200, 40), 300)),
    "wrong classes": lambda: replace(PROBLEMS["classes"](), noise=0.2),
    "noise": lambda: Problem(layered(6, 8, 4), data(layered(6, 8, 4), 300), noise=0.1, input_noise=0.05),
}


def engines() -> dict[str, list[str]]:
    """For every problem and precision, what differs from one process."""
    ranks = as_ranks(COMM)
    return {
        f"{name}, {precision}": _differences(problem(), precision, ranks)
        for name, problem in EVERY.items()
        for precision in ("half", "single", "double")
    }


def _differences(problem: Problem, precision: Any, ranks: Any) -> list[str]:
    several = DistributedEngine(problem, ranks, precision=precision, threads=1)
    alone = NativeEngine(problem, precision=precision, threads=1)
    count = problem.n_items // 3
    part = problem.dataset.take(slice(0, count))
    found: list[str] = []
    for engine in (several, alone):
        engine.begin(5)
    if np.abs(several.weights() - alone.weights()).max() > 1e-13:
        found.append("weights of the start")
    for _ in range(2):
        if several.iterate(4, **STEP) != alone.iterate(4, **STEP):
            found.append("gaps")
        if not np.array_equal(several.weights(), alone.weights()):
            found.append("weights")
        if not np.array_equal(several.input_values(), alone.input_values()):
            found.append("inputs")
        if not all(np.array_equal(a, b) for a, b in zip(several.flipped(), alone.flipped(), strict=True)):
            found.append("flipped bits")
        kept, other = several.snapshot(), alone.snapshot()
        if ranks.leads:
            found += [f"snapshot: {name}" for name in other if not np.array_equal(kept.get(name, []), other[name])]
        inputs = alone.input_values()[:count] if problem.dataset.input_kind.free else part.inputs
        for engine in (several, alone):
            engine.replace(problem.n_items - count, inputs, part.targets)
    several.begin(0)
    several.restore(kept)
    several.replace(problem.n_items - count, inputs, part.targets)
    if several.iterate(2, **STEP) != alone.iterate(2, **STEP):
        found.append("gaps after restoring")
    return found


def trainings() -> dict[str, bool]:
    """Whether trainings of every kind come to what they come to in one process."""
    return {
        case: outcome(run_case(case, 20, comm=COMM)) == outcome(run_case(case, 20))
        for case in CASES
        if "side by side" not in case
    }


def gates() -> dict[str, object]:
    """The gate search with more replicas than one rank has, to the end."""
    here = {"solver": Gates(replicas=3), "seed": 4, "stop": "fit", "max_iter": 20_000}
    several, alone = (train([4, 4, 4, 4], multiplier(2), **more, **here) for more in ({"comm": COMM}, {}))
    return {"solved": several.solved, "same": outcome(several) == outcome(alone)}


def mistakes() -> dict[str, str]:
    """What is said when ranks do not agree, and by whom."""
    table, here = multiplier(2), COMM.rank
    other = Dataset(table.inputs, table.outputs[::-1])
    calls: dict[str, Callable[[], object]] = {
        "data": lambda: train([4, 4, 4], (table, other)[here], comm=COMM),
        "network": lambda: train([4, 4 + here, 4], table, comm=COMM),
        "parameter": lambda: train([4, 4, 4], table, beta=(0.2, 0.3)[here], comm=COMM),
        "seed": lambda: train([4, 4, 4], table, seed=here, comm=COMM),
        "one is wrong": lambda: train([4, 4, 4], table, sigma=(3, -1)[here], comm=COMM),
        "items": lambda: train([4, 4, 4], table, items=1, comm=COMM),
        "engine": lambda: train([4, 4, 4], table, engine="reference", comm=COMM),
    }
    said = {}
    for name, call in calls.items():
        try:
            call()
            said[name] = "nothing"
        except Exception as error:
            said[name] = f"{error}"
    both = COMM.allgather(said)
    return {f"{name}, rank {rank}": message for rank, all_of in enumerate(both) for name, message in all_of.items()}


class Called(Callback):
    def __init__(self) -> None:
        self.lines: list[int] = []

    def on_trace(self, tick: Tick) -> None:
        self.lines.append(tick.iteration)


def watched() -> dict[str, object]:
    """Callbacks are rank 0's; the time is up, and a rule stops, on all ranks at once."""
    called = Called()
    solver = RRR(gap_tol=0)
    run = train([4, 4, 4, 4], multiplier(2), solver=solver, max_iter=30, callbacks=[called], comm=COMM)
    timed = train([4, 4, 4, 4], multiplier(2), solver=solver, max_seconds=0.3, comm=COMM)
    ended = COMM.allgather((timed.status.word, timed.iterations, len(called.lines)))
    return {"lines": len(run.trace), "ended": ended}


if __name__ == "__main__":
    warnings.simplefilter("ignore", RuntimeWarning)
    result = globals()[sys.argv[1]]()
    if COMM.rank == 0:
        sys.stdout.write(json.dumps(result))
