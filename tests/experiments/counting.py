"""An experiment whose jobs leave a mark each time they run, so that tests see what was computed and how often."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from matplotlib.figure import Figure

from boolearn.bench.record import Document, Row
from boolearn.experiments import Comparison, Experiment, Job


@dataclass(frozen=True)
class Parameters:
    marks: str
    """A folder for the marks; while it holds a file 'stop' or 'fail', the third job does not finish."""
    jobs: int = 5


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    return [
        Job(
            f"job-{number}",
            square,
            {"number": number, "seed": seed, "marks": parameters.marks},
            parameters.jobs - number,
        )
        for number in range(parameters.jobs)
    ]


def square(number: int, seed: int, marks: str) -> Row:
    if number == 2 and Path(marks, "stop").exists():
        raise KeyboardInterrupt
    if number == 2 and Path(marks, "fail").exists():
        raise ZeroDivisionError
    Path(marks, f"{number}-{uuid.uuid4()}").touch()
    return {"square": (number + seed) ** 2}


def computed(marks: Path) -> list[int]:
    """The numbers of the jobs that ran, once for each time they did."""
    return sorted(int(mark.name.split("-")[0]) for mark in marks.glob("*-*"))


def summary(rows: Sequence[Row]) -> list[Comparison]:
    return [Comparison("sum", str(sum(row["square"] for row in rows)))]


def pictures(record: Document) -> Mapping[str, Figure]:
    figure = Figure()
    figure.add_subplot().plot([row["square"] for row in record["rows"]])
    return {"squares.png": figure}


def counting(marks: Path) -> Experiment[Parameters]:
    marks.mkdir(exist_ok=True)
    parameters = Parameters(str(marks))
    return Experiment("counting", "Squares", "squares", parameters, parameters, jobs, summary, pictures)
