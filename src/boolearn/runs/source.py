"""What a circuit is read from: the model of a run with the items it was trained on, and how the run ended."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from boolearn.circuit import Circuit
from boolearn.data import Dataset, read
from boolearn.data.tables import TableBinariser, read_with_target
from boolearn.errors import BoolearnError, FileError
from boolearn.files import PathLike
from boolearn.model import BoolNet
from boolearn.problem.noise import allowance, answers_in, bit_noise, likely_errors
from boolearn.runs.folder import BINARISER, CONFIG, load_circuit, load_model, load_result, load_settings
from boolearn.solver import Status


@dataclass(frozen=True)
class Source:
    """A model, and what is known of its training."""

    model: BoolNet
    data: Dataset | None
    """The training items; None without data, and where training chose the inputs."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    status: str | None = None
    """How the run ended, in one word; None where that is not recorded."""
    circuit: Circuit | None = None
    """What was learned, where that was a circuit from the beginning: it is taken as it is."""
    tests: TableBinariser | None = None
    """What the inputs are, where the run was given a raw table."""
    own_data: bool = True
    """Are the items those of the training, not others that were given to compare with?"""
    data_error: BoolearnError | None = None
    """Why the run's own data could not be read, where it was not asked for."""

    @property
    def solved(self) -> bool | None:
        known = {status.word: status.solved for status in Status}
        return None if self.status is None else known.get(self.status, False)

    @property
    def ending(self) -> str:
        return f" The run ended with status {self.status!r}." if self.solved is False else ""

    @property
    def allowed_wrong_bits(self) -> int:
        """How many output bits the run took for noise, at most; or those that a learned circuit gets wrong.

        Of other data a learned circuit may have the same share wrong.
        """
        assert self.data is not None
        if isinstance(known := self.settings.get("wrong_bits"), int):
            learned = self.settings.get("items")
            if self.own_data or not isinstance(learned, int) or learned < 1:
                return known
            return known * self.data.specified_bits // (learned * self.data.n_output_nodes)
        noise, input_noise = (self.settings.get(name, 0.0) for name in ("noise", "input_noise"))
        bits = self.data.specified_bits
        # RRR holds a fixed number of bits flipped; for the gate search noise is the chance of each bit to be wrong.
        if self.settings.get("solver", "rrr") == "rrr":
            on_outputs = allowance(noise, answers_in(self.data)) * (2 if self.data.classes else 1)
        else:
            on_outputs = likely_errors(bit_noise(self.data, noise), bits)
        # One wrong input bit can spoil every output of its item.
        on_inputs = allowance(input_noise, len(self.data) * self.data.n_inputs) * self.data.n_output_nodes
        return min(bits, on_outputs + on_inputs)


def open_source(run: PathLike, data: PathLike | None = None, outputs: int | None = None) -> Source:
    """A run folder or a model file. ``data`` replaces the run's own data; "none" does without any that is missing."""
    path = Path(run)
    if not path.exists():
        raise FileError(path, None, "cannot be read: No such file or directory.")
    model = load_model(path)
    given = None if data is None or str(data) == "none" else read(data, outputs=outputs)
    if not path.is_dir():
        return Source(model, given)
    try:
        settings, result = load_settings(path), load_result(path) or {}
    except FileError:
        if data is None:
            raise
        return Source(model, given)
    error, own = None, given is None or os.path.realpath(str(data)) == settings.get("data")
    if given is None:
        try:
            given = _training_items(path, settings)
        except BoolearnError as missing:
            if data is None:
                raise
            error = missing
    status = result.get("status")
    ending = status if isinstance(status, str) else None
    tests = TableBinariser.load(path / BINARISER) if (path / BINARISER).exists() else None
    return Source(model, given, settings, ending, load_circuit(path), tests, own, error)


def _training_items(run: Path, settings: Mapping[str, Any]) -> Dataset | None:
    """The items a run was trained on; None where training chose the inputs."""
    if isinstance(settings.get("target"), str) and isinstance(settings.get("data"), str):
        binariser = TableBinariser.load(run / BINARISER)
        return read_with_target(
            settings["data"], settings["target"], binariser=binariser, values=settings.get("target_values")
        )[0].split(settings.get("items"))[0]
    for name, kind in (("data", str), ("items", int)):
        if not isinstance(settings.get(name), kind):
            rule = "use --data FILE or --data none"
            raise FileError(run / CONFIG, None, f"has no entry {name!r} to find the training data by; {rule}.")
    dataset = read(settings["data"], outputs=settings.get("outputs"))
    return None if dataset.input_kind.free else dataset.split(settings["items"])[0]
