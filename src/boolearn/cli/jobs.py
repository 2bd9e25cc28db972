"""What the commands that run experiments share: progress, the table at the end, the list of experiments."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boolearn.display import Display, Shown

if TYPE_CHECKING:
    from boolearn.experiments import Experiment, Progress

_RESULTS = Path(__file__).parents[3] / "experiments" / "results"
"""Records of full runs, in a checkout."""

_SECONDS_BETWEEN_LINES = 60.0


def run_and_show(
    experiment: Experiment[Any], parameters: Any, seed: int, folder: Path, *, note: str, column: str, **settings: Any
) -> None:
    """Run the jobs and print the table; ``column`` is the title of what stands beside our numbers."""
    from boolearn.experiments import reproduce

    try:
        with closing(Display()) as display:
            command, watch = ["boolearn", *sys.argv[1:]], JobsLine(display)
            record = reproduce(experiment, parameters, seed, folder, command=command, watch=watch, **settings)
    except KeyboardInterrupt:
        print(f"\nStopped. The jobs that are done are kept in {folder}; the same command resumes.", file=sys.stderr)
        raise
    print(f"{experiment.title}{note}\n")
    _print_summary(record["summary"], column)
    print(f"\n{record['core_seconds']:.0f} core seconds. Record and pictures: {folder}")


def _print_summary(lines: list[dict[str, Any]], column: str) -> None:
    rows = [("", "here", column), *((line["what"], line["ours"], line["paper"]) for line in lines)]
    first, second = (max(len(row[column]) for row in rows) + 3 for column in (0, 1))
    for what, ours, paper in rows:
        print(f"{what:{first}}{ours:{second}}{paper}".rstrip())


class JobsLine:
    """A live display on a terminal; else a line for every job that has ended, and every minute for those under way."""

    def __init__(self, display: Display) -> None:
        self._display = display
        self._done = -1
        self._spoke = time.monotonic()

    def __call__(self, progress: Progress) -> None:
        from boolearn.solver.watching.progress import describe, facts_of

        left = "" if progress.seconds_left is None else f"{_duration(progress.seconds_left)} left"
        text = f"{progress.done} of {progress.jobs} jobs"
        if self._display.live:
            name, tick = next(iter(progress.trainings.items()), ("", None))
            title = f"{text}, {name}" if name else text
            self._display.show(Shown(title, progress.share, left, facts_of(tick) if tick else ()))
            return
        now = time.monotonic()
        if progress.done == self._done and now - self._spoke < _SECONDS_BETWEEN_LINES:
            return
        self._display.say(f"{text}, {left}" if left else text)
        if progress.done == self._done:
            for name, tick in progress.trainings.items():
                self._display.say(f"  {name}: {describe(tick)}")
        self._done, self._spoke = progress.done, now


def print_list(experiments: Iterable[Experiment[Any]], source: str) -> None:
    """Names and titles, what the paper or the question is, and the time that a full run took."""
    from boolearn.bench.record import read_record

    for experiment in experiments:
        print(f"{experiment.name:18}{experiment.title}")
        print(f"{'':18}{source}: {experiment.paper}.")
        path = _RESULTS / f"{experiment.name}.json"
        if path.exists():
            record = read_record(path)
            machine, seconds = record["machine"], record["core_seconds"]
            scale = record.get("scale", 1)
            part = "" if scale == 1 else f", with --scale {scale:g}"
            print(f"{'':18}Takes {_duration(seconds)} on one core of {machine['processor']}{part}.")


def _duration(seconds: float) -> str:
    """Rounded, in the unit in which people think of it."""
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"
