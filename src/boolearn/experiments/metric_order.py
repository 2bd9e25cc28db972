"""The metric follows the gaps one iteration later here than in the paper: does that change anything?

Both orders run in the reference engine, from the same starts. It is slow, so the circuit gets few iterations; the
multiplier shows whether as many starts are solved.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boolearn.bench.record import Document, Row
from boolearn.data import multiplier
from boolearn.engine.reference import ReferenceEngine
from boolearn.experiments.experiment import Comparison, Experiment, Job
from boolearn.experiments.following import followed
from boolearn.experiments.pictures import colour, panels, plot_trace
from boolearn.experiments.random_logic import PAPER_WIDTHS, SAMPLES
from boolearn.model import BoolNet, random_model
from boolearn.network import layered
from boolearn.problem import Problem

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BETA, GAMMA, GAP_TOL, SIGMA = 0.2, 1e-3, 0.01, 3
ORDERS = {"paper": "the paper's order", "here": "one iteration later"}


@dataclass(frozen=True)
class Parameters:
    widths: tuple[int, ...] = PAPER_WIDTHS
    items: int = 128
    starts: int = 3
    max_iter: int = 5000
    """The reference engine takes about 32 ms for an iteration of the circuit."""
    multiplier_starts: int = 100
    block: int = 10
    """Starts of a job."""
    max_iter_multiplier: int = 10_000


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    found = []
    for order in ORDERS:
        common = {"widths": parameters.widths, "items": parameters.items, "circuit_seed": seed, "order": order}
        for start in range(parameters.starts):
            arguments = {**common, "seed": seed + start, "max_iter": parameters.max_iter}
            found.append(Job(f"circuit-{order}-{start}", _learn_circuit, arguments, parameters.max_iter))
        for first in range(0, parameters.multiplier_starts, parameters.block):
            count = min(parameters.block, parameters.multiplier_starts - first)
            limit = parameters.max_iter_multiplier
            arguments = {"order": order, "seed": seed + first, "count": count, "max_iter": limit}
            found.append(Job(f"multiplier-{order}-{first}", _learn_multiplier, arguments, count * limit / 80))
    return found


def _learn_circuit(widths: Sequence[int], items: int, circuit_seed: int, order: str, seed: int, max_iter: int) -> Row:
    circuit = random_model(*widths, gates="andor", seed=circuit_seed)
    training, test = circuit.sample(SAMPLES, seed=circuit_seed).split(items)
    assert test is not None
    engine = ReferenceEngine(Problem(circuit.network, training, SIGMA), prompt_metric=order == "paper")
    engine.begin(seed)

    def accuracies() -> tuple[float, float]:
        model = BoolNet(circuit.network, engine.weights())
        return model.accuracy(training), model.accuracy(test)

    trace = followed(lambda n: engine.iterate(n, beta=BETA, gamma=GAMMA), accuracies, max_iter)
    return {"kind": "circuit", "order": order, "seed": seed, "solver": "rrr", "iterations": max_iter, "trace": trace}


def _learn_multiplier(order: str, seed: int, count: int, max_iter: int) -> Row:
    """Iterations of the starts that are solved."""
    engine = ReferenceEngine(Problem(layered(4, 4, 4, 4), multiplier(2), SIGMA), prompt_metric=order == "paper")
    solved = []
    for start in range(count):
        engine.begin(seed + start)
        progress = engine.iterate(max_iter, beta=BETA, gamma=GAMMA, stop_below=GAP_TOL)
        if progress.gap < GAP_TOL:
            solved.append(progress.iterations)
    return {"kind": "multiplier", "order": order, "starts": count, "solved_iterations": solved}


def summary(rows: Sequence[Row]) -> list[Comparison]:
    """Here "paper" is the paper's order, which we ran; the paper gives no such numbers."""
    lines = []
    circuits = {order: _chosen(rows, "circuit", order) for order in ORDERS}
    many = circuits["here"][0]["iterations"]
    for field, name in (("gap", "gap"), ("train_accuracy", "training accuracy"), ("test_accuracy", "test accuracy")):
        ours, theirs = (_spread([row["trace"][field][-1] for row in circuits[order]]) for order in ("here", "paper"))
        what = f"And/Or circuit after {many:,} iterations, {len(circuits['here'])} starts: {name}"
        lines.append(Comparison(what, ours, f"{theirs} in the paper's order"))
    counts = {order: _chosen(rows, "multiplier", order) for order in ORDERS}
    if counts["here"]:
        ours, theirs = (_solved(counts[order]) for order in ("here", "paper"))
        lines.append(Comparison("2-bit multiplier: solved", ours, f"{theirs} in the paper's order"))
    return lines


def _chosen(rows: Sequence[Row], kind: str, order: str) -> list[Row]:
    return [row for row in rows if (row["kind"], row["order"]) == (kind, order)]


def _spread(values: Sequence[float]) -> str:
    error = np.std(values, ddof=1) / math.sqrt(len(values)) if len(values) > 1 else math.nan
    return f"{np.mean(values):.4f} ± {error:.4f}"


def _solved(rows: Sequence[Row]) -> str:
    starts = sum(row["starts"] for row in rows)
    iterations = [number for row in rows for number in row["solved_iterations"]]
    share = len(iterations) / starts
    text = f"{len(iterations)} of {starts}, {share:.1%} ± {math.sqrt(share * (1 - share) / starts):.1%}"
    return text + (f", {np.mean(iterations):,.0f} iterations" if iterations else "")


def pictures(record: Document) -> Mapping[str, Figure]:
    figure, (gap, accuracy) = panels(2)
    for place, (order, title) in enumerate(ORDERS.items()):
        for start, row in enumerate(_chosen(record["rows"], "circuit", order)):
            label = title if start == 0 else None
            plot_trace(gap, row, "gap", color=colour(place), linewidth=0.8, label=label)
            plot_trace(accuracy, row, "test_accuracy", color=colour(place), linewidth=0.8)
    gap.set_ylabel("gap")
    accuracy.set_ylabel("test accuracy")
    gap.legend(fontsize=8)
    return {"metric-order.png": figure}


EXPERIMENT = Experiment(
    name="metric-order",
    title="The metric that follows the gaps at once, as in the paper, and one iteration later, as here",
    paper="the metric is updated in every iteration; the order is not examined",
    full=Parameters(),
    quick=Parameters(
        widths=(12, 12, 12, 12),
        items=64,
        starts=2,
        max_iter=1000,
        multiplier_starts=8,
        block=2,
        max_iter_multiplier=3000,
    ),
    jobs=jobs,
    summary=summary,
    pictures=pictures,
)
