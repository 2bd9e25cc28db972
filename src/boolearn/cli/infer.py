"""boolearn infer: a Boolean network of a cell from its time series."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from boolearn.cli.options import whole


def infer(
    series: Annotated[Path, typer.Argument(help="States in the order of time: .csv or .tsv, one row a state.")],
    out: Annotated[
        list[Path] | None,
        typer.Option("--out", "-o", help="Write .bnet, .sbml, a page (.html) or a picture (.svg, .png)."),
    ] = None,
    method: Annotated[str, typer.Option(help="exact, best-fit or delays (noisy series, measured often).")] = "exact",
    noise: Annotated[float | None, typer.Option(help="The share of values that may be wrong.")] = None,
    max_regulators: Annotated[int | None, whole("Most regulators of a variable (6; with delays 2).")] = None,
    possible: Annotated[
        Path | None, typer.Option(help="Prior knowledge: lines 'variable: regulator, regulator, …'.")
    ] = None,
    asynchronous: Annotated[bool, typer.Option(help="At most one variable changes in a step.")] = False,
    binarise: Annotated[str, typer.Option(help="Thresholds of real values: clusters, otsu or median.")] = "clusters",
    hold_out: Annotated[bool, typer.Option(help="Measure the accuracy on a fifth of the transitions.")] = True,
    attractors: Annotated[
        Path | None, typer.Option(help="Draw the attractors of a small network: .svg or .png.")
    ] = None,
    seed: Annotated[int, whole("Same seed, same result.")] = 0,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Infer the update function of every variable of a cell from time series.

    A column "series" tells several series apart; numbers in a column "time" must rise. Real values become Boolean at a
    threshold for each variable.

    Exit status: 0 when every transition is explained, 1 when some values are taken as errors, 2 error.
    """
    from boolearn.cells import attractors as find_attractors
    from boolearn.cells import draw_attractors, infer_network, read_possible, read_series
    from boolearn.cells.inference import ENDINGS
    from boolearn.circuit.drawing import save_figure
    from boolearn.errors import FileError
    from boolearn.files import check_writable

    for path, endings in (
        *((path, ENDINGS) for path in out or ()),
        *([(attractors, ENDINGS[-2:])] if attractors else ()),
    ):
        if path.suffix.lower() not in endings:
            raise FileError(path, None, f"must end in {', '.join(endings)}.")
        check_writable(path)
    found = infer_network(
        read_series(series, binarise=binarise, asynchronous=asynchronous),
        possible=None if possible is None else read_possible(possible),
        method=method,
        noise=noise,
        max_regulators=max_regulators,
        hold_out=hold_out,
        seed=seed,
    )
    for path in out or ():
        found.save(path)
    if attractors is not None:
        update = "asynchronous" if asynchronous else "synchronous"
        save_figure(draw_attractors(found.network, find_attractors(found.network, update)), attractors)
    if as_json:
        print(json.dumps({**found.as_dict(), "out": [str(path) for path in out or ()]}))
    else:
        print(found)
        for path in (*(out or ()), *([attractors] if attractors else ())):
            print(f"written: {path}")
    raise typer.Exit(1 if any(rule.wrong for rule in found.rules.values()) else 0)
