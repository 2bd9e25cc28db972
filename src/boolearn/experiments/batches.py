"""Batch mode: smaller batches for the same work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boolearn.bench.record import Document, Row
from boolearn.experiments.experiment import Comparison, Experiment, Job
from boolearn.experiments.pictures import three_panels
from boolearn.experiments.random_logic import PAPER_WIDTHS, learn_circuit
from boolearn.solver import Batch

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAPER = {512: "as without batches", 256: "mild loss", 128: "mild loss", 64: "more than a mild loss"}


@dataclass(frozen=True)
class Parameters:
    widths: tuple[int, ...] = PAPER_WIDTHS
    items: int = 512
    fractions: tuple[int, ...] = (1, 2, 4, 8)
    """A batch is the items divided by this number."""
    batch_iter: int = 2000
    """Iterations of a batch of all items. Smaller batches stay shorter, in proportion."""
    max_iter: int = 2_000_000
    """For batches of all items. Smaller batches get more, so that the work is the same."""


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    found = []
    for fraction in parameters.fractions:
        arguments = {
            "size": parameters.items // fraction,
            "stay": parameters.batch_iter // fraction,
            "widths": parameters.widths,
            "gates": "andor",
            "items": parameters.items,
            "circuit_seed": seed,
            "seed": seed,
            "max_iter": parameters.max_iter * fraction,
        }
        found.append(Job(f"batch-{parameters.items // fraction}", _learn, arguments))
    return found


def _learn(size: int, stay: int, **arguments: Any) -> Row:
    return {"batch": size, "batch_iter": stay, **learn_circuit(**arguments, batch=Batch(size, stay))}


def summary(rows: Sequence[Row]) -> list[Comparison]:
    lines = []
    for row in rows:
        ours = f"test {row['test_accuracy']:.2%}, training items {row['train_accuracy']:.2%}"
        paper = PAPER.get(row["batch"], "") if tuple(row["widths"]) == PAPER_WIDTHS else ""
        what = f"batches of {row['batch']} of {row['items']}, {row['iterations']:,} iterations"
        lines.append(Comparison(what, ours, paper))
    return lines


def pictures(record: Document) -> Mapping[str, Figure]:
    return {"batches.png": three_panels((f"batches of {row['batch']}", row) for row in record["rows"])}


EXPERIMENT = Experiment(
    name="batches",
    title="512 samples of an And/Or circuit in batches of 512, 256, 128 and 64",
    paper="only a mild loss down to batches of 128",
    full=Parameters(),
    quick=Parameters(widths=(12, 12, 12, 12), items=256, batch_iter=1000, max_iter=20_000),
    jobs=jobs,
    summary=summary,
    pictures=pictures,
)
