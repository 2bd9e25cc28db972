"""boolearn circuit: a run's model as an exact circuit."""

from __future__ import annotations

import json
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Annotated

import typer

from boolearn.errors import FileError

if TYPE_CHECKING:
    from boolearn.data import Dataset
    from boolearn.model import BoolNet

_PATIENCE = 2.0
"""Seconds after which a person wants to know what is going on."""


def circuit(
    run: Annotated[Path, typer.Argument(help="A run directory, or a model (.safetensors, .net, .sol).")],
    out: Annotated[
        list[Path] | None, typer.Option("--out", "-o", help="A file to write; the ending tells the format. Repeatable.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="The training data (else the run's own); 'none': equal on every input.")
    ] = None,
    outputs: Annotated[int | None, typer.Option(help="CSV: how many of the last columns are outputs.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Read the circuit from a trained network, prove it, print its formulas and write it down.

    With data the circuit answers as the network does on every training item, with the smallest gates that do; without,
    on every input there is.
    """
    from boolearn.circuit import extract_and_explain
    from boolearn.circuit.formats import check_savable
    from boolearn.runs.folder import load_model

    for path in out or ():
        check_savable(path)
    if not run.exists():
        raise FileError(run, None, "cannot be read: No such file or directory.")
    model = load_model(run)
    seen = _training_items(run, data, outputs)
    _tell_unsolved(run)
    with _told_when_long(model, seen):
        read = extract_and_explain(model, seen)
        proof = read.circuit.prove_equal(model, on=seen if seen is not None else "all")
    for path in out or ():
        read.circuit.save(path)
    formulas = read.circuit.formulas()
    if as_json:
        counts = {kind.value: count for kind, count in read.circuit.counts.items()}
        answer = {
            "gates": len(read.circuit.gates),
            "counts": counts,
            "depth": read.circuit.depth,
            "proved": bool(proof),
            "proof": str(proof),
            "formulas": formulas,
            "out": [str(path) for path in out or ()],
        }
        print(json.dumps(answer))
    else:
        for name, formula in formulas.items():
            print(f"{name} = {formula}")
        print(f"\n{read}\n{proof}")
        for path in out or ():
            print(f"written: {path}")
    raise typer.Exit(0 if proof else 1)


def _training_items(run: Path, data: Path | None, outputs: int | None) -> Dataset | None:
    """The items to read the circuit on; None, for every input, without data and where training chose the inputs."""
    from boolearn.data import read
    from boolearn.runs.folder import CONFIG, load_settings

    if data is not None and str(data) == "none":
        return None
    if data is not None:
        return read(data) if outputs is None else read(data, outputs=outputs)
    if not run.is_dir():
        return None
    settings = load_settings(run)
    source, items, columns = (settings.get(name) for name in ("data", "items", "outputs"))
    if not isinstance(source, str) or not isinstance(items, int):
        missing = "data" if not isinstance(source, str) else "items"
        raise FileError(
            run / CONFIG, None, f"does not tell the {missing!r} the run was trained on; use --data FILE or --data none."
        )
    dataset = read(source) if columns is None else read(source, outputs=columns)
    return None if dataset.input_kind.free else dataset.split(items)[0]


def _tell_unsolved(run: Path) -> None:
    """The circuit of an unsolved run is that of a network that does not do what it was trained for."""
    from boolearn.runs.folder import CONFIG

    try:
        status = tomllib.loads((run / CONFIG).read_text())["result"]["status"]
    except (OSError, ValueError, LookupError, TypeError):
        return  # not a run's directory, or one that does not say
    if status != "solved":
        print(
            f"boolearn: the run in {run} was not solved ({status}): the circuit is as wrong as it is.", file=sys.stderr
        )


@contextmanager
def _told_when_long(model: BoolNet, seen: Dataset | None) -> Iterator[None]:
    """Say what is being done if it is not done in a moment."""
    where = "every input" if seen is None else f"{len(seen)} items"
    text = f"boolearn: reading {model.network.n_neurons} neurons on {where}; unsolved networks can take a minute …"
    timer = Timer(_PATIENCE, print, (text,), {"file": sys.stderr, "flush": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
