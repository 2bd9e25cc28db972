"""boolearn reproduce: an experiment of the paper, by its name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from boolearn.cli.jobs import print_list, run_and_show
from boolearn.cli.options import whole
from boolearn.errors import ParameterError


def reproduce(
    name: Annotated[str | None, typer.Argument(help="The experiment; --list shows all.")] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the experiments and what the paper shows.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="The effect at a small size, within a minute.")] = False,
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
    from boolearn.experiments import NAMES, find

    if list_:
        print_list(map(find, NAMES), "Paper")
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
    note = " (--quick: too small to be held against the paper)" if quick else ""
    run_and_show(
        experiment, parameters, seed, folder, note=note, column="paper", scale=scale, reuse=reuse or (), threads=threads
    )
