"""More samples make an under-constrained problem harder, and an over-constrained one easier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boolearn.bench.record import Document, Row
from boolearn.experiments.experiment import Comparison, Experiment, Job
from boolearn.experiments.pictures import colour, panels, plot_trace
from boolearn.experiments.random_logic import PAPER_WIDTHS, learn_circuit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAPER = {"under": "rises with the items", "over": "in the end falls with the items"}


@dataclass(frozen=True)
class Parameters:
    widths: tuple[int, ...] = PAPER_WIDTHS
    under: tuple[int, ...] = (32, 64, 96, 128)
    over: tuple[int, ...] = (256, 320, 384, 448)
    max_iter: int = 1_000_000


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    found = []
    for side, several in (("under", parameters.under), ("over", parameters.over)):
        for items in several:
            arguments = {
                "widths": parameters.widths,
                "gates": "andor",
                "items": items,
                "circuit_seed": seed,
                "seed": seed,
                "max_iter": parameters.max_iter,
            }
            found.append(Job(f"{side}-{items}", learn_circuit, arguments, items))
    return found


def summary(rows: Sequence[Row]) -> list[Comparison]:
    lines = []
    for side, paper in PAPER.items():
        for row in _chosen(rows, side):
            ours = f"{row['least_gap']:.4f} after {row['iterations']:,} iterations, test {row['test_accuracy']:.2%}"
            lines.append(Comparison(f"{side}-constrained, {row['items']} items: least gap", ours, paper))
            paper = ""
    return lines


def _chosen(rows: Sequence[Row], side: str) -> list[Row]:
    return [row for row in rows if row["job"].startswith(side)]


def pictures(record: Document) -> Mapping[str, Figure]:
    figure, axes = panels(2)
    for panel, side in zip(axes, PAPER, strict=True):
        for place, row in enumerate(_chosen(record["rows"], side)):
            plot_trace(panel, row, "least_gap", color=colour(place), label=f"{row['items']} items")
        panel.set(ylabel="least gap so far", yscale="log")
        panel.set_title(f"{side}-constrained", fontsize=10)
        panel.legend(fontsize=8)
    return {"least-gap.png": figure}


EXPERIMENT = Experiment(
    name="constrained",
    title="The least gap against the number of samples of an And/Or circuit",
    paper="32 to 128 samples: more samples make it harder; 256 to 448: in the end they make it easier",
    full=Parameters(),
    quick=Parameters(widths=(12, 12, 12, 12), under=(8, 16, 24, 32), over=(96, 128, 192, 256), max_iter=50_000),
    jobs=jobs,
    summary=summary,
    pictures=pictures,
)
