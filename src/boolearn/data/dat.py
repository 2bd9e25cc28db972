"""`.dat` files: the C toolkit's data.

The header is ``items``, ``intype incount``, ``outtype outcount``; then follow every item's inputs
and outputs. Boolean values are written 0 and 1, analog ones as numbers from 0 to 1. White space has no
meaning when a file is read. It is written as the toolkit's programs write it: every bit is two characters
wide (``%2d``), so a row of bits begins with a space.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from boolearn.data.dataset import Dataset, InputKind
from boolearn.data.signs import as_bits
from boolearn.errors import DataError
from boolearn.files import Field, PathLike, TokenReader, replacing

_ANALOG, _ONE_HOT, _BOOLEAN = 0, 1, 2
_FREE = {_ONE_HOT: InputKind.ONE_HOT_CODE, _BOOLEAN: InputKind.ANY_CODE}
_MOST_CLASSES = 1_000_000
_ITEMS_AT_A_TIME = 1024


def read_dat(path: PathLike) -> Dataset:
    """Read a `.dat` file."""
    with TokenReader(path) as reader:
        items = reader.integer("number of items", 1)
        intype = reader.integer("input type", _ANALOG, _BOOLEAN)
        incount = reader.integer("number of inputs", 0)
        if not incount and intype not in _FREE:
            raise reader.error("data without inputs must have input type 1 (one-hot code) or 2 (any code). Got 0.")
        outtype = reader.integer("output type", 2, _MOST_CLASSES)
        outcount = reader.integer("number of outputs", 1)
        if outtype > 2 and outcount != 1:
            raise reader.error(f"class labels (output type {outtype}) must be 1 output. Got {outcount} instead.")
        analog = intype == _ANALOG
        inputs, outputs = reader.table(
            items,
            (
                Field("an input", incount, 0, 1, integer=not analog),
                Field("an output" if outtype == 2 else "a class label", outcount, 0, outtype - 1),
            ),
        )
        reader.end()
    classes = outtype if outtype > 2 else 0
    return Dataset(
        inputs if not incount else 2 * inputs - 1,
        outputs[:, 0] if classes else 2 * outputs - 1,
        input_kind=_FREE[intype] if not incount else InputKind.ANALOG if analog else InputKind.BOOLEAN,
        classes=classes,
    )


def write_dat(dataset: Dataset, path: PathLike) -> None:
    """Write a `.dat` file, whole or not at all. Names of inputs and outputs have no place in it."""
    if dataset.classes == 2:
        raise DataError(
            f"{Path(path)}: a .dat file holds labels of 3 classes or more. Got 2 instead; "
            "write them as one Boolean output."
        )
    if dataset.open is not None:
        raise DataError(
            f"{Path(path)}: a .dat file has no way to leave output bits open. Got {dataset!r} instead; "
            ".pla, .csv and .npz files have."
        )
    intype = {InputKind.ANALOG: _ANALOG, InputKind.ONE_HOT_CODE: _ONE_HOT}.get(dataset.input_kind, _BOOLEAN)
    outtype, outcount = (dataset.classes, 1) if dataset.classes else (2, dataset.n_output_nodes)
    with replacing(path) as stream:
        stream.write(f"{len(dataset)}\n{intype} {dataset.n_inputs}\n{outtype} {outcount}\n\n".encode())
        for first in range(0, len(dataset), _ITEMS_AT_A_TIME):
            some = dataset.take(slice(first, first + _ITEMS_AT_A_TIME))
            stream.write("".join(_item_lines(some)).encode())


def _item_lines(dataset: Dataset) -> list[str]:
    inputs = _analog_rows(dataset.inputs) if dataset.input_kind is InputKind.ANALOG else _bit_rows(dataset.inputs)
    outputs = [str(label) for label in dataset.outputs.tolist()] if dataset.classes else _bit_rows(dataset.outputs)
    if not dataset.n_inputs:
        return [f"{row}\n\n" for row in outputs]
    return [f"{row}\n{answer}\n\n" for row, answer in zip(inputs, outputs, strict=True)]


def _bit_rows(signs: npt.NDArray[np.generic]) -> list[str]:
    return ["".join(f"{bit:2d}" for bit in row) for row in as_bits(signs).tolist()]


def _analog_rows(values: npt.NDArray[np.generic]) -> list[str]:
    different, place = np.unique(values, return_inverse=True)
    texts = np.array([_unit_text(value) for value in different.tolist()], dtype=object)
    return ["\t".join(row) for row in texts[place.reshape(values.shape)]]


def _unit_text(value: float) -> str:
    """A number from −1 to 1 as one from 0 to 1, with as few digits as give the same number back."""
    unit = (value + 1) / 2
    for text in (f"{unit:.2f}", f"{unit:.6f}", f"{unit:.10f}"):
        if 2 * float(text) - 1 == value:
            return text
    return repr(unit)
