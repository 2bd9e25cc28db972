"""From an experiment and its parameters to a record and pictures."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeVar

from boolearn.bench.record import Document, Record
from boolearn.checks import checked_integer
from boolearn.circuit.drawing import save_figure
from boolearn.cores import check_threads
from boolearn.experiments.experiment import Experiment, Job
from boolearn.experiments.folder import ResultFolder
from boolearn.experiments.workers import run_jobs

P = TypeVar("P")


@dataclass(frozen=True)
class Progress:
    """Where a reproduction stands."""

    done: int
    jobs: int
    seconds_left: float | None
    """Judged by the jobs finished since the command began; None before there is one."""


def reproduce(
    experiment: Experiment[P],
    parameters: P,
    seed: int,
    folder: Path,
    *,
    command: Sequence[str],
    scale: float = 1.0,
    reuse: Sequence[Path] = (),
    threads: int | None = None,
    watch: Callable[[Progress], None] = lambda _: None,
) -> Document:
    """Run the jobs that have no result in the folder yet, then write the record and draw the pictures.

    A folder that is complete is only drawn again. ``scale`` multiplies all limits of iterations. ``reuse`` names
    folders of other experiments, of the same source code, whose results of the same computations are taken.
    """
    parameters = experiment.scaled(parameters, scale)
    workers = check_threads(threads)
    given: dict[str, Any] = asdict(parameters)  # type: ignore[call-overload]
    record = Record(experiment.name, ["job"], command, seeds=checked_integer("seed", seed, 0), parameters=given)
    record.run["scale"] = scale
    identity = {"experiment": experiment.name, **{name: record.run[name] for name in _IDENTIFYING}}
    results = ResultFolder(folder, identity)
    document = results.record()
    if document is None:
        jobs = experiment.jobs(parameters, seed)
        results.reuse(reuse, jobs)
        _run_missing(jobs, results, workers, watch)
        rows = results.finished(jobs)
        record.rows = [rows[job.name] for job in jobs]
        core_seconds = sum(row["seconds"] for row in record.rows)
        summary = [asdict(line) for line in experiment.summary(record.rows)]
        results.write_record({**record.document(), "core_seconds": core_seconds, "summary": summary})
        document = results.record()
        assert document is not None
    draw(experiment, document, folder)
    return document


_IDENTIFYING = ("version", "commit", "seeds", "scale", "parameters")
"""What results depend on; the machine and the number of threads are not among it."""


def draw(experiment: Experiment[P], record: Document, folder: Path) -> list[Path]:
    """Draw the pictures from the record alone."""
    paths = []
    for name, figure in experiment.pictures(record).items():
        paths.append(folder / name)
        save_figure(figure, paths[-1])
    return paths


def _run_missing(jobs: Sequence[Job], results: ResultFolder, workers: int, watch: Callable[[Progress], None]) -> None:
    finished = results.finished(jobs)
    missing = [job for job in jobs if job.name not in finished]
    todo, done = sum(job.cost for job in missing), 0.0
    begun = time.perf_counter()
    watch(Progress(len(finished), len(jobs), None))
    # Long jobs first: a long one that begins last would keep one core busy while the others have nothing to do.
    longest_first = [(job, results.scratch(job)) for job in sorted(missing, key=lambda job: -job.cost)]
    for number, (job, row) in enumerate(run_jobs(longest_first, workers), 1):
        results.keep(job, row)
        done += job.cost
        watch(Progress(len(finished) + number, len(jobs), (time.perf_counter() - begun) * (todo - done) / done))
