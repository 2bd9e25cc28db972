"""What an experiment is."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from boolearn.bench.record import Document, Row

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Parameters = TypeVar("Parameters")


@dataclass(frozen=True)
class Job:
    """A piece of work that depends on nothing but its arguments, so that it may run anywhere and in any order."""

    name: str
    """The name of its result's file, so letters, digits, dots and hyphens only."""
    work: Callable[..., Row]
    """A function of a module, which other processes can import. What it returns is a row of the record."""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    cost: float = 1.0
    """How long it takes, compared with the other jobs of the experiment; for the time left."""

    def run(self) -> Row:
        begun = time.perf_counter()
        found = self.work(**self.arguments)
        return {"job": self.name, **found, "seconds": time.perf_counter() - begun}


@dataclass(frozen=True)
class Comparison:
    """A line of the summary: a number of ours beside the paper's."""

    what: str
    ours: str
    paper: str = ""


@dataclass(frozen=True)
class Experiment(Generic[Parameters]):
    """An experiment of the paper. ``Parameters`` is a frozen dataclass."""

    name: str
    title: str
    paper: str
    """What the paper shows, in one line."""
    full: Parameters
    """The paper's own parameters where it states them; the module says which are ours."""
    quick: Parameters
    """Smaller ones, for about a minute on two cores; not every effect of the paper shows with them."""
    jobs: Callable[[Parameters, int], list[Job]]
    """The jobs for parameters and a seed."""
    summary: Callable[[Sequence[Row]], list[Comparison]]
    """From the rows of the record, one for each job and in the order of the jobs."""
    pictures: Callable[[Document], Mapping[str, Figure]]
    """File names and figures, from the record alone."""
