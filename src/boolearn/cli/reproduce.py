"""boolearn reproduce: an experiment of the paper, by its name."""

from __future__ import annotations

import sys
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boolearn.cli.options import whole
from boolearn.display import Display, Shown
from boolearn.errors import ParameterError

if TYPE_CHECKING:
    from boolearn.experiments import Progress

_RESULTS = Path(__file__).parents[3] / "experiments" / "results"
"""Records of full runs, in a checkout."""


def reproduce(
    name: Annotated[str | None, typer.Argument(help="The experiment; --list shows all.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the experiments and what the paper shows.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="The effect in small, within a minute.")] = False,
    seed: Annotated[int, whole("Same seed, same results.", least=0)] = 0,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The folder for results; by default NAME-run or NAME-quick-run.")
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(help="For mnist4: the folder with MNIST's own files, a .dat file of the pictures, or openml."),
    ] = None,
    scale: Annotated[
        float, typer.Option(help="Multiply all limits of iterations by this, at most 1; the record says so.")
    ] = 1.0,
    reuse: Annotated[
        list[Path] | None,
        typer.Option(
            help="The folder of another experiment, whose results of the same computations are taken. Repeat."
        ),
    ] = None,
    threads: Annotated[int | None, whole("Jobs at the same time; by default one for each core.")] = None,
) -> None:
    """Run an experiment of the paper; the same command again resumes where it was stopped.

    Writes record.json, with every number that is drawn, and the pictures. Ctrl-C keeps the jobs that are done,
    and checkpoints of long ones.
    """
    from boolearn.experiments import find
    from boolearn.experiments import reproduce as run

    if list_:
        _print_list()
        return
    if name is None:
        raise ParameterError("name", "one of those that --list shows", name)
    experiment = find(name)
    parameters = experiment.quick if quick else experiment.full
    if data is not None:
        if not hasattr(parameters, "data"):
            raise ParameterError("data", f"left out: {name} makes its own data", data)
        parameters = replace(parameters, data=data)
    folder = out if out is not None else Path(f"{name}-quick-run" if quick else f"{name}-run")
    try:
        with closing(Display()) as display:
            record = run(
                experiment,
                parameters,
                seed,
                folder,
                command=["boolearn", *sys.argv[1:]],
                scale=scale,
                reuse=reuse or (),
                threads=threads,
                watch=partial(_show, display),
            )
    except KeyboardInterrupt:
        print(f"\nStopped. The jobs that are done are kept in {folder}; the same command resumes.", file=sys.stderr)
        raise
    print(f"{experiment.title}{' (--quick: too small to be held against the paper)' if quick else ''}\n")
    _print_summary(record["summary"])
    print(f"\n{record['core_seconds']:.0f} core seconds. Record and pictures: {folder}")


def _print_summary(lines: list[dict[str, Any]]) -> None:
    rows = [("", "here", "paper"), *((line["what"], line["ours"], line["paper"]) for line in lines)]
    first, second = (max(len(row[column]) for row in rows) + 3 for column in (0, 1))
    for what, ours, paper in rows:
        print(f"{what:{first}}{ours:{second}}{paper}".rstrip())


def _show(display: Display, progress: Progress) -> None:
    """A live display on a terminal, else a line for every job."""
    left = "" if progress.seconds_left is None else f"{_duration(progress.seconds_left)} left"
    text = f"{progress.done} of {progress.jobs} jobs"
    if display.live:
        display.show(Shown(text, progress.done / max(1, progress.jobs), left))
    else:
        display.say(f"{text}, {left}" if left else text)


def _print_list() -> None:
    from boolearn.bench.record import read_record
    from boolearn.experiments import NAMES, find

    for name in NAMES:
        experiment = find(name)
        print(f"{name:18}{experiment.title}")
        print(f"{'':18}Paper: {experiment.paper}.")
        if (_RESULTS / f"{name}.json").exists():
            record = read_record(_RESULTS / f"{name}.json")
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
