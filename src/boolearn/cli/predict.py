"""boolearn predict: what a trained network answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer


def predict(
    model: Annotated[Path, typer.Argument(help="A run directory, or a model (.safetensors, .net, .sol).")],
    data: Annotated[Path, typer.Argument(help="Items to answer: .dat, .csv, .npz or .pla, outputs included.")],
    outputs: Annotated[int | None, typer.Option(help="CSV: how many of the last columns are outputs.")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Write the answers as CSV.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Answer every item of a data file and compare with the outputs it holds."""
    from dataclasses import replace

    from boolearn.data import read
    from boolearn.data.signs import as_bits
    from boolearn.files import write_text
    from boolearn.problem import check_fit
    from boolearn.solver.directory import load_model

    net = load_model(model)
    dataset = read(data) if outputs is None else read(data, outputs=outputs)
    check_fit(net.network, dataset)
    # A .net or .sol file does not say what its inputs and outputs are; the data does.
    net = replace(net, input_kind=dataset.input_kind, classes=dataset.classes)
    answers = net.predict(dataset.inputs)
    accuracy: dict[str, float] = {}
    if dataset.classes:
        accuracy["class"] = net.accuracy(dataset, by="class")
    else:
        accuracy["bits"] = net.accuracy(dataset, by="bits")
        accuracy["items"] = net.accuracy(dataset, by="items")
    if out is not None:
        rows = answers[:, None] if dataset.classes else as_bits(answers)
        write_text(out, "".join(",".join(map(str, row)) + "\n" for row in rows.tolist()))
    if as_json:
        print(json.dumps({"items": len(dataset), "accuracy": accuracy, "out": None if out is None else str(out)}))
        return
    for by, share in accuracy.items():
        print(f"accuracy by {by}: {100 * share:.3f} % of {len(dataset)} items")
    if out is not None:
        print(f"answers are in {out}")
