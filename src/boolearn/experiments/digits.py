"""8×8 grey digits on a single layer: a wide margin, which cannot be kept, generalises better than a narrow one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boolearn.bench.record import Document, Row
from boolearn.data import Dataset, InputKind
from boolearn.data import digits as load_digits
from boolearn.errors import DataError
from boolearn.experiments.experiment import Comparison, Experiment, Job
from boolearn.experiments.following import ended, followed
from boolearn.experiments.pictures import colour, panels, plot_trace
from boolearn.model import BoolNet
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.solver import RRR

if TYPE_CHECKING:
    from matplotlib.figure import Figure

BETA, GAMMA = 0.05, 0.0
LINEAR = ("ridge", "logistic")
PAPER_SIGMAS = (1, 100)


@dataclass(frozen=True)
class Parameters:
    source: str = "paper"
    """The paper's 3823 digits, which need the extra ``data``; or "scikit-learn", others of the same collection."""
    sigmas: tuple[int, ...] = PAPER_SIGMAS
    items: tuple[int, ...] = (128, 256, 512, 1024, 2048)
    starts: int = 2
    """The paper says that another start gives the same weights."""
    max_iter: int = 20_000


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    found = []
    for items in parameters.items:
        data = {"source": parameters.source, "items": items}
        for sigma in parameters.sigmas:
            for start in range(parameters.starts):
                arguments = {**data, "sigma": sigma, "seed": seed + start, "max_iter": parameters.max_iter}
                found.append(Job(f"sigma-{sigma}-{items}-{start}", _learn, arguments, items))
        found += [Job(f"{method}-{items}", _linear, {**data, "method": method}, items / 50) for method in LINEAR]
    return found


def _split(source: str, items: int) -> tuple[Dataset, Dataset]:
    """The first digits are learned, all others are the test."""
    training, test = load_digits(source).split(items)
    if test is None:
        raise DataError(f"more than {items} digits are needed, so that some are left for the test.")
    return training, test


def _learn(source: str, items: int, sigma: int, seed: int, max_iter: int) -> Row:
    training, test = _split(source, items)
    network = layered(64, 10)
    search = RRR(beta=BETA, gamma=GAMMA).search(Problem(network, training, sigma), threads=1)
    search.begin(seed)

    def accuracies() -> tuple[float, float]:
        model = BoolNet(network, search.weights(), InputKind.ANALOG, classes=10)
        return model.accuracy(training), model.accuracy(test)

    trace = followed(search.advance, accuracies, max_iter)
    weights = np.reshape(search.weights(), (10, 65))  # for every class those of the constant and of the pixels
    search.close()
    about = {"method": "rrr", "solver": "rrr", "sigma": sigma, "items": items, "seed": seed}
    return {**about, **ended(trace), "trace": trace, "weights": weights.round(4).tolist()}


def _linear(source: str, items: int, method: str) -> Row:
    """A linear model that everybody has, on the same digits; nothing is chosen by the test digits."""
    from sklearn.linear_model import LogisticRegression, RidgeClassifierCV

    training, test = _split(source, items)
    models = {
        "ridge": RidgeClassifierCV(alphas=np.logspace(-3, 3, 13)),  # judged by leaving out one training item at a time
        "logistic": LogisticRegression(max_iter=5000),
    }
    model = models[method].fit(training.inputs, training.outputs)
    scores = [float(model.score(part.inputs, part.outputs)) for part in (training, test)]
    return {"method": method, "items": items, "train_accuracy": scores[0], "test_accuracy": scores[1]}


def summary(rows: Sequence[Row]) -> list[Comparison]:
    lines = []
    for items in dict.fromkeys(row["items"] for row in rows):
        for sigma in sorted({row["sigma"] for row in rows if row["method"] == "rrr"}):
            mine = _chosen(rows, sigma, items)
            text = _accuracies(mine) + f"; gap {np.mean([row['gap'] for row in mine]):.3f}"
            paper = "clearly better than σ 100" if sigma == min(PAPER_SIGMAS) else ""
            lines.append(Comparison(f"{items} items, σ {sigma:g}: test accuracy", text, paper))
            if len(mine) > 1:
                paper = "every detail is reproduced" if sigma == min(PAPER_SIGMAS) else ""
                lines.append(
                    Comparison(f"{items} items, σ {sigma:g}: weights of two starts", _likeness(mine[:2]), paper)
                )
        for method in LINEAR:
            (row,) = (row for row in rows if (row["method"], row["items"]) == (method, items))
            lines.append(Comparison(f"{items} items, {method} regression: test accuracy", _accuracies([row])))
    return lines


def _chosen(rows: Sequence[Row], sigma: float, items: int) -> list[Row]:
    return [row for row in rows if row["method"] == "rrr" and (row["sigma"], row["items"]) == (sigma, items)]


def _accuracies(rows: Sequence[Row]) -> str:
    test, training = (np.mean([row[field] for row in rows]) for field in ("test_accuracy", "train_accuracy"))
    return f"{test:.2%} (training items {training:.2%})"


def _likeness(rows: Sequence[Row]) -> str:
    first, second = (np.array(row["weights"]) for row in rows)
    alike = np.corrcoef(first.ravel(), second.ravel())[0, 1]
    return f"correlation {alike:.4f}, largest difference {np.abs(first - second).max():.2f}"


def pictures(record: Document) -> Mapping[str, Figure]:
    rows = record["rows"]
    sizes = list(dict.fromkeys(row["items"] for row in rows))
    sigmas = sorted({row["sigma"] for row in rows if row["method"] == "rrr"}, reverse=True)
    gaps, axes = panels(len(sigmas))
    accuracies, places = panels(len(sigmas))
    for number, sigma in enumerate(sigmas):
        for place, items in enumerate(sizes):
            row = _chosen(rows, sigma, items)[0]
            plot_trace(axes[number], row, "gap", color=colour(place), label=f"{items} items")
            trace = row["trace"]
            places[number].plot(trace["train_accuracy"], trace["test_accuracy"], color=colour(place), label=f"{items}")
            for method, mark in zip(LINEAR, "x+", strict=True):
                (line,) = (row for row in rows if (row["method"], row["items"]) == (method, items))
                label = method if place == 0 else None
                point = line["train_accuracy"], line["test_accuracy"]
                places[number].scatter(*point, color=colour(place), marker=mark, label=label)
        axes[number].set_title(f"σ {sigma:g}", fontsize=10)
        axes[number].set_ylabel("gap")
        axes[number].legend(fontsize=8)
        places[number].set(xlabel="training accuracy", ylabel="test accuracy", xlim=(0.8, 1.005), ylim=(0.8, 1.005))
        places[number].set_title(f"σ {sigma:g}; crosses: linear models", fontsize=10)
        places[number].legend(fontsize=7)
    return {"gap.png": gaps, "accuracy.png": accuracies, "weights.png": _weights(_chosen(rows, min(sigmas), sizes[-1]))}


def _weights(rows: Sequence[Row]) -> Figure:
    """The weights of the ten classes; a line of pictures for each start. Blue is positive, red negative."""
    figure, axes = panels(10, len(rows), width=1.0, height=1.1)
    for start, row in enumerate(rows):
        weights = np.array(row["weights"])
        largest = np.abs(weights[:, 1:]).max()
        for digit in range(10):
            panel = axes[10 * start + digit]
            panel.imshow(weights[digit, 1:].reshape(8, 8), cmap="RdBu", vmin=-largest, vmax=largest)
            panel.set_axis_off()
    return figure


EXPERIMENT = Experiment(
    name="digits",
    title="8×8 grey digits on 64→10 with σ 1 and σ 100, from 128 to 2048 items",
    paper="test accuracy is clearly better with σ 1 than with σ 100; every start gives the same weights",
    full=Parameters(),
    quick=Parameters(source="scikit-learn", items=(128, 512), max_iter=3000),
    jobs=jobs,
    summary=summary,
    pictures=pictures,
)
