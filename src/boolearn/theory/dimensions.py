"""How many dimensions the Boolean codes of tokens need: too few cannot tell what tokens may do, too many guess badly.

A code for every token is found in training, together with a layer of neurons that reads it and says in which contexts
the token may stand. Some pairs of token and context are left out, and test what the codes have understood.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boolearn.bench.record import Document, Row
from boolearn.data import Dataset, InputKind
from boolearn.data.signs import Signs
from boolearn.experiments import Comparison, Experiment, Job
from boolearn.experiments.pictures import colour, panels
from boolearn.experiments.training import mean, trained
from boolearn.theory.language import Language, make_language

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIGMA = 3


@dataclass(frozen=True)
class Parameters:
    features: tuple[int, ...] = (4, 5, 6)
    """Of the language, which has 2^features tokens."""
    fewer: int = 2
    more: int = 4
    """Dimensions that are tried: from ``fewer`` below to ``more`` above the number of features."""
    contexts_per_feature: int = 5
    unseen: float = 0.2
    draws: int = 6
    max_iter: int = 10_000


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    found = []
    for features in parameters.features:
        for dimensions in range(max(1, features - parameters.fewer), features + parameters.more + 1):
            for draw in range(parameters.draws):
                arguments = {
                    "features": features,
                    "dimensions": dimensions,
                    "contexts": features * parameters.contexts_per_feature,
                    "unseen": parameters.unseen,
                    "seed": seed + draw,
                    "max_iter": parameters.max_iter,
                }
                found.append(Job(f"{features}-{dimensions}-{draw}", embed, arguments, 2**features * features**2))
    return found


def embed(features: int, dimensions: int, contexts: int, unseen: float, seed: int, max_iter: int) -> Row:
    """Codes for all tokens of a language."""
    language = make_language(features, contexts, unseen, seed)
    tokens = len(language.features)
    data = Dataset(
        np.empty((tokens, 0), np.int8), language.contexts, input_kind=InputKind.ANY_CODE, open=language.unseen
    )
    run = trained([dimensions, contexts], data, sigma=SIGMA, seed=seed, max_iter=max_iter)
    assert run.codes is not None
    right = run.model.predict(run.codes) == language.contexts
    return {
        "features": features,
        "dimensions": dimensions,
        "tokens": tokens,
        "contexts": contexts,
        "seed": seed,
        "solved": run.solved,
        "iterations": run.iterations,
        "seen_accuracy": float(right[~language.unseen].mean()),
        "unseen_accuracy": float(right[language.unseen].mean()),
        "without_codes": without_codes(language),
        "codes": len(np.unique(run.codes, axis=0)),
        "recovered": recovered(run.codes, language.features),
    }


def without_codes(language: Language) -> float:
    """The accuracy on unseen pairs without codes: a token does what the token does that it agrees with most."""
    seen = np.where(language.unseen, 0, language.contexts).astype(np.int64)
    alike = seen @ seen.T
    np.fill_diagonal(alike, -seen.shape[1] - 1)
    told = []
    for token, context in np.argwhere(language.unseen):
        # Only a token of which it was told can say anything; where there is none, it is a coin that shows −1.
        nearest = np.where(seen[:, context] != 0, alike[token], -seen.shape[1] - 1).argmax()
        told.append(seen[nearest, context] or -1)
    return float((np.array(told) == language.contexts[language.unseen]).mean())


def recovered(codes: Signs, features: Signs) -> int:
    """How many features are a bit of the code, or its negation, for every token."""
    agreement = np.abs(features.T.astype(np.int64) @ codes)
    return int((agreement == len(codes)).any(axis=1).sum())


def summary(rows: Sequence[Row]) -> list[Comparison]:
    lines = []
    for features in dict.fromkeys(row["features"] for row in rows):
        mine = [row for row in rows if row["features"] == features]
        sizes = sorted({row["dimensions"] for row in mine})
        for size in sizes:
            at = _at(mine, size)
            text = f"{sum(row['solved'] for row in at)} of {len(at)} solved; unseen pairs "
            text += f"{mean(at, 'unseen_accuracy'):.1%}, seen {mean(at, 'seen_accuracy'):.1%}; "
            text += f"{mean(at, 'recovered'):.1f} features are bits of the code; {mean(at, 'seconds'):.2f} CPU s"
            lines.append(Comparison(f"{2**features} tokens, {size} dimensions", text))
        best = max(sizes, key=lambda size: mean(_at(mine, size), "unseen_accuracy"))
        cheapest = min(sizes, key=lambda size: mean(_at(mine, size), "seconds"))
        text = f"{best} dimensions; least CPU time at {cheapest}; "
        text += f"by the nearest token, without codes, {mean(mine, 'without_codes'):.1%}"
        lines.append(Comparison(f"{2**features} tokens, best for unseen pairs", text, f"{features} features"))
    return lines


def _at(rows: Sequence[Row], dimensions: int) -> list[Row]:
    return [row for row in rows if row["dimensions"] == dimensions]


def pictures(record: Document) -> Mapping[str, Figure]:
    rows = record["rows"]
    figure, axes = panels(2)
    for place, features in enumerate(dict.fromkeys(row["features"] for row in rows)):
        mine = [row for row in rows if row["features"] == features]
        sizes = sorted({row["dimensions"] for row in mine})
        excess = [size - features for size in sizes]
        for panel, field in zip(axes, ("unseen_accuracy", "seconds"), strict=True):
            values = [mean(_at(mine, size), field) for size in sizes]
            panel.plot(excess, values, marker=".", color=colour(place), label=f"{2**features} tokens")
        base = mean(mine, "without_codes")
        axes[0].axhline(base, color=colour(place), linewidth=0.8, linestyle=":")
    axes[0].set(xlabel="dimensions − features", ylabel="unseen pairs right (dotted: nearest token)")
    axes[1].set(xlabel="dimensions − features", ylabel="CPU seconds", yscale="log")
    axes[0].legend(fontsize=8)
    return {"dimensions.png": figure}


EXPERIMENT = Experiment(
    name="dimensions",
    title="Dimensions of the codes of language-like tokens: accuracy on unseen contexts and CPU seconds",
    paper="how many dimensions are best for embedding the tokens of language-like data",
    full=Parameters(),
    quick=Parameters(features=(4,), draws=2, max_iter=3000),
    jobs=jobs,
    summary=summary,
    pictures=pictures,
)
