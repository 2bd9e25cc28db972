"""Wide or deep: the same problems on networks of different depth and, as nearly as may be, equally many edges.

An iteration of RRR costs time in proportion to the edges, so these networks cost the same.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boolearn.bench.record import Document, Row
from boolearn.errors import ParameterError
from boolearn.experiments import Comparison, Experiment, Job
from boolearn.experiments.pictures import colour, panels
from boolearn.experiments.training import arrows, mean, trained
from boolearn.network import layered
from boolearn.theory.problems import PROBLEMS, problem

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIGMA = 3


@dataclass(frozen=True)
class Parameters:
    problems: tuple[str, ...] = tuple(PROBLEMS)
    hidden_layers: tuple[int, ...] = (1, 2, 3, 4, 6)
    edges: int = 700
    draws: int = 3
    max_iter: int = 10_000
    max_iter_gates: int = 1000


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    return [
        Job(
            f"{name}-{hidden}-{solver}-{draw}",
            learn_shape,
            {
                "name": name,
                "hidden": hidden,
                "edges": parameters.edges,
                "solver": solver,
                "seed": seed + draw,
                "max_iter": parameters.max_iter if solver == "rrr" else parameters.max_iter_gates,
            },
        )
        for name, hidden, solver, draw in itertools.product(
            parameters.problems, parameters.hidden_layers, ("gates", "rrr"), range(parameters.draws)
        )
    ]


def learn_shape(name: str, hidden: int, edges: int, solver: str, seed: int, max_iter: int) -> Row:
    """Until every training bit is right or the budget is spent."""
    train, test = problem(name, seed)
    widths = shape(train.n_inputs, train.n_output_nodes, hidden, edges)
    run = trained(widths, train, solver=solver, sigma=SIGMA, seed=seed, max_iter=max_iter, stop="fit")
    return {
        "problem": name,
        "hidden": hidden,
        "widths": widths,
        "edges": layered(widths).n_edges,
        "solver": solver,
        "seed": seed,
        "fits": run.train_accuracy == 1,
        "train_accuracy": run.train_accuracy,
        "test_accuracy": float((run.model.predict(test.inputs) == test.targets).mean()),
        "iterations": run.iterations,
    }


def shape(inputs: int, outputs: int, hidden: int, edges: int) -> list[int]:
    """The widths of a network with ``hidden`` equal hidden layers and as nearly as possible ``edges`` edges."""

    def edges_of(width: int) -> int:
        widths = [inputs, *[width] * hidden, outputs]
        return sum((below + 1) * above for below, above in itertools.pairwise(widths))

    above = next(width for width in itertools.count(1) if edges_of(width) >= edges)
    width = min((max(1, above - 1), above), key=lambda width: abs(edges_of(width) - edges))
    if 2 * abs(edges_of(width) - edges) > edges:
        raise ParameterError("edges", f"nearer to what {hidden} hidden layers can have", edges)
    return [inputs, *[width] * hidden, outputs]


def summary(rows: Sequence[Row]) -> list[Comparison]:
    lines = []
    for name, solver, hidden in dict.fromkeys((row["problem"], row["solver"], row["hidden"]) for row in rows):
        mine = _chosen(rows, name, solver, hidden)
        text = f"fits {sum(row['fits'] for row in mine)} of {len(mine)}, test {mean(mine, 'test_accuracy'):.1%}, "
        text += f"{mean(mine, 'seconds'):.2f} CPU s"
        title = f"{PROBLEMS[name]}, {arrows(mine[0]['widths'])}, {mine[0]['edges']} edges, {solver}"
        lines.append(Comparison(title, text))
    return lines


def _chosen(rows: Sequence[Row], name: str, solver: str, hidden: int) -> list[Row]:
    return [row for row in rows if (row["problem"], row["solver"], row["hidden"]) == (name, solver, hidden)]


def pictures(record: Document) -> Mapping[str, Figure]:
    rows = record["rows"]
    names = list(dict.fromkeys(row["problem"] for row in rows))
    depths = sorted({row["hidden"] for row in rows})
    figure, axes = panels(2)
    for place, name in enumerate(names):
        for solver, style in (("gates", "-"), ("rrr", ":")):
            mine = [_chosen(rows, name, solver, hidden) for hidden in depths]
            label = f"{PROBLEMS[name]}, {solver}"
            for panel, field in zip(axes, ("test_accuracy", "seconds"), strict=True):
                values = [mean(part, field) for part in mine]
                panel.plot(depths, values, style, marker=".", color=colour(place), label=label)
    axes[0].set(xlabel="hidden layers, at equal edges", ylabel="test accuracy")
    axes[1].set(xlabel="hidden layers, at equal edges", ylabel="CPU seconds", yscale="log")
    axes[0].legend(fontsize=6)
    return {"width-depth.png": figure}


EXPERIMENT = Experiment(
    name="width-depth",
    title="Wide or deep networks with equally many edges: accuracy and CPU seconds",
    paper="what is the best tradeoff between width and depth",
    full=Parameters(),
    quick=Parameters(hidden_layers=(1, 3), draws=1, max_iter=1000, max_iter_gates=300),
    jobs=jobs,
    summary=summary,
    pictures=pictures,
)
