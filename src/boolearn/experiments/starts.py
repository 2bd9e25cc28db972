"""Starts that differ in nothing but their seed evolve alike and end in different solutions."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from boolearn.bench.record import Document, Row
from boolearn.experiments.experiment import Comparison, Experiment, Job
from boolearn.experiments.pictures import three_panels
from boolearn.experiments.random_logic import PAPER_WIDTHS, run_on_circuit
from boolearn.experiments.training import outcome

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Parameters:
    widths: tuple[int, ...] = PAPER_WIDTHS
    items: int = 512
    starts: int = 3
    max_iter: int = 2_000_000
    """As in the paper's batch mode; it states none here."""


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    common = {
        "widths": parameters.widths,
        "gates": "andor",
        "items": parameters.items,
        "of": parameters.items,
        "circuit_seed": seed,
        "max_iter": parameters.max_iter,
    }
    return [Job(f"start-{start}", _learn, {**common, "seed": seed + start}) for start in range(parameters.starts)]


def _learn(**arguments: Any) -> Row:
    run = run_on_circuit(**arguments)
    network = run.model.network
    first_layer = run.model.edge_weights[network.level[network.receiver] == 1]
    return {**outcome(run), "first_layer": first_layer.tolist()}


def summary(rows: Sequence[Row]) -> list[Comparison]:
    lines = []
    for row in rows:
        ours = f"{row['status']} after {row['iterations']:,} iterations, least gap {row['least_gap']:.4f}, "
        lines.append(Comparison(f"seed {row['seed']}", ours + f"test {row['test_accuracy']:.2%}", "learned"))
    alike = [_correlation(a, b) for a, b in itertools.combinations(rows, 2)]
    if alike:
        lines.append(
            Comparison(
                "largest correlation between the first layers of two starts",
                f"{max(alike):.2f}",
                "completely different",
            )
        )
    return lines


def _correlation(a: Row, b: Row) -> float:
    return abs(float(np.corrcoef(a["first_layer"], b["first_layer"])[0, 1]))


def pictures(record: Document) -> Mapping[str, Figure]:
    return {"starts.png": three_panels((f"seed {row['seed']}", row) for row in record["rows"])}


EXPERIMENT = Experiment(
    name="starts",
    title="Three starts on 512 samples of an And/Or circuit",
    paper="the gap and the accuracies evolve alike; the solutions are completely different",
    full=Parameters(),
    quick=Parameters(widths=(12, 12, 12, 12), items=128, max_iter=60_000),
    jobs=jobs,
    summary=summary,
    pictures=pictures,
)
