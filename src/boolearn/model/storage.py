"""Files that hold a BoolNet: safetensors for all of it, the C toolkit's .net and .sol for exchange.

A safetensors file holds the network's arrays and the weights as tensors, and everything else as
JSON in its metadata, so that loading one never runs code. It keeps weights exactly, shared weights
shared, and the kinds and names of inputs and outputs; .net and .sol keep every edge's weight to
eight decimals and nothing else.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn._version import __version__
from boolearn.data import InputKind
from boolearn.errors import BoolearnError, FileError
from boolearn.files import PathLike, checked_path, fault, opened, parse_json, replacing
from boolearn.model.boolnet import BoolNet
from boolearn.network import Network, read_net, write_net
from boolearn.network.size import MOST_NODES

FORMAT = 1
"""Raised when older versions of this module could not read, or would misread, a new file."""

_KEY = "boolearn"
_TENSORS = {"start": "I64", "sender": "I32", "tie": "I32", "weights": "F64"}
_TEXT_ENDINGS = (".net", ".sol")


def save_model(model: BoolNet, path: PathLike) -> None:
    """Write a model; the file's ending, .safetensors, .net or .sol, says in which format."""
    if _is_text(path):
        write_net(model.network, model.weights, path)
        return
    from safetensors.numpy import save

    network = model.network
    tensors: dict[str, npt.NDArray[Any]]
    tensors = {"start": network.start, "sender": network.sender, "tie": network.tie, "weights": model.weights}
    header = {
        "format": FORMAT,
        "version": __version__,
        "n_inputs": network.n_inputs,
        "n_outputs": network.n_outputs,
        "input_kind": model.input_kind.value,
        "classes": model.classes,
        "input_names": model.input_names,
        "output_names": model.output_names,
    }
    with replacing(path) as stream:
        stream.write(save(tensors, {_KEY: json.dumps(header)}))


def load_model(path: PathLike) -> BoolNet:
    """Read a model back. A file that does not hold one raises FileError, whatever is wrong with it."""
    if _is_text(path):
        network, weights = read_net(path)
        return BoolNet(network, weights)
    tensors, text = _read_tensors(path)
    header = _Header(path, text)
    if len(tensors["tie"]) != len(tensors["sender"]):
        raise FileError(path, None, "'tie' must be as long as 'sender'.")
    n_inputs = header.integer("n_inputs", 1, MOST_NODES)
    try:
        network = Network(
            n_inputs=n_inputs,
            n_outputs=header.integer("n_outputs", 1, MOST_NODES),
            start=tensors["start"],
            sender=tensors["sender"],
            tie=tensors["tie"],
        )
        return BoolNet(
            network,
            tensors["weights"],
            input_kind=header.input_kind(),
            classes=header.integer("classes", 0, MOST_NODES),
            input_names=header.names("input_names", network.n_inputs),
            output_names=header.names("output_names", network.n_outputs),
        )
    except FileError:
        raise
    except BoolearnError as error:
        raise FileError(path, None, str(error)) from error


def _is_text(path: PathLike) -> bool:
    ending = checked_path(path).suffix
    if ending not in (".safetensors", *_TEXT_ENDINGS):
        raise FileError(path, None, f"a model's file must end in .safetensors, .net or .sol. Got {ending!r} instead.")
    return ending in _TEXT_ENDINGS


def _read_tensors(path: PathLike) -> tuple[dict[str, npt.NDArray[Any]], str]:
    """The four arrays, of the right type and one axis each, and the JSON text beside them."""
    from safetensors import SafetensorError, safe_open

    with opened(path):  # the system's own refusals, worded as everywhere
        pass
    try:
        with safe_open(path, framework="np") as file:
            found = set(file.keys())
            if found != set(_TENSORS):
                raise FileError(
                    path, None, f"must hold the tensors {', '.join(_TENSORS)}. Got {_some(sorted(found))} instead."
                )
            for name, kind in _TENSORS.items():
                part = file.get_slice(name)
                if part.get_dtype() != kind or len(part.get_shape()) != 1:
                    raise FileError(
                        path,
                        None,
                        f"the tensor {name!r} must be {kind} with one axis. "
                        f"Got {part.get_dtype()} of shape {tuple(part.get_shape())} instead.",
                    )
            metadata = file.metadata() or {}
            tensors = {name: np.asarray(file.get_tensor(name)) for name in _TENSORS}
    except (SafetensorError, OSError) as error:
        raise FileError(path, None, f"is not a safetensors file, or is damaged: {fault(error)}.") from error
    if _KEY not in metadata:
        raise FileError(path, None, f"its metadata must hold the key {_KEY!r}; it was not written by boolearn.")
    return tensors, metadata[_KEY]


class _Header:
    """The JSON object beside the tensors; every value is checked as it is taken out."""

    def __init__(self, path: PathLike, text: str) -> None:
        self.path = path
        try:
            values = parse_json(text)
        except ValueError as error:
            raise FileError(path, None, f"its metadata must be JSON: {error}.") from error
        if not isinstance(values, dict):
            raise FileError(path, None, "its metadata must be a JSON object.")
        self._values: dict[str, Any] = values
        if self.integer("format", 1, 10**9) > FORMAT:
            raise self._error("format", f"at most {FORMAT} for this version of boolearn", values["format"])

    def integer(self, key: str, least: int, most: int) -> int:
        value = self._values.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            raise self._error(key, f"an integer from {least} to {most}", value)
        return value

    def input_kind(self) -> InputKind:
        value = self._values.get("input_kind")
        for kind in InputKind:
            if kind.value == value:
                return kind
        raise self._error("input_kind", f"one of {', '.join(kind.value for kind in InputKind)}", value)

    def names(self, key: str, count: int) -> tuple[str, ...] | None:
        value = self._values.get(key)
        if value is None:
            return None
        if (
            not isinstance(value, list)
            or not all(isinstance(name, str) and name for name in value)
            or not len(value) == len(set(value)) == count
        ):
            raise self._error(key, f"null or {count} different names, none empty", value)
        return tuple(value)

    def _error(self, key: str, rule: str, value: object) -> FileError:
        return FileError(self.path, None, f"{key!r} of its metadata must be {rule}. Got {_some(value)} instead.")


def _some(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
