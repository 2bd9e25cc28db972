"""Starts that differ in nothing but their seed evolve alike and end in different solutions."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
from scipy.optimize import linear_sum_assignment

from boolearn.bench.record import Document, Row
from boolearn.experiments.experiment import Comparison, Experiment, Job
from boolearn.experiments.pictures import three_panels
from boolearn.experiments.random_logic import PAPER_WIDTHS, learn_circuit

if TYPE_CHECKING:
    from matplotlib.figure import Figure


SAME = 0.9
"""The cosine above which two neurons are taken for the same gate."""


@dataclass(frozen=True)
class Parameters:
    widths: tuple[int, ...] = PAPER_WIDTHS
    items: int = 512
    starts: int = 3
    max_iter: int = 1_000_000
    """As in the paper's runs on this circuit; it states none here."""


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    common = {
        "widths": parameters.widths,
        "gates": "andor",
        "items": parameters.items,
        "circuit_seed": seed,
        "max_iter": parameters.max_iter,
    }
    return [
        Job(f"start-{start}", learn_circuit, {**common, "seed": seed + start}) for start in range(parameters.starts)
    ]


def summary(rows: Sequence[Row]) -> list[Comparison]:
    lines = []
    for row in rows:
        ours = f"{row['status']} after {row['iterations']:,} iterations, least gap {row['least_gap']:.4f}, "
        lines.append(Comparison(f"seed {row['seed']}", ours + f"test {row['test_accuracy']:.2%}", "learned"))
    pairs = list(itertools.combinations([np.array(row["first_layer"]) for row in rows], 2))
    if pairs:
        alike = max(abs(np.corrcoef(a.ravel(), b.ravel())[0, 1]) for a, b in pairs)
        lines.append(
            Comparison("first layers of two starts, largest correlation", f"{alike:.2f}", "completely different")
        )
        same = [shared_neurons(a, b) for a, b in pairs]
        text = f"{min(same)} to {max(same)} of {len(pairs[0][0])}"
        lines.append(Comparison("neurons of the first layer that two starts share", text, "equal up to symmetry"))
    return lines


def shared_neurons(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> int:
    """How many neurons of one layer have a partner in the other with nearly the same weights, or nearly the opposite.

    The neurons of a hidden layer have no order, and a hidden neuron may be negated. Weights of the same
    gate have a cosine near 1; gates of three inputs that share two of them have 2/3.
    """
    cosines = np.abs(a @ b.T) / np.outer(np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1))
    rows, columns = linear_sum_assignment(-cosines)
    return int((cosines[rows, columns] > SAME).sum())


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
