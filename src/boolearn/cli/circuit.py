"""boolearn circuit: a run's model as an exact circuit."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boolearn.errors import BoolearnError, FileError

if TYPE_CHECKING:
    from boolearn.circuit import Agreement, Extraction, Proof
    from boolearn.data import Dataset
    from boolearn.model import BoolNet

_PATIENCE = 2.0
"""Seconds after which a message says what is being done."""


def circuit(
    run: Annotated[Path, typer.Argument(help="A run directory, or a model (.safetensors, .net, .sol).")],
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
    --data none, on every input there is. Exit status 1: the circuit contradicts the data, or the run was not solved.
    """
    from boolearn.circuit import agreement, extract_and_explain
    from boolearn.circuit.formats import check_savable

    for path in out or ():
        check_savable(path)
    source = _opened(run, data, outputs)
    seen = source.data if str(data) != "none" else None
    with _announced_when_slow(source.model, seen):
        read = extract_and_explain(source.model, seen)
        proof = read.circuit.prove_equal(source.model, on=seen if seen is not None else "all")
    agrees = None
    if source.data is not None:
        agrees = agreement(read.circuit, source.data, _allowed_wrong_bits(source.settings, source.data))
    success = bool(proof) and (bool(agrees) if agrees is not None else source.solved is not False)
    for path in out or ():
        read.circuit.save(path)
    if as_json:
        print(json.dumps(_report(read, proof, agrees, success, out or [])))
    else:
        for name, formula in read.circuit.formulas().items():
            print(f"{name} = {formula}")
        print(f"\n{read}\n{proof}")
        if agrees is not None:
            print(agrees)
        for path in out or ():
            print(f"written: {path}")
    if not success:
        print(f"boolearn: {_trouble(proof, agrees)}{source.ending}", file=sys.stderr)
    raise typer.Exit(0 if success else 1)


def _report(
    read: Extraction, proof: Proof, agrees: Agreement | None, success: bool, out: list[Path]
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
        "gates": len(read.circuit.gates),
        "counts": {kind.value: count for kind, count in read.circuit.counts.items()},
        "depth": read.circuit.depth,
        "formulas": read.circuit.formulas(),
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


@dataclass(frozen=True)
class _Source:
    """What a circuit is extracted from."""

    model: BoolNet
    data: Dataset | None
    """The training items; None without data, and where training chose the inputs."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    status: str | None = None
    """How the run ended, in one word; None where that is not recorded."""

    @property
    def solved(self) -> bool | None:
        from boolearn.solver import Status

        known = {status.word: status.solved for status in Status}
        return None if self.status is None else known.get(self.status, False)

    @property
    def ending(self) -> str:
        return f" The run ended with status {self.status!r}." if self.solved is False else ""


def _opened(run: Path, data: Path | None, outputs: int | None) -> _Source:
    """The model with its data, and what the run recorded. Only here is it known what a run's directory holds."""
    from boolearn.runs.folder import load_model, load_result, load_settings

    if not run.exists():
        raise FileError(run, None, "cannot be read: No such file or directory.")
    model = load_model(run)
    given = None if data is None or str(data) == "none" else _read(data, outputs)
    if not run.is_dir():
        return _Source(model, given)
    try:
        settings, result = load_settings(run), load_result(run) or {}
    except FileError:
        if data is None:
            raise
        return _Source(model, given)
    status = result.get("status")
    if given is None:
        try:
            given = _training_items(run, settings)
        except BoolearnError as error:
            if data is None:
                raise
            print(f"boolearn: the circuit is not compared with the run's data. {error}", file=sys.stderr)
    return _Source(model, given, settings, status if isinstance(status, str) else None)


def _training_items(run: Path, settings: Mapping[str, Any]) -> Dataset | None:
    """The items a run was trained on; None where training chose the inputs."""
    from boolearn.runs.folder import CONFIG

    for name, kind in (("data", str), ("items", int)):
        if not isinstance(settings.get(name), kind):
            rule = "use --data FILE or --data none"
            raise FileError(run / CONFIG, None, f"has no entry {name!r} to find the training data by; {rule}.")
    dataset = _read(settings["data"], settings.get("outputs"))
    return None if dataset.input_kind.free else dataset.split(settings["items"])[0]


def _read(path: Path | str, outputs: int | None) -> Dataset:
    from boolearn.data import read

    return read(path, outputs=outputs)


def _allowed_wrong_bits(settings: Mapping[str, Any], data: Dataset) -> int:
    """How many output bits of the data the run took for noise, at most."""
    from boolearn.problem.noise import allowance, likely_errors

    noise, input_noise = (settings.get(name, 0.0) for name in ("noise", "input_noise"))
    bits = len(data) * data.n_output_nodes
    # RRR holds a fixed number of bits flipped; for the gate search noise is the chance of each bit to be wrong.
    on_outputs = (allowance if settings.get("solver", "rrr") == "rrr" else likely_errors)(noise, bits)
    # One wrong input bit can spoil every output of its item.
    on_inputs = allowance(input_noise, len(data) * data.n_inputs) * data.n_output_nodes
    return min(bits, on_outputs + on_inputs)


@contextmanager
def _announced_when_slow(model: BoolNet, seen: Dataset | None) -> Iterator[None]:
    """Say what is being done when it takes long."""
    where = "every input" if seen is None else f"{len(seen)} items"
    text = f"boolearn: reading {model.network.n_neurons} neurons on {where}; unsolved networks can take a minute …"
    timer = Timer(_PATIENCE, print, (text,), {"file": sys.stderr, "flush": True})
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
