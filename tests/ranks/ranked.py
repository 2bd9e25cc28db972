"""What the tests run on several ranks: mpiexec -n 3 python ranked.py TASK…. Rank 0 prints what came out as JSON."""

from __future__ import annotations

import json
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from mpi4py import MPI
from problems import PROBLEMS, STEP, data, shared_rows

from boolearn.data import Dataset, InputKind, handed_on, multiplier, npz, read, write
from boolearn.engine.distributed import DistributedEngine
from boolearn.engine.native import NativeEngine
from boolearn.network import Network, layered
from boolearn.problem import Problem
from boolearn.ranks import Ranks, as_ranks, mpi
from boolearn.solver import RRR, Callback, Gates, Restarts, Status, TraceLine
from boolearn.solver.watching.callbacks import Tick
from boolearn.training import train
from commands import boolearn
from killable import CASES, outcome
from some_tables import assert_same

COMM = MPI.COMM_WORLD
EVERY: dict[str, Callable[[], Problem]] = {
    **{
        name: PROBLEMS[name]
        for name in ("layered", "tied", "analog", "any code", "one-hot code", "classes", "open, with noise")
    },
    "five thousand items": lambda: Problem(layered(4, 5, 2), data(layered(4, 5, 2), 5000)),
    "wrong classes": lambda: replace(PROBLEMS["classes"](), noise=0.2),
    "noise": lambda: Problem(layered(6, 8, 4), data(layered(6, 8, 4), 300), noise=0.1, input_noise=0.05),
}


XOR = Dataset([[0, 0], [0, 1], [1, 0], [1, 1]], [[0], [1], [1], [0]])
LONG: dict[str, Callable[[], Problem]] = {
    "long messages": lambda: Problem(layered(40, 400, 40), data(layered(40, 400, 40), 300))
}


def engines() -> dict[str, list[str]]:
    """For every problem and precision, what differs from one process."""
    return _compared(EVERY, ("half", "single", "double"))


def short_messages() -> dict[str, list[str]]:
    """The same with messages of a few numbers, so that every one is cut."""
    before, mpi.AT_ONCE = mpi.AT_ONCE, 30
    try:
        return _compared({name: EVERY[name] for name in ("layered", "one-hot code", "open, with noise")}, ("double",))
    finally:
        mpi.AT_ONCE = before


def long_messages() -> dict[str, list[str]]:
    """Messages that are too long as they are."""
    return _compared(LONG, ("half", "single", "double"))


def late_messages() -> dict[str, list[str]]:
    """The same with messages that come after up to 3 ms, later to one rank than to another."""
    chance, on_time = np.random.default_rng(COMM.rank), mpi.MPIRanks._wait

    def late(ranks: mpi.MPIRanks, request: MPI.Request) -> None:
        time.sleep(chance.uniform(0, 3e-3))
        on_time(ranks, request)

    mpi.MPIRanks._wait = late  # type: ignore[method-assign, assignment]
    try:
        return _compared({name: EVERY[name] for name in ("layered", "one-hot code", "noise")}, ("single",))
    finally:
        mpi.MPIRanks._wait = on_time  # type: ignore[method-assign]


def _compared(problems: dict[str, Callable[[], Problem]], precisions: tuple[str, ...]) -> dict[str, list[str]]:
    ranks = as_ranks(COMM)
    return {
        f"{name}, {precision}": [*chain(*ranks.each(_differences(problem(), precision, ranks)))]
        for name, problem in problems.items()
        for precision in precisions
    }


def _differences(problem: Problem, precision: Any, ranks: Ranks) -> list[str]:
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


def a_rule_of_the_user(trace: Sequence[TraceLine]) -> Status | None:
    return Status.STAGNATED if trace[-1].iteration > 12 else None


TRAININGS: dict[str, tuple[Network, Dataset, dict[str, Any]]] = {
    **{
        case: (network, dataset, {"max_iter": 20, **settings})
        for case, (network, dataset, settings) in CASES.items()
        if "side by side" not in case
    },
    "shared weights": (shared_rows(), data(shared_rows(), 70), {"max_iter": 20}),
    "one-hot codes": (layered(5, 8, 6), data(layered(5, 8, 6), 45, InputKind.ONE_HOT_CODE), {"max_iter": 20}),
    "rising σ": (layered(6, 8, 4), data(layered(6, 8, 4), 90), {"anneal": 300, "noise": 0.05, "max_iter": 250}),
    "bounded support": (layered(6, 8, 4), data(layered(6, 8, 4), 90), {"support": 3.5, "max_iter": 250}),
    "rising σ, batches": (layered(6, 8, 4), data(layered(6, 8, 4), 90), {"anneal": 300, "batch": 50, "max_iter": 250}),
    "fit": (layered(2, 3, 1), XOR, {"stop": "fit", "max_iter": 200}),
    "target": (layered(4, 4, 4, 4), multiplier(2), {"items": 12, "stop": "target=0.6", "max_iter": 1000}),
    "a rule of the user": (layered(4, 4, 4, 4), multiplier(2), {"stop": [a_rule_of_the_user], "max_iter": 100}),
    "restarts": (layered(4, 4, 4, 4), multiplier(2), {"restarts": Restarts(3, all=True), "max_iter": 20}),
}


def trainings() -> dict[str, list[object]]:
    """Of trainings of every kind, the status, and whether every rank has what one process comes to."""
    found: dict[str, list[object]] = {}
    for case, (network, dataset, settings) in TRAININGS.items():
        exact = {} if settings.get("solver") == "gates" else {"gap_tol": 0}
        several, alone = (
            outcome(train(network, dataset, **{**exact, **settings, **more}))
            for more in ({"comm": COMM}, {"threads": 1})
        )
        found[case] = [several["status"], all(COMM.allgather(several == alone))]
    return found


def gates() -> dict[str, object]:
    """The gate search with more replicas than one rank has, to the end."""
    here = {"solver": Gates(replicas=3), "seed": 4, "stop": "fit", "max_iter": 20_000}
    several, alone = (train([4, 4, 4, 4], multiplier(2), **more, **here) for more in ({"comm": COMM}, {}))
    return {"solved": several.solved, "same": all(COMM.allgather(outcome(several) == outcome(alone)))}


def mistakes() -> dict[str, str]:
    """What is said when ranks do not agree, and by whom."""
    table, here = multiplier(2), COMM.rank
    other = Dataset(table.inputs, table.outputs[::-1])
    calls: dict[str, Callable[[], object]] = {
        "data": lambda: train([4, 4, 4], other if here == 1 else table, comm=COMM),
        "network": lambda: train([4, 4 + here, 4], table, comm=COMM),
        "parameter": lambda: train([4, 4, 4], table, beta=0.3 if here == 1 else 0.2, comm=COMM),
        "seed": lambda: train([4, 4, 4], table, seed=here, comm=COMM),
        "one is wrong": lambda: train([4, 4, 4], table, sigma=-1 if here == 1 else 3, comm=COMM),
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
    every = COMM.allgather(said)
    return {f"{name}, rank {rank}": message for rank, all_of in enumerate(every) for name, message in all_of.items()}


def large_data() -> dict[str, object]:
    """Data that count as large: rank 0 reads them, all ranks map them, and what comes out is the same."""
    before, npz.LARGE = npz.LARGE, 1
    try:
        with tempfile.TemporaryDirectory() as own:
            folder = Path(COMM.bcast(own))
            found = {kind: all(COMM.allgather(_handed_on(kind, folder))) for kind in KINDS}
            return {**found, "command": _command_with_large_data(folder), "left": _missing_copy(folder)}
    finally:
        npz.LARGE = before


KINDS: dict[str, Callable[[], Dataset]] = {
    "boolean": lambda: data(layered(6, 4), 90),
    "analog": lambda: data(layered(6, 4), 90, InputKind.ANALOG),
    "classes": lambda: PROBLEMS["classes"]().dataset,
    "free": lambda: data(layered(6, 4), 90, InputKind.ONE_HOT_CODE),
}


def _handed_on(kind: str, folder: Path) -> bool:
    dataset = KINDS[kind]()
    source = folder / f"{kind}.npz"
    if COMM.rank == 0:
        write(dataset, source)
    mine = handed_on.handed_on(as_ranks(COMM), read(source) if COMM.rank == 0 else None, source, folder / "copy.npz")
    assert_same(mine, dataset)
    network = layered(6 if dataset.input_kind.free else dataset.n_inputs, 5, dataset.n_output_nodes)
    settings: dict[str, Any] = {"batch": 40, "gap_tol": 0, "max_iter": 30}
    several, alone = train(network, mine, comm=COMM, **settings), train(network, dataset, threads=1, **settings)
    return mine.on_disk and outcome(several) == outcome(alone)


def _command_with_large_data(folder: Path) -> list[bool]:
    """A run, resumed on all ranks and then by rank 0 alone. Is the copy there, and all as in one process?"""
    words = ["train", str(folder / "boolean.npz"), "--layers", "6,5,4", "--gap-tol", "0", "--batch", "40", "--json"]
    run, whole, leads = folder / "run", folder / "whole", COMM.rank == 0
    boolearn(*words, "--max-iter", "20", "--out", str(run), "--distributed", status=int(leads))
    copied = (run / "items.npz").exists()
    resume = ["train", "--resume", str(run), "--json", "--max-iter"]
    boolearn(*resume, "40", "--distributed", status=int(leads))
    commands = [[*resume, "60"], [*words, "--max-iter", "60", "--out", str(whole)]] if leads else []
    said = [{**json.loads(boolearn(*command, status=1).stdout), "seconds": 0, "out": ""} for command in commands]
    return [copied, COMM.bcast(leads and said[0] == said[1] and said[0]["iterations"] == 60)]


def _missing_copy(folder: Path) -> str:
    """What is said where the ranks do not see the same directory."""
    here = folder if COMM.rank == 0 else folder / "not there"
    try:
        handed_on.handed_on(as_ranks(COMM), KINDS["boolean"]() if COMM.rank == 0 else None, here, here / "copy.npz")
    except Exception as error:
        return f"{error}"
    return ""


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
    results = {task: globals()[task]() for task in sys.argv[1:]}
    if COMM.rank == 0:
        sys.stdout.write(json.dumps(results))
