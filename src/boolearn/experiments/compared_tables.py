"""The comparison of methods as tables, one for each family of problems, from the record alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from boolearn.bench.record import Row
from boolearn.experiments.compared_paper import PAPER

FAMILIES = {
    "maj": "Random Maj circuits",
    "andor": "Random And/Or circuits",
    "rule30": "Rule 30, one step",
    "rule30-twice": "Rule 30, two steps",
    "digits": "8×8 digits",
    "multiplier": "Multiplication tables",
    "fours": "MNIST 4's",
    "iwls": "IWLS 2020 functions",
}
"""In the order of the tables."""

COLUMNS = ("", "method", "budget", "fitted %", "test %", "CPU s", "size", "circuit", "paper, test %")


@dataclass(frozen=True)
class Group:
    """One method on all draws of a problem; means, and the errors of their test accuracies."""

    family: str
    size: int | str
    method: str
    name: str
    budget: str
    scored: str | None
    draws: int
    train_bits: float
    train_items: float
    test_bits: float | None
    test_items: float | None
    error: float | None
    """The standard error of ``test_bits``, where there are several draws."""
    cpu_seconds: float
    model_size: float
    unit: str
    circuit: bool
    """Whether every draw gave an exact circuit."""
    paper: str


def groups(rows: Sequence[Row]) -> Iterator[Group]:
    """Rows stand in the order of the jobs, so that those of a problem and method are neighbours."""
    for (family, size, method), found in itertools.groupby(
        rows, key=lambda row: (row["family"], row["size_of_problem"], row["method"])
    ):
        draws = list(found)
        tests = [row["test_bits"] for row in draws if row["test_bits"] is not None]
        units = [row["unit"] for row in draws]
        yield Group(
            family,
            size,
            method,
            draws[0]["name"],
            draws[0]["budget"],
            draws[0]["scored"],
            len(draws),
            _mean(draws, "train_bits"),
            _mean(draws, "train_items"),
            float(np.mean(tests)) if tests else None,
            _mean(draws, "test_items") if tests else None,
            float(np.std(tests, ddof=1) / np.sqrt(len(tests))) if len(tests) > 1 else None,
            _mean(draws, "cpu_seconds"),
            _mean(draws, "size"),
            "/".join(dict.fromkeys(units)),
            all(row["circuit"] for row in draws),
            PAPER.get((family, size, method), ""),
        )


def _mean(rows: Sequence[Row], name: str) -> float:
    return float(np.mean([row[name] for row in rows]))


def size_text(family: str, size: int | str) -> str:
    if family == "iwls":
        return str(size)
    return f"{size} bits" if family == "multiplier" else f"{size} items"


def tables(rows: Sequence[Row]) -> dict[str, str]:
    """Markdown, by family. In brackets: whole items. The best test accuracy of every problem is bold."""
    found = {}
    for family, members in itertools.groupby(groups(rows), key=lambda group: group.family):
        lines = [COLUMNS, ("---",) * len(COLUMNS)]
        for _, problem in itertools.groupby(members, key=lambda group: group.size):
            several = list(problem)
            best = max((group.test_bits for group in several if group.test_bits is not None), default=None)
            lines += [_cells(group, group is several[0], best) for group in several]
        found[family] = "\n".join("| " + " | ".join(cells) + " |" for cells in lines)
    return found


def _cells(group: Group, first: bool, best: float | None) -> tuple[str, ...]:
    test = ""
    if group.test_bits is not None and group.test_items is not None:
        error = "" if group.error is None else f" ± {100 * group.error:.2f}"
        bits = f"{100 * group.test_bits:.2f}{error}"
        test = f"{f'**{bits}**' if group.test_bits == best else bits} ({100 * group.test_items:.1f})"
    return (
        size_text(group.family, group.size) if first else "",
        group.name,
        group.budget,
        f"{100 * group.train_bits:.2f} ({100 * group.train_items:.1f})",
        test,
        f"{group.cpu_seconds:.2g}" if group.cpu_seconds < 10 else f"{group.cpu_seconds:.0f}",
        f"{group.model_size:,.0f} {group.unit}",
        "yes" if group.circuit else "no",
        group.paper,
    )
