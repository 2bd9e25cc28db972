"""One step past the paper: random circuits are learned exactly, and for each output it is proved.

The gate search learns a circuit from samples in seconds. A solver for Boolean formulas then compares every output with
the circuit that made the samples, for all inputs there are.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from boolearn.bench.record import Document, Row
from boolearn.circuit import Circuit, extract, prove_equal
from boolearn.experiments.circuits import KINDS
from boolearn.experiments.experiment import Comparison, Experiment, Job
from boolearn.experiments.pictures import colour, panels
from boolearn.experiments.random_logic import PAPER_WIDTHS
from boolearn.experiments.training import mean_and_error, outcome, trained
from boolearn.model import random_model

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TEST_ITEMS = 20_000


@dataclass(frozen=True)
class Parameters:
    widths: tuple[int, ...] = PAPER_WIDTHS
    items: tuple[int, ...] = (128, 256, 512, 1024, 2048)
    draws: int = 5
    max_sweeps: int = 20_000


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    found = []
    for gates, items, draw in itertools.product(KINDS, parameters.items, range(parameters.draws)):
        common = {"widths": parameters.widths, "gates": gates, "items": items, "of": max(parameters.items)}
        arguments = {**common, "seed": seed + draw, "max_iter": parameters.max_sweeps}
        found.append(Job(f"{gates}-{items}-{draw}", _learn, arguments, items))
    return found


def _learn(widths: Sequence[int], gates: str, items: int, of: int, seed: int, max_iter: int) -> Row:
    true = random_model(*widths, gates=gates, seed=seed)
    data = true.sample(of + TEST_ITEMS, seed)
    run = trained(true.network, data, items=items, solver="gates", stop="fit", seed=seed, max_iter=max_iter)
    circuit = run.circuit()
    found = outcome(run)
    del found["trace"]
    return {"widths": widths, "gates": gates, **found, "proved": proved_outputs(circuit, extract(true))}


def proved_outputs(circuit: Circuit, other: Circuit) -> int:
    """How many outputs are the same for all inputs."""
    pairs = zip(circuit.outputs, other.outputs, strict=True)
    alone = ((replace(circuit, outputs=(mine,)), replace(other, outputs=(theirs,))) for mine, theirs in pairs)
    return sum(bool(prove_equal(mine, theirs)) for mine, theirs in alone)


def summary(rows: Sequence[Row]) -> list[Comparison]:
    lines = []
    for gates, items in dict.fromkeys((row["gates"], row["items"]) for row in rows):
        mine = _chosen(rows, gates, items)
        outputs = mine[0]["widths"][-1] * len(mine)
        exact = sum(row["proved"] == row["widths"][-1] for row in mine)
        ours = (
            f"{sum(row['proved'] for row in mine)} of {outputs} outputs proved exact; {exact} of {len(mine)} circuits; "
        )
        ours += f"test {mean_and_error([row['test_accuracy'] for row in mine])}"
        lines.append(Comparison(f"{KINDS[gates]}, {items} items, gates", ours))
    return lines


def _chosen(rows: Sequence[Row], gates: str, items: int) -> list[Row]:
    return [row for row in rows if (row["gates"], row["items"]) == (gates, items)]


def pictures(record: Document) -> Mapping[str, Figure]:
    figure, (axes,) = panels(1)
    sizes = sorted({row["items"] for row in record["rows"]})
    for place, (gates, title) in enumerate(KINDS.items()):
        shares = [[row["proved"] / row["widths"][-1] for row in _chosen(record["rows"], gates, n)] for n in sizes]
        means, spreads = [np.mean(share) for share in shares], [np.std(share) for share in shares]
        axes.errorbar(sizes, means, spreads, color=colour(place), marker=".", capsize=2, label=title)
    axes.set(xscale="log", xlabel="samples", ylabel="outputs proved exact", ylim=(0, 1.05))
    axes.set_xticks(sizes, [str(size) for size in sizes], minor=False)
    axes.minorticks_off()
    axes.legend(fontsize=8)
    return {"exact.png": figure}


EXPERIMENT = Experiment(
    name="exact-circuits",
    title="Random circuits by the gate search, every output compared with the true circuit for all inputs",
    paper="not in the paper, which has test accuracies",
    full=Parameters(),
    quick=Parameters(items=(128, 512), draws=2),
    jobs=jobs,
    summary=summary,
    pictures=pictures,
)
