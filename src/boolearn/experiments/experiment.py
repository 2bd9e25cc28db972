"""What an experiment is."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from boolearn.bench.record import Document, Row
from boolearn.errors import ParameterError
from boolearn.experiments.spent import Spent
from boolearn.experiments.training import checkpoints_in, telling
from boolearn.solver import Tick

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

    @property
    def computation(self) -> Document:
        """What the result depends on beside the source code, as JSON has it. Jobs with the same one may share it."""
        named = {"work": f"{self.work.__module__}.{self.work.__qualname__}", "arguments": dict(self.arguments)}
        found: Document = json.loads(json.dumps(named))
        return found

    def run(self, scratch: Path | None = None, tell: Callable[[Tick], None] | None = None) -> Row:
        """The row, with the time of one core. Trainings that were stopped resume from checkpoints in ``scratch``.

        ``tell`` is told now and then where a training stands.
        """
        spent = Spent(scratch)

        def told(tick: Tick) -> None:
            spent.note()
            if tell is not None:
                tell(tick)

        try:
            with checkpoints_in(scratch), telling(told):
                found = self.work(**self.arguments)
        except BaseException:
            spent.note(every=0)
            raise
        return {"job": self.name, **found, "seconds": spent.seconds}


@dataclass(frozen=True)
class Comparison:
    """A line of the summary: a number of ours beside the paper's, or beside what theory expects."""

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

    def scaled(self, parameters: Parameters, scale: float) -> Parameters:
        """The parameters with every limit of iterations multiplied by ``scale``, for when there is less time."""
        if not 0 < scale <= 1:
            raise ParameterError("scale", "above 0 and at most 1", scale)
        limits = [field.name for field in fields(parameters) if field.name.startswith("max_iter")]  # type: ignore[arg-type]
        if scale != 1 and not limits:
            raise ParameterError("scale", f"1: {self.name} has no limit of iterations to scale", scale)
        changed = {name: max(1, round(getattr(parameters, name) * scale)) for name in limits}
        return replace(parameters, **changed)  # type: ignore[type-var]
