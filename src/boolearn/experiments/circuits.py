"""Random logic circuits are learned from samples, and from enough samples they are learned exactly."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boolearn.bench.record import Document, Row
from boolearn.experiments.experiment import Comparison, Experiment, Job
from boolearn.experiments.pictures import colour, panels, plot_accuracy
from boolearn.experiments.random_logic import PAPER_WIDTHS, learn_circuit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = {"andor": "And/Or", "maj": "Maj"}

PAPER = {128: "well below 100 %", 256: "near 100 %", 384: "near 100 %", 512: "near 100 %"}
"""Test accuracies, as the paper's text describes them; it gives no numbers."""


@dataclass(frozen=True)
class Parameters:
    widths: tuple[int, ...] = PAPER_WIDTHS
    items: tuple[int, ...] = (128, 256, 384, 512)
    max_iter: int = 1_000_000
    max_sweeps: int = 20_000


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    found = []
    for gates in KINDS:
        for items in parameters.items:
            common = {"widths": parameters.widths, "gates": gates, "items": items, "of": max(parameters.items)}
            seeds = {"circuit_seed": seed, "seed": seed}
            rrr = {**common, **seeds, "max_iter": parameters.max_iter}
            gate_search = {**common, **seeds, "solver": "gates", "stop": "fit", "max_iter": parameters.max_sweeps}
            found.append(Job(f"{gates}-{items}-rrr", learn_circuit, rrr, items))
            found.append(Job(f"{gates}-{items}-gates", learn_circuit, gate_search, items / 10))
    return found


def summary(rows: Sequence[Row]) -> list[Comparison]:
    lines = []
    for row in rows:
        ours = f"{row['test_accuracy']:.2%} (training items {row['train_accuracy']:.2%})"
        full = tuple(row["widths"]) == PAPER_WIDTHS and row["solver"] == "rrr"
        paper = PAPER.get(row["items"], "") if full else ""
        name = f"{KINDS[row['gates']]}, {row['items']} items, {row['solver']}: test accuracy"
        lines.append(Comparison(name, ours, paper))
    return lines


def pictures(record: Document) -> Mapping[str, Figure]:
    figures = {}
    for solver in ("rrr", "gates"):
        figure, axes = panels(2)
        for panel, (gates, title) in zip(axes, KINDS.items(), strict=True):
            for place, row in enumerate(_chosen(record, gates, solver)):
                plot_accuracy(panel, row, f"{row['items']} items", colour(place))
            panel.set_title(f"{title}, {solver}", fontsize=10)
            panel.legend(fontsize=8)
        figures[f"accuracy-{solver}.png"] = figure
    figures["weights.png"] = _weights(record)
    return figures


def _chosen(record: Document, gates: str, solver: str) -> list[Row]:
    return [row for row in record["rows"] if (row["gates"], row["solver"]) == (gates, solver)]


def _weights(record: Document) -> Figure:
    """The weights learned from the most items; the peaks are copies and gates."""
    figure, axes = panels(2, 2, height=2.6)
    for column, (gates, title) in enumerate(KINDS.items()):
        row = max(_chosen(record, gates, "rrr"), key=lambda row: int(row["items"]))
        found = row["histogram"]
        m = found["fan_in"]
        for line, (layers, name) in enumerate((("all", "all layers"), ("first", "first layer"))):
            panel = axes[2 * line + column]
            panel.stairs(found[layers], found["bounds"], fill=True)
            for support, style in ((1, "--"), (3, ":")):
                label = f"±√{m}" if support == 1 else f"±√({m}/3)"
                panel.axvline(math.sqrt(m / support), color="black", linestyle=style, linewidth=0.8, label=label)
                panel.axvline(-math.sqrt(m / support), color="black", linestyle=style, linewidth=0.8)
            panel.set(yscale="log", xlabel="weight", ylabel="edges")
            panel.set_title(f"{title}, {row['items']} items, {name}", fontsize=9)
    axes[0].legend(fontsize=7)
    return figure


EXPERIMENT = Experiment(
    name="circuits",
    title="Random And/Or and Maj circuits of five layers of 32, from 128 to 512 samples",
    paper="test accuracy near 100 % from 256 samples on; weights gather at ±√33 and ±√11",
    full=Parameters(),
    quick=Parameters(widths=(12, 12, 12, 12), items=(32, 64, 96, 128), max_iter=30_000, max_sweeps=5000),
    jobs=jobs,
    summary=summary,
    pictures=pictures,
)
