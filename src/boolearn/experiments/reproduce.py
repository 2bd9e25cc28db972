"""From an experiment and its parameters to a record and pictures."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from boolearn.bench.record import Document, Record
from boolearn.checks import checked_integer
from boolearn.circuit.drawing import save_figure
from boolearn.cores import check_threads
from boolearn.experiments.experiment import Experiment, Job
from boolearn.experiments.folder import ResultFolder
from boolearn.experiments.workers import run_jobs
from boolearn.solver import Tick

P = TypeVar("P")


@dataclass(frozen=True)
class Progress:
    """Where a reproduction stands."""

    done: int
    jobs: int
    share: float = 0.0
    """Of the work that is done, with what is done of trainings under way."""
    seconds_left: float | None = None
    """Judged by what was done since the command began; None before there is something."""
    trainings: Mapping[str, Tick] = field(default_factory=dict)
    """Those under way, by the names of their jobs."""


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
    account = _Account(jobs, finished)
    watch(account.progress())

    def tell(job: Job, tick: Tick) -> None:
        account.ticked(job, tick)
        watch(account.progress())

    # Long jobs first: a long one that begins last would keep one core busy while the others have nothing to do.
    longest_first = [(job, results.scratch(job)) for job in sorted(missing, key=lambda job: -job.cost)]
    for job, row in run_jobs(longest_first, workers, tell):
        results.keep(job, row)
        account.ended(job)
        watch(account.progress())


class _Account:
    """What is done of every job, and how fast that goes."""

    def __init__(self, jobs: Sequence[Job], finished: Collection[str]) -> None:
        self._begun = time.perf_counter()
        self._cost = {job.name: job.cost for job in jobs}
        self._ended = set(finished)
        self._done = {job.name: 1.0 if job.name in finished else 0.0 for job in jobs}
        """The share of each job."""
        self._before = dict(self._done)
        """That of earlier commands, whose time does not count."""
        self._trainings: dict[str, Tick] = {}

    def ticked(self, job: Job, tick: Tick) -> None:
        share = (tick.restart - 1 + (tick.iteration / tick.max_iter if tick.max_iter else 0.0)) / tick.restarts
        if job.name not in self._trainings:
            self._before[job.name] = share  # resumed from there
        self._trainings[job.name] = tick
        self._done[job.name] = share

    def ended(self, job: Job) -> None:
        self._trainings.pop(job.name, None)
        self._ended.add(job.name)
        self._done[job.name] = 1.0

    def progress(self) -> Progress:
        """A job that has several trainings is done sooner by these numbers than in truth; most have one."""
        total, done, before = (
            sum(self._cost[name] * share for name, share in shares.items())
            for shares in (dict.fromkeys(self._cost, 1.0), self._done, self._before)
        )
        seconds = time.perf_counter() - self._begun
        left = seconds * max(0.0, total - done) / (done - before) if done > before else None
        return Progress(len(self._ended), len(self._cost), done / total if total else 1.0, left, dict(self._trainings))
