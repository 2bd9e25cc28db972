"""What accuracy costs: our solvers on the same items with more and more work, in CPU seconds."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boolearn.bench.record import Document, Row
from boolearn.data import Dataset
from boolearn.data.signs import Signs, as_signs
from boolearn.experiments import Comparison, Experiment, Job
from boolearn.experiments.pictures import colour, panels
from boolearn.experiments.training import mean, trained
from boolearn.learning import learn
from boolearn.theory.problems import LAYERS, PROBLEMS, problem

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIGMA = 3
HIDDEN = 2
"""As wide as it takes: hidden layers have this many times the problem's inputs or outputs, whichever are more."""
UNITS = {"rrr": "iterations", "gates": "sweeps", "learn": "units of work"}


@dataclass(frozen=True)
class Parameters:
    problems: tuple[str, ...] = tuple(PROBLEMS)
    draws: int = 3
    rrr: tuple[int, ...] = (300, 1000, 3000, 10_000)
    gates: tuple[int, ...] = (30, 100, 300, 1000)
    learn: tuple[int, ...] = (10_000, 100_000, 1_000_000)
    """Budgets of the solvers, each in its own unit."""


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    found = []
    budgets = {"rrr": parameters.rrr, "gates": parameters.gates, "learn": parameters.learn}
    for name, solver, draw in itertools.product(parameters.problems, budgets, range(parameters.draws)):
        for budget in budgets[solver]:
            arguments = {"name": name, "solver": solver, "budget": budget, "seed": seed + draw}
            cost = budget / max(budgets[solver])
            found.append(Job(f"{name}-{solver}-{budget}-{draw}", learn_with_budget, arguments, cost))
    return found


def learn_with_budget(name: str, solver: str, budget: int, seed: int) -> Row:
    train, test = problem(name, seed)
    answers = _answers(train, test.inputs, solver, budget, seed)
    right = answers == test.targets
    return {
        "problem": name,
        "solver": solver,
        "budget": budget,
        "seed": seed,
        "test_accuracy": float(right.mean()),
        "exact": bool(right.all()),
    }


def _answers(train: Dataset, inputs: Signs, solver: str, budget: int, seed: int) -> Signs:
    if solver == "learn":
        return learn(train, max_work=budget, seed=seed, threads=1).predict(inputs)
    wide = HIDDEN * max(train.n_inputs, train.n_output_nodes)
    widths = [train.n_inputs, *[wide] * LAYERS, train.n_output_nodes]
    run = trained(widths, train, solver=solver, sigma=SIGMA, seed=seed, max_iter=budget)
    return as_signs(run.model.predict(inputs), "outputs")


def summary(rows: Sequence[Row]) -> list[Comparison]:
    lines = []
    for name, solver, budget in dict.fromkeys((row["problem"], row["solver"], row["budget"]) for row in rows):
        mine = _chosen(rows, name, solver, budget)
        text = f"test {mean(mine, 'test_accuracy'):.1%}, exact {sum(row['exact'] for row in mine)} of {len(mine)}, "
        text += f"{mean(mine, 'seconds'):.2f} CPU s"
        lines.append(Comparison(f"{PROBLEMS[name]}, {solver}, {budget:,} {UNITS[solver]}", text))
    return lines


def _chosen(rows: Sequence[Row], name: str, solver: str, budget: int) -> list[Row]:
    return [row for row in rows if (row["problem"], row["solver"], row["budget"]) == (name, solver, budget)]


def pictures(record: Document) -> Mapping[str, Figure]:
    rows = record["rows"]
    names = list(dict.fromkeys(row["problem"] for row in rows))
    figure, axes = panels(min(2, len(names)), (len(names) + 1) // 2, height=2.8)
    for panel, name in zip(axes, names, strict=False):
        for place, solver in enumerate(UNITS):
            budgets = sorted({row["budget"] for row in rows if row["solver"] == solver})
            parts = [_chosen(rows, name, solver, budget) for budget in budgets]
            seconds = [mean(part, "seconds") for part in parts]
            accuracy = [mean(part, "test_accuracy") for part in parts]
            panel.plot(seconds, accuracy, marker=".", color=colour(place), label=solver)
        panel.set(xscale="log", xlabel="CPU seconds", ylabel="test accuracy")
        panel.set_title(PROBLEMS[name], fontsize=10)
    axes[0].legend(fontsize=8)
    return {"cost.png": figure}


EXPERIMENT = Experiment(
    name="cost",
    title="Accuracy against CPU seconds, for RRR, the gate search and learn",
    paper="what does accuracy cost",
    full=Parameters(),
    quick=Parameters(draws=1, rrr=(300, 1000), gates=(30, 200), learn=(10_000,)),
    jobs=jobs,
    summary=summary,
    pictures=pictures,
)
