"""boolearn theory: a benchmark for theory, by its name."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boolearn.cli.jobs import print_list, run_and_show
from boolearn.cli.options import whole
from boolearn.errors import ParameterError

if TYPE_CHECKING:
    from boolearn.theory.learnable import Parameters


def theory(
    name: Annotated[str | None, typer.Argument(help="The benchmark; --list shows all.")] = None,
    data: Annotated[
        str | None,
        typer.Argument(help="For learnable: a data file, whose rows are the set, or one of the named sets."),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the benchmarks and their questions.")] = False,
    quick: Annotated[bool, typer.Option("--quick", help="In small, within a minute.")] = False,
    seed: Annotated[int, whole("Same seed, same results.", least=0)] = 0,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="The folder for results; by default NAME-run or NAME-quick-run.")
    ] = None,
    scale: Annotated[
        float, typer.Option(help="Multiply all limits of iterations by this, at most 1; the record says so.")
    ] = 1.0,
    threads: Annotated[int | None, whole("Jobs at the same time; by default one for each core.")] = None,
) -> None:
    """Measure a question of theory; the same command again resumes where it was stopped.

    Writes record.json, with every number that is drawn, and the pictures. Ctrl-C keeps the jobs that are done,
    and checkpoints of long ones.
    """
    from boolearn.theory import NAMES, find

    if list_:
        print_list(map(find, NAMES), "Question")
        return
    if name is None:
        raise ParameterError("name", "one of those that --list shows", name)
    experiment = find(name)
    parameters = experiment.quick if quick else experiment.full
    label = name
    if data is not None:
        if name != "learnable":
            raise ParameterError("data", f"left out: {name} makes its own data", data)
        parameters, label = _of_set(parameters, data)
    folder = out if out is not None else Path(f"{label}-quick-run" if quick else f"{label}-run")
    note = " (--quick: small sizes and budgets)" if quick else ""
    run_and_show(experiment, parameters, seed, folder, note=note, column="expected", scale=scale, threads=threads)


def _of_set(parameters: Parameters, data: str) -> tuple[Parameters, str]:
    """The parameters for one set, and what its folder is called by."""
    from hashlib import sha256

    from boolearn.errors import FileError
    from boolearn.files import opened
    from boolearn.theory.member_sets import NAMED, read_set

    if data in NAMED:
        return replace(parameters, sets=(data,)), f"learnable-{data}"
    if not Path(data).exists():
        raise FileError(data, None, f"there is no such file, and the named sets are {', '.join(NAMED)}.")
    read_set(data, 0)  # refused before a folder is made
    with opened(data) as stream:
        digest = sha256(stream.read()).hexdigest()
    return replace(parameters, sets=(), data=data, digest=digest), f"learnable-{Path(data).stem}"
