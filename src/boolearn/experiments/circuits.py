"""Random logic circuits are learned from samples, and from enough samples they are learned exactly."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boolearn.bench.record import Document, Row
from boolearn.experiments.experiment import Comparison, Experiment, Job
from boolearn.experiments.pictures import colour, panels, plot_accuracy
from boolearn.experiments.random_logic import PAPER_WIDTHS, learn_circuit
from boolearn.experiments.training import mean_and_error

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = {"andor": "And/Or", "maj": "Maj"}

PAPER = {128: "well below 100 %", 256: "on the way to 100 %", 384: "on the way to 100 %", 512: "on the way to 100 %"}
"""Test accuracies, as the paper's text describes them; it gives no numbers."""


@dataclass(frozen=True)
class Parameters:
    widths: tuple[int, ...] = PAPER_WIDTHS
    items: tuple[int, ...] = (128, 256, 384, 512)
    draws: int = 3
    """Circuits of each kind, with their samples and starts; the paper shows one."""
    drawn_items: tuple[int, ...] = (256,)
    """RRR learns the further circuits only from these numbers of samples; the gate search from all of them."""
    max_iter: int = 1_000_000
    max_sweeps: int = 20_000


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    found = []
    for gates, items, draw in itertools.product(KINDS, parameters.items, range(parameters.draws)):
        common = {"widths": parameters.widths, "gates": gates, "items": items}
        seeds = {"circuit_seed": seed + draw, "seed": seed + draw}
        if draw == 0 or items in parameters.drawn_items:
            rrr = {**common, **seeds, "max_iter": parameters.max_iter}
            found.append(Job(f"{gates}-{items}-rrr-{draw}", learn_circuit, rrr, items))
        gate_search = {**common, **seeds, "solver": "gates", "stop": "fit", "max_iter": parameters.max_sweeps}
        found.append(Job(f"{gates}-{items}-gates-{draw}", learn_circuit, gate_search, items / 30))
    return found


def summary(rows: Sequence[Row]) -> list[Comparison]:
    lines = []
    for gates, solver, items in dict.fromkeys((row["gates"], row["solver"], row["items"]) for row in rows):
        mine = [row for row in rows if (row["gates"], row["solver"], row["items"]) == (gates, solver, items)]
        ours = f"{mean_and_error([row['test_accuracy'] for row in mine])}"
        ours += f" (training items {np.mean([row['train_accuracy'] for row in mine]):.2%})"
        full = tuple(mine[0]["widths"]) == PAPER_WIDTHS and solver == "rrr"
        paper = PAPER.get(items, "") if full else ""
        lines.append(Comparison(f"{KINDS[gates]}, {items} items, {solver}: test accuracy", ours, paper))
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
    """The rows of the first circuit of a kind."""
    first = record["seeds"]
    chosen = (gates, solver, first)
    return [row for row in record["rows"] if (row["gates"], row["solver"], row["circuit_seed"]) == chosen]


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
    paper="from 256 samples the test accuracy is on the way to 100 %; weights gather at ±√33 and ±√11",
    full=Parameters(),
    quick=Parameters(widths=(12, 12, 12, 12), items=(32, 64, 96, 128), draws=1, max_iter=30_000, max_sweeps=5000),
    jobs=jobs,
    summary=summary,
    pictures=pictures,
)
