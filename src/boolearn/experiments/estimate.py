"""How many samples of a random circuit are needed: what describes a circuit, over what a sample tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from boolearn.bench.record import Document, Row
from boolearn.experiments.circuits import KINDS
from boolearn.experiments.experiment import Comparison, Experiment, Job
from boolearn.experiments.pictures import colour, panels
from boolearn.experiments.random_logic import PAPER_WIDTHS
from boolearn.information import description_bits, output_entropy
from boolearn.model import random_model

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIGMA = 3
PAPER_H, PAPER_S, PAPER_ITEMS = 1867.8, {"andor": 10.6, "maj": 14.2}, {"andor": 176, "maj": 132}
PAPER_SAMPLES = 100_000
ESTIMATES = {"plug_in": "plug-in", "chao_shen": "Chao–Shen", "collision": "collision (lower)", "tree": "tree (upper)"}


@dataclass(frozen=True)
class Parameters:
    widths: tuple[int, ...] = PAPER_WIDTHS
    draws: int = 20
    """Circuits of each kind; the paper has one."""
    samples: tuple[int, ...] = (256, 4096, 100_000, 1_000_000)


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    return [
        Job(
            f"{gates}-{draw}",
            _estimate,
            {"widths": parameters.widths, "gates": gates, "seed": seed + draw, "samples": parameters.samples},
        )
        for gates in KINDS
        for draw in range(parameters.draws)
    ]


def _estimate(widths: Sequence[int], gates: str, seed: int, samples: Sequence[int]) -> Row:
    """All estimates, each from the first ``samples`` of the same draw."""
    circuit = random_model(*widths, gates=gates, seed=seed)
    outputs = circuit.sample(max(samples), seed).outputs
    return {
        "widths": widths,
        "gates": gates,
        "seed": seed,
        "h": description_bits(circuit.network, SIGMA),
        "entropy": [asdict(output_entropy(outputs[:number])) for number in samples],
    }


def summary(rows: Sequence[Row]) -> list[Comparison]:
    full = tuple(rows[0]["widths"]) == PAPER_WIDTHS
    h = rows[0]["h"]
    lines = [Comparison("h, bits to describe a circuit", f"{h:.1f}", str(PAPER_H) if full else "")]
    numbers = [found["samples"] for found in rows[0]["entropy"]]
    for gates, title in KINDS.items():
        for number in numbers:
            found = _column(rows, gates, number, "plug_in")
            paper = str(PAPER_S[gates]) if full and number == PAPER_SAMPLES else ""
            lines.append(Comparison(f"{title}: s by the plug-in estimate, {number:,} samples", _spread(found), paper))
        best = _column(rows, gates, max(numbers), "chao_shen")
        lines.append(Comparison(f"{title}: s by Chao and Shen's estimate, {max(numbers):,} samples", _spread(best)))
        bounds = [_column(rows, gates, min(numbers), name).mean() for name in ("collision", "tree")]
        text = "{:.1f} to {:.1f}".format(*bounds)
        lines.append(Comparison(f"{title}: bounds of s from {min(numbers):,} samples, means", text))
        items = h / best
        lines.append(Comparison(f"{title}: samples needed", _spread(items, 0), f"{PAPER_ITEMS[gates]}" if full else ""))
    return lines


def _column(rows: Sequence[Row], gates: str, samples: int, name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array(
        [
            found[name]
            for row in rows
            if row["gates"] == gates
            for found in row["entropy"]
            if found["samples"] == samples
        ]
    )


def _spread(values: np.ndarray[tuple[int], np.dtype[np.float64]], digits: int = 1) -> str:
    """Circuits differ, so what matters is how much; the mean alone would say little about one of them."""
    text = f"{values.mean():.{digits}f}"
    if len(values) > 1:
        low, high = values.min(), values.max()
        text += f" ± {values.std(ddof=1):.{digits}f} ({low:.{digits}f} to {high:.{digits}f}, {len(values)} circuits)"
    return text


def pictures(record: Document) -> Mapping[str, Figure]:
    rows = record["rows"]
    figure, axes = panels(2)
    numbers = [found["samples"] for found in rows[0]["entropy"]]
    for panel, (gates, title) in zip(axes, KINDS.items(), strict=True):
        for place, (name, label) in enumerate(ESTIMATES.items()):
            columns = [_column(rows, gates, number, name) for number in numbers]
            means, spreads = [column.mean() for column in columns], [column.std() for column in columns]
            panel.errorbar(numbers, means, spreads, color=colour(place), marker=".", capsize=2, label=label)
        panel.plot(numbers, np.log2(numbers), color="black", linewidth=0.8, linestyle=":", label="log₂ samples")
        panel.set(xscale="log", xlabel="samples", ylabel="bits", ylim=(0, 25))
        panel.set_title(title, fontsize=10)
    axes[0].legend(fontsize=7)
    return {"entropy.png": figure}


EXPERIMENT = Experiment(
    name="estimate",
    title="The information in samples of random circuits, and how many samples are needed",
    paper="h = 1867.8 bits; 10.6 bits a sample and 176 samples for And/Or, 14.2 bits and 132 samples for Maj",
    full=Parameters(),
    quick=Parameters(draws=4, samples=(256, 4096, 100_000)),
    jobs=jobs,
    summary=summary,
    pictures=pictures,
)
