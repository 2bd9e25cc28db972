"""boolearn circuit: a run's model as an exact circuit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from boolearn.data import Dataset


def circuit(
    run: Annotated[Path, typer.Argument(help="A run directory, or a model (.safetensors, .net, .sol).")],
    out: Annotated[
        list[Path] | None, typer.Option("--out", "-o", help="A file to write; the ending tells the format. Repeatable.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="The training data [the run's own]; 'none': equal on every input.")
    ] = None,
    outputs: Annotated[int | None, typer.Option(help="CSV: how many of the last columns are outputs.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Read the circuit from a trained network, prove it, print its formulas and write it down.

    With data the circuit answers as the network does on every training item, with the smallest gates that do; without,
    on every input there is.
    """
    from boolearn.circuit import extract_and_explain
    from boolearn.solver.directory import load_model

    model = load_model(run)
    seen = _training_items(run, data, outputs)
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
    """The items a run was trained on; where inputs were free, its codes with what the data says of them."""
    from boolearn.data import read
    from boolearn.solver.directory import load_settings

    if data is not None and str(data) == "none":
        return None
    if data is not None:
        return read(data) if outputs is None else read(data, outputs=outputs)
    if not run.is_dir():
        return None
    settings = load_settings(run)
    source = Path(str(settings.get("data", "")))
    columns = settings.get("outputs")
    dataset = read(source) if columns is None else read(source, outputs=columns)
    return None if dataset.input_kind.free else dataset.split(settings["items"])[0]
