"""The 3-bit multiplier: four layers learn it, three do not, and the gate search has it at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boolearn.bench.record import Document, Row
from boolearn.data import multiplier
from boolearn.experiments.experiment import Comparison, Experiment, Job
from boolearn.experiments.pictures import colour, panels, plot_trace
from boolearn.experiments.training import arrows, dashed, described, outcome, trained

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DEEP, SHALLOW = (6, 12, 12, 12, 6), (6, 12, 12, 6)

MOST_SWEEPS = 10_000

PAPER_ITERATIONS = 500_000


@dataclass(frozen=True)
class Parameters:
    starts: int = 4
    """The paper shows one for each network; this and the limit are ours."""
    max_iter: int = 2_000_000


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    found = []
    for widths in (DEEP, SHALLOW):
        for start in range(parameters.starts):
            arguments = {"widths": widths, "solver": "rrr", "seed": seed + start, "max_iter": parameters.max_iter}
            found.append(Job(f"{dashed(widths)}-{start}", _learn, arguments, parameters.max_iter))
    for start in range(parameters.starts):
        arguments = {"widths": DEEP, "solver": "gates", "seed": seed + start, "max_iter": MOST_SWEEPS}
        found.append(Job(f"gates-{dashed(DEEP)}-{start}", _learn, arguments, MOST_SWEEPS))
    return found


def _learn(widths: Sequence[int], solver: str, seed: int, max_iter: int) -> Row:
    """A fit is enough: the table is complete, so a network that fits it is right."""
    table = multiplier(3)
    run = trained(widths, table, solver=solver, sigma=3, seed=seed, max_iter=max_iter, stop="fit")
    circuit = run.circuit() if run.solved else None
    return {
        "widths": widths,
        **outcome(run),
        "circuit": described(circuit) if circuit else None,
        "proved": circuit is not None and bool(circuit.prove_equal(table)),
    }


def summary(rows: Sequence[Row]) -> list[Comparison]:
    paper = {
        ("rrr", DEEP): f"solved after about {PAPER_ITERATIONS:,} iterations (1 start)",
        ("rrr", SHALLOW): "the gap stays open",
        ("gates", DEEP): "",
    }
    return [
        Comparison(f"{arrows(widths)}, {solver}", _ended(_chosen(rows, solver, widths)), theirs)
        for (solver, widths), theirs in paper.items()
    ]


def _ended(rows: Sequence[Row]) -> str:
    proved = [row for row in rows if row["proved"]]
    text = f"{len(proved)} of {len(rows)} starts fit and are proved"
    if proved:
        mean = sum(row["iterations"] for row in proved) / len(proved)
        sizes = sorted(sum(row["circuit"]["gates"].values()) for row in proved)
        unit = "sweeps" if proved[0]["solver"] == "gates" else "iterations"
        text += f", after {mean:,.0f} {unit} on average; {sizes[0]} gates at the least"
    if len(proved) < len(rows):
        text += f"; least gap of the others {min(row['least_gap'] for row in rows if not row['proved']):.3f}"
    return text


def _chosen(rows: Sequence[Row], solver: str, widths: Sequence[int]) -> list[Row]:
    return [row for row in rows if row["solver"] == solver and row["widths"] == list(widths)]


def pictures(record: Document) -> Mapping[str, Figure]:
    figure, (gap, wrong) = panels(2)
    for place, widths in enumerate((DEEP, SHALLOW)):
        for start, row in enumerate(_chosen(record["rows"], "rrr", widths)):
            label = arrows(widths) if start == 0 else None
            plot_trace(gap, row, "gap", color=colour(place), linewidth=0.8, label=label)
            plot_trace(wrong, row, "train_accuracy", color=colour(place), linewidth=0.8, label=label)
    gap.set(ylabel="gap", ylim=(0, 1))
    wrong.set_ylabel("accuracy")
    gap.legend(fontsize=8)
    return {"gap.png": figure}


EXPERIMENT = Experiment(
    name="multiplier-3",
    title="The 3-bit multiplier on 6→12→12→12→6 and with one layer less",
    paper="solved in about 500,000 iterations; with one hidden layer less the gap stays open",
    full=Parameters(),
    quick=Parameters(starts=2, max_iter=200_000),
    jobs=jobs,
    summary=summary,
    pictures=pictures,
)
