"""Everything a report shows, read from a run folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from boolearn.circuit import Agreement, Circuit, Proof, agreement, extract_and_explain
from boolearn.data import InputKind
from boolearn.errors import BoolearnError, FileError
from boolearn.files import PathLike, opened, parse_json
from boolearn.model import BoolNet
from boolearn.model.generator import MODEL_FILE
from boolearn.runs.folder import CONFIG, LIVE, TRACE, load_circuit, load_configuration
from boolearn.runs.source import open_source

Line = Mapping[str, Any]
"""A trace line, as the files of a run hold it."""


@dataclass(frozen=True)
class Contents:
    """Of a run under way there is no more than the configuration and the trace."""

    folder: Path
    configuration: Mapping[str, Any]
    """The tables of config.toml: command, settings, result, starts."""
    trace: Sequence[Line]
    model: BoolNet | None = None
    circuit: Circuit | None = None
    proof: Proof | None = None
    agreement: Agreement | None = None
    remarks: Sequence[str] = field(default_factory=tuple)
    """What could not be shown, and why."""

    @property
    def finished(self) -> bool:
        return "result" in self.configuration

    @property
    def learned(self) -> bool:
        """Was the circuit found by ``learn``? Then there is no network whose training could be shown."""
        return "method" in self.configuration.get("result", {})


def collect(folder: PathLike) -> Contents:
    """Read a run folder. The circuit is extracted and compared with the network and the data."""
    path = Path(folder)
    if not (path / CONFIG).exists():
        raise FileError(path, None, f"must be the folder of a run. It has no {CONFIG}.")
    configuration = load_configuration(path)
    if "result" not in configuration or not (path / MODEL_FILE).exists():
        return Contents(path, configuration, live_trace(path))
    model, circuit, proof, agrees, remarks = None, None, None, None, []
    source = open_source(path, "none")
    model = source.model
    if source.data_error is not None:
        remarks.append(f"The circuit is not compared with the data. {source.data_error}")
    if model.input_kind is InputKind.ANALOG:
        remarks.append("There is no circuit: the inputs of this network are not Boolean.")
    else:
        try:
            circuit = load_circuit(path) or extract_and_explain(model, source.data).circuit
            proof = circuit.prove_equal(model, on=source.data if source.data is not None else "all")
            if source.data is not None:
                agrees = agreement(circuit, source.data, source.allowed_wrong_bits)
        except BoolearnError as error:
            remarks.append(f"There is no circuit. {error}")
    return Contents(path, configuration, _lines(path / TRACE), model, circuit, proof, agrees, tuple(remarks))


def live_trace(folder: Path) -> list[Line]:
    """The trace of the start that has come farthest, of a run under way."""
    starts: dict[int, list[Line]] = {}
    for line in _lines(folder / LIVE):
        if line.get("event") == "trace":
            starts.setdefault(line["seed"], []).append(line)
    return max(starts.values(), key=lambda lines: int(lines[-1]["iteration"]), default=[])


def _lines(path: Path) -> list[Line]:
    """A file of JSON lines; the last may be cut off where the run is still writing it."""
    if not path.exists():
        return []
    with opened(path) as stream:
        rows = stream.read().decode("utf-8", "replace").split("\n")
    try:
        return [parse_json(row) for row in rows[:-1]]
    except ValueError as error:
        raise FileError(path, None, f"is not a trace: {error}.") from error
