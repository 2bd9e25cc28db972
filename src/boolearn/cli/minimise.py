"""boolearn minimise: the smallest circuit for a specification in any of our formats."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boolearn.cli.manner import shows_progress
from boolearn.cli.options import whole

if TYPE_CHECKING:
    from boolearn.minimising import Minimised


def minimise(
    spec: Annotated[
        Path, typer.Argument(help="A circuit (.blif, .aag, .aig, .json) or a table (.pla, .dat, .npz, .csv, .tsv).")
    ],
    out: Annotated[
        list[Path] | None, typer.Option("--out", "-o", help="A file to write; the ending sets the format. Repeatable.")
    ] = None,
    gates: Annotated[
        str, typer.Option(help="and-or: And and Or of two inputs; and-or-maj: also majorities of three.")
    ] = "and-or",
    max_seconds: Annotated[float, typer.Option(help="When to stop.")] = 60.0,
    outputs: Annotated[int | None, whole("CSV: how many of the last columns are outputs; by default 1.")] = None,
    seed: Annotated[int, whole("Same seed, same circuit, if the time suffices.")] = 0,
    threads: Annotated[int | None, whole("At most how many threads the gate search uses.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Find the smallest circuit for a specification, prove it equal, print its formulas, write files.

    Output bits that a table leaves open ('-' in PLA, an empty cell in CSV) may come out either way. Ctrl-C takes the
    best circuit so far.
    """
    from boolearn.baselines.specification_files import read_specification
    from boolearn.circuit.formats import check_savable
    from boolearn.minimising import minimise as find

    for path in out or ():
        check_savable(path)
    asked = spec if outputs is None else read_specification(spec, outputs)
    found = find(
        asked, gates=gates, max_seconds=max_seconds, seed=seed, threads=threads, progress=shows_progress(as_json)
    )
    for path in out or ():
        found.circuit.save(path)
    if as_json:
        print(json.dumps(_report(found, out or [])))
        return
    for name, formula in found.circuit.formulas().items():
        print(f"{name} = {formula}")
    print(f"\n{found}")
    for path in out or ():
        print(f"written: {path}")


def _report(found: Minimised, out: list[Path]) -> dict[str, object]:
    return {
        "before": found.before,
        "gates": found.gates,
        "at_least": found.at_least,
        "minimal": found.minimal,
        "depth": found.circuit.depth,
        "library": found.library.value,
        "interrupted": found.interrupted,
        "seconds": found.seconds,
        "formulas": found.circuit.formulas(),
        "out": [str(path) for path in out],
    }
