"""Binary autoencoders: 2^k vectors through a layer of k nodes and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boolearn.bench.record import Document, Row
from boolearn.data import Dataset, one_hot_vectors, random_vectors
from boolearn.data.signs import Signs, as_signs
from boolearn.experiments.experiment import Comparison, Experiment, Job
from boolearn.experiments.pictures import colour, panels, plot_trace
from boolearn.experiments.training import arrows, dashed, outcome, trained
from boolearn.model import BoolNet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GAMMA = 1e-4
SIGMA = 7
"""For random vectors, as in the paper."""
GATE_SIGMA = 5
"""The gate search has gates of at most five inputs."""

PAPER_OPEN_GAP = 0.2
"""Of random vectors on two layers, k = 3: where it fluctuates, not its least value."""
PAPER_TRANSFORMED = 900
"""Iterations, on average, on the vectors that the first decoder layer makes, k = 5."""


@dataclass(frozen=True)
class Parameters:
    bits: tuple[int, ...] = (3, 4, 5)
    starts: int = 5
    """The paper shows one for each k; this and the limits are ours."""
    max_iter: int = 2_000_000
    max_iter_two_layers: int = 200_000
    """For the case that is not solved."""
    max_sweeps: int = 3000
    """Of the gate search, which the paper does not have."""


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    found = []
    for k in parameters.bits:
        for vectors, layers in (("random", 3), ("one-hot", 2), ("random", 2)):
            widths = (2**k, k, *[2**k] * (layers - 1))
            hopeless = vectors == "random" and layers == 2
            max_iter = parameters.max_iter_two_layers if hopeless else parameters.max_iter
            for start in range(parameters.starts):
                arguments = {"widths": widths, "vectors": vectors, "seed": seed + start, "max_iter": max_iter}
                found.append(Job(f"{vectors}-{dashed(widths)}-{start}", _learn, arguments, max_iter * 4**k))
        widths = (2**k, k, 2**k, 2**k)
        for start in range(parameters.starts):
            arguments = {"widths": widths, "seed": seed + start, "max_iter": parameters.max_sweeps}
            found.append(Job(f"gates-{dashed(widths)}-{start}", _search_gates, arguments, parameters.max_sweeps * 4**k))
    return found


def one_hot_sigma(k: int) -> int:
    """The least σ with which two layers can decode one-hot vectors; the paper does not name one.

    Every output is then an And of all k bits of the code: weights ±1, and k − 1 for the constant, so a margin of 1 for
    weights of norm² k + (k − 1)².
    """
    return k + (k - 1) ** 2


def _learn(widths: Sequence[int], vectors: str, seed: int, max_iter: int) -> Row:
    """Random vectors are drawn from the seed too. A solved net of three layers also gives vectors for two."""
    n, k = widths[:2]
    data = random_vectors(n, n, seed) if vectors == "random" else one_hot_vectors(n)
    sigma = SIGMA if vectors == "random" else one_hot_sigma(k)
    run = trained(widths, data, sigma=sigma, gamma=GAMMA, seed=seed, max_iter=max_iter)
    row = {
        "widths": widths,
        "vectors": vectors,
        **outcome(run),
        "codes": len(np.unique(layer_values(run.model, data, 1), axis=0)),
    }
    if run.solved and len(widths) == 4:
        made = layer_values(run.model, data, 2)
        again = trained([*widths[:2], n], Dataset(made, made), sigma=SIGMA, gamma=GAMMA, seed=seed, max_iter=max_iter)
        row |= {
            "data": data.inputs.tolist(),
            "transformed": made.tolist(),
            "transformed_solved": again.solved,
            "transformed_iterations": again.iterations,
        }
    return row


def _search_gates(widths: Sequence[int], seed: int, max_iter: int) -> Row:
    """The same random vectors by the gate search."""
    n = widths[0]
    data = random_vectors(n, n, seed)
    run = trained(widths, data, solver="gates", sigma=GATE_SIGMA, stop="fit", seed=seed, max_iter=max_iter)
    codes = len(np.unique(layer_values(run.model, data, 1), axis=0))
    return {"widths": widths, "vectors": "random", **outcome(run), "codes": codes}


def layer_values(model: BoolNet, data: Dataset, layer: int) -> Signs:
    """Shape (items, width): what the nodes of a layer hold, the inputs being layer 0."""
    level = model.network.level.copy()
    level[0] = -1  # the constant belongs to no layer
    return as_signs(model.node_values(data)[:, np.flatnonzero(level == layer)], "values")


def summary(rows: Sequence[Row]) -> list[Comparison]:
    lines = []
    for solver, vectors, widths in dict.fromkeys(map(_setting, rows)):
        k, layers = widths[1], len(widths) - 1
        mine = [row for row in rows if _setting(row) == (solver, vectors, widths)]
        solved = [row for row in mine if row["solved"]]
        ours = f"{len(solved)} of {len(mine)} solved"
        if solved:
            unit = "sweeps" if solver == "gates" else "iterations"
            ours += f", {np.mean([row['iterations'] for row in solved]):,.0f} {unit}"
            whole = sum(row["codes"] == 2**k for row in solved)
            ours += f"; all {2**k} codes used in {whole}"
        else:
            right = max(row["train_accuracy"] for row in mine)
            ours += f"; at best {right:.1%} of the bits right, least gap {min(row['least_gap'] for row in mine):.3f}"
        paper = "solved" if vectors == "one-hot" or layers == 3 else "not solved"
        if paper == "not solved" and k == 3:
            paper += f", gap about {PAPER_OPEN_GAP}"
        name = f"{vectors} vectors, {arrows(widths)}, σ {mine[0]['sigma']:g}, {solver}"
        lines.append(Comparison(name, ours, paper if solver == "rrr" else ""))
        again = [row["transformed_iterations"] for row in solved if row.get("transformed_solved")]
        if again:
            tried = sum("transformed" in row for row in solved)
            text = f"{len(again)} of {tried} solved, {np.mean(again):,.0f} iterations"
            theirs = f"{PAPER_TRANSFORMED} iterations" if k == 5 else ""
            lines.append(Comparison(f"transformed vectors, {arrows((*widths[:2], widths[0]))}", text, theirs))
    return lines


def _setting(row: Row) -> tuple[str, str, tuple[int, ...]]:
    return row["solver"], row["vectors"], tuple(row["widths"])


def pictures(record: Document) -> Mapping[str, Figure]:
    rows = [row for row in record["rows"] if row["solver"] == "rrr"]
    figures = {"random-vectors.png": _evolution([row for row in rows if row["vectors"] == "random"])}
    one_hot = [row for row in rows if row["vectors"] == "one-hot"]
    figures["one-hot-vectors.png"] = _evolution(one_hot)
    solved = [row for row in rows if "transformed" in row]
    if solved:
        figures["transformed.png"] = _vectors(max(solved, key=lambda row: int(row["widths"][0])))
    return figures


def _evolution(rows: Sequence[Row]) -> Figure:
    figure, (gap, accuracy) = panels(2)
    shapes = list(dict.fromkeys(tuple(row["widths"]) for row in rows))
    labelled = set()
    for row in rows:
        shape = tuple(row["widths"])
        style = {"color": colour(shapes.index(shape)), "linewidth": 0.8}
        label = arrows(shape) if shape not in labelled else None
        labelled.add(shape)
        plot_trace(gap, row, "gap", label=label, **style)
        plot_trace(accuracy, row, "train_accuracy", **style)
    gap.set(ylabel="gap", ylim=(0, 1))
    accuracy.set_ylabel("training accuracy")
    gap.legend(fontsize=8)
    return figure


def _vectors(row: Row) -> Figure:
    """The paper's pair of pictures: one row for each vector, as it is and as the decoder's first layer makes it."""
    figure, axes = panels(2, width=3.2, height=3.4)
    for place, (name, title) in enumerate((("data", "random vectors"), ("transformed", "first layer of the decoder"))):
        axes[place].imshow(row[name], cmap="gray_r", interpolation="nearest")
        axes[place].set_title(title, fontsize=9)
        axes[place].set_axis_off()
    return figure


EXPERIMENT = Experiment(
    name="autoencoder",
    title="Binary autoencoders of 2^k random (σ 7) and one-hot vectors, γ 1e-4",
    paper="2^k→k→2^k→2^k is solved for k = 3, 4, 5; 2^k→k→2^k is for one-hot vectors, but not for random ones",
    full=Parameters(),
    quick=Parameters(bits=(3, 4), starts=3, max_iter=200_000, max_iter_two_layers=50_000, max_sweeps=1000),
    jobs=jobs,
    summary=summary,
    pictures=pictures,
)
