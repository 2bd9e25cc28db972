"""boolearn circuit: a run's model as an exact circuit."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Annotated

import typer

from boolearn.cli.manner import is_quiet
from boolearn.cli.minimise import minimise
from boolearn.errors import ParameterError

if TYPE_CHECKING:
    from boolearn.circuit import Agreement, Circuit, Proof
    from boolearn.data import Dataset
    from boolearn.model import BoolNet

_PATIENCE = 2.0
"""Seconds after which a message says what is being done."""


def circuit(
    run: Annotated[
        Path,
        typer.Argument(
            help="A run directory, a model (.safetensors, .net, .sol), or a specification (.pla, .blif, .aig, …)."
        ),
    ],
    out: Annotated[
        list[Path] | None, typer.Option("--out", "-o", help="A file to write; the ending sets the format. Repeatable.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(help="The training data (else the run's own); 'none': equal on every input.")
    ] = None,
    outputs: Annotated[int | None, typer.Option(help="CSV: how many of the last columns are outputs.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")] = False,
) -> None:
    """Extract the circuit of a trained network, compare it with network and data, print its formulas, write files.

    With data the circuit equals the network on every training item, with the smallest gates that do; with
    --data none, on every input there is. A specification is minimised, as `boolearn minimise` does. Exit status 1: the
    circuit contradicts the data, or the run was not solved.
    """
    from boolearn.baselines.specification_files import CIRCUITS
    from boolearn.circuit import Circuit, agreement, extract_and_explain
    from boolearn.circuit.formats import check_savable
    from boolearn.circuit.formats.columns import save_with_tests
    from boolearn.runs.source import open_source

    if run.suffix.lower() in (".pla", *CIRCUITS):
        for name, value in (("data", data), ("outputs", outputs)):
            if value is not None:
                raise ParameterError(name, "left out for a specification, which says all itself", str(value))
        minimise(run, out=out, as_json=as_json)
        return
    if run.suffix.lower() in (".csv", ".tsv", ".dat", ".npz") and not run.is_dir():
        rule = "a run, a model or a specification; boolearn learn and boolearn minimise make a circuit from data"
        raise ParameterError("run", rule, str(run))
    for path in out or ():
        check_savable(path)
    source = open_source(run, data, outputs)
    if source.data_error is not None:
        print(f"boolearn: the circuit is not compared with the run's data. {source.data_error}", file=sys.stderr)
    seen = source.data if str(data) != "none" else None
    with _announced_when_slow(source.model, seen):
        learned = source.circuit
        read = learned or extract_and_explain(source.model, seen)
        found = read if isinstance(read, Circuit) else read.circuit
        if source.settings.get("xor"):
            found = found.with_xors()
        proof = found.prove_equal(source.model, on=seen if seen is not None else "all")
    agrees = None
    if source.data is not None:
        agrees = agreement(found, source.data, source.allowed_wrong_bits)
    success = bool(proof) and (bool(agrees) if agrees is not None else source.solved is not False)
    for path in out or ():
        if source.tests is None:
            found.save(path)
        else:
            save_with_tests(found, source.tests, path)
    if as_json:
        print(json.dumps(_report(found, proof, agrees, success, out or [])))
    else:
        for name, formula in found.formulas().items():
            print(f"{name} = {formula}")
        print(f"\n{found.summary() if learned else read}\n{proof}")
        if agrees is not None:
            print(agrees)
        for path in out or ():
            print(f"written: {path}")
    if not success:
        print(f"boolearn: {_trouble(proof, agrees)}{source.ending}", file=sys.stderr)
    raise typer.Exit(0 if success else 1)


def _report(
    circuit: Circuit, proof: Proof, agrees: Agreement | None, success: bool, out: list[Path]
) -> dict[str, object]:
    """Everything a script may want to know, in plain values."""
    return {
        "success": success,
        "circuit_equals_network": {
            "equal": proof.equal,
            "compared": proof.where,
            "all_inputs": proof.all_inputs,
            "method": proof.method,
            "text": str(proof),
        },
        "circuit_agrees_with_data": None
        if agrees is None
        else {"agrees": bool(agrees), **asdict(agrees), "text": str(agrees)},
        "gates": len(circuit.gates),
        "counts": {kind.value: count for kind, count in circuit.counts.items()},
        "depth": circuit.depth,
        "formulas": circuit.formulas(),
        "out": [str(path) for path in out],
    }


def _trouble(proof: Proof, agrees: Agreement | None) -> str:
    """Why this is not a success."""
    if not proof:
        return str(proof)
    if agrees is None:
        return "the circuit equals a network that was not solved, and there is no data to compare it with."
    return (
        f"the circuit contradicts the data: {agrees.wrong_bits} of {agrees.bits} bits are wrong, "
        f"{agrees.allowed_wrong_bits} are allowed. It equals the network, which has not learned the data."
    )


@contextmanager
def _announced_when_slow(model: BoolNet, seen: Dataset | None) -> Iterator[None]:
    """Say what is being done when it takes long, unless nobody wants to know."""
    if is_quiet():
        yield
        return
    where = "every input" if seen is None else f"{len(seen)} items"
    text = f"boolearn: reading {model.network.n_neurons} neurons on {where}; unsolved networks can take a minute …"
    timer = Timer(_PATIENCE, print, (text,), {"file": sys.stderr, "flush": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
