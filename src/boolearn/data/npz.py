"""NPZ files: arrays called ``inputs`` and ``outputs``, or ``X`` and ``y``.

The archive is opened here rather than by ``numpy.load``: every array's header is compared with the
size of its content before anything is allocated, and only numbers and texts are accepted. Large arrays
that are not compressed stay on the disk: they are mapped into memory, and what is asked for is loaded.
"""

from __future__ import annotations

import io
import math
import struct
import zipfile
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from boolearn.data.dataset import Dataset, InputKind
from boolearn.data.meaning import MOST_CLASSES, looks_analog, meant_outputs
from boolearn.data.open_outputs import take_apart
from boolearn.errors import BoolearnError, FileError, ParameterError
from boolearn.files import PathLike, checked_path, fault, opened, replacing

_KNOWN = ("inputs", "outputs", "X", "y", "input_kind", "classes", "input_names", "output_names", "open")
_DEFLATE_LIMIT = 1100  # deflate never shrinks by more; an archive that claims it is a trap
LARGE = 1 << 24
"""Bytes from which on an array is left on the disk, if it is not compressed."""
_ALIGNED = 64
_LOCAL_HEADER, _LARGE_SIZES, _FIELD = 30, 20, 4
"""Bytes of an entry in a zip archive before its name and its extra fields; of the extra fields for sizes above 4 GB and
for whatever one likes, without its content."""
_PADDING = 0xD935
"""The extra field whose content means nothing."""

Array = npt.NDArray[Any]


def read_npz(path: PathLike, input_kind: InputKind | None = None) -> Dataset:
    """Read an NPZ file.

    Without further arrays, inputs of whole numbers or truth values are Boolean and other numbers
    analog; outputs with two axes, or with one axis and only two Boolean values, are Boolean;
    other outputs with one axis are class labels; ``input_kind``, BOOLEAN or ANALOG, overrules
    what the inputs look like. Files that :func:`write_npz` wrote also hold
    ``input_kind``, ``classes`` and the names. Where ``open`` holds true, or Boolean outputs hold NaN,
    the output bit is open.
    """
    path = checked_path(path)
    if input_kind is not None and (not isinstance(input_kind, InputKind) or input_kind.free):
        raise ParameterError("input_kind", "InputKind.BOOLEAN or InputKind.ANALOG", input_kind)
    arrays = _read_arrays(path)
    try:
        return _dataset(path, arrays, input_kind)
    except FileError:
        raise
    except BoolearnError as error:
        raise FileError(path, None, str(error)) from error


def write_npz(dataset: Dataset, path: PathLike, *, compressed: bool = True) -> None:
    """Write an NPZ file that :func:`read_npz` gives back unchanged.

    Not compressed, it is larger, but large arrays need not be read into memory.
    """
    arrays: dict[str, Array] = {
        "inputs": dataset.inputs,
        "outputs": dataset.outputs,
        "input_kind": np.array(dataset.input_kind.value),
        "classes": np.array(dataset.classes),
    }
    if dataset.open is not None:
        arrays["open"] = dataset.open
    for name, names in (("input_names", dataset.input_names), ("output_names", dataset.output_names)):
        if names:
            arrays[name] = np.array(names)
    if not compressed:
        with replacing(path) as stream:
            _store(stream, arrays)
        return
    buffer = io.BytesIO()  # the archive is written with seeks, which a file in the making need not allow
    np.savez_compressed(buffer, allow_pickle=False, **arrays)
    with replacing(path) as stream:
        stream.write(buffer.getbuffer())


def _store(stream: BinaryIO, arrays: dict[str, Array]) -> None:
    """As ``numpy.savez`` does, but every array begins where it can be used in place."""
    with zipfile.ZipFile(stream, "w") as archive:
        for name, array in arrays.items():
            entry = zipfile.ZipInfo(f"{name}.npy")
            begin = archive.start_dir + _LOCAL_HEADER + len(entry.filename) + _LARGE_SIZES + _FIELD
            padding = -begin % _ALIGNED
            entry.extra = struct.pack("<HH", _PADDING, padding) + bytes(padding)
            with archive.open(entry, "w", force_zip64=True) as content:
                np.lib.format.write_array(content, np.asarray(array, order="C"), allow_pickle=False)


def _dataset(path: Path, arrays: dict[str, Array], input_kind: InputKind | None) -> Dataset:
    inputs = _either(path, arrays, "inputs", "X")
    outputs = _either(path, arrays, "outputs", "y")
    if outputs is None:
        raise FileError(path, None, "expected an array called 'outputs' or 'y', found none.")
    kind = _kind(path, arrays, inputs, input_kind)
    if inputs is None or kind.free:
        inputs = np.empty((len(outputs) if outputs.ndim else 0, 0), np.int8)
    if inputs.dtype.kind == "U":
        raise FileError(path, None, "expected numbers in the inputs, found texts.")
    outputs, where = take_apart(outputs, arrays.get("open"))
    outputs, classes, label_names = _targets(path, arrays, outputs)
    return Dataset(
        inputs,
        outputs,
        input_kind=kind,
        classes=classes,
        input_names=_names(path, arrays, "input_names"),
        output_names=_names(path, arrays, "output_names") or label_names,
        open=where if where is None else where.reshape(outputs.shape),
    )


def _either(path: Path, arrays: dict[str, Array], ours: str, theirs: str) -> Array | None:
    if ours in arrays and theirs in arrays:
        raise FileError(path, None, f"expected an array called {ours!r} or {theirs!r}, found both.")
    return arrays.get(ours, arrays.get(theirs))


def _kind(path: Path, arrays: dict[str, Array], inputs: Array | None, told: InputKind | None) -> InputKind:
    if "input_kind" in arrays:
        word = str(arrays["input_kind"]) if arrays["input_kind"].ndim == 0 else "an array"
        known = {kind.value: kind for kind in InputKind}
        if word not in known:
            raise FileError(path, None, f"input_kind must be one of {', '.join(known)}. Got {word[:40]!r} instead.")
        if known[word].free == bool(inputs is not None and inputs.ndim == 2 and inputs.shape[1]):
            raise FileError(path, None, f"inputs and input_kind {word!r} do not fit together.")
        return known[word]
    if inputs is None:
        return InputKind.ANY_CODE
    return told or (InputKind.ANALOG if looks_analog(inputs) else InputKind.BOOLEAN)


def _targets(path: Path, arrays: dict[str, Array], outputs: Array) -> tuple[Array, int, tuple[str, ...] | None]:
    """The outputs, the number of classes (0 when Boolean) and the names that text labels give."""
    if "classes" not in arrays:
        return meant_outputs(outputs)
    classes = arrays["classes"]
    if classes.ndim or classes.dtype.kind not in "iu" or not 0 <= classes <= MOST_CLASSES:
        raise FileError(path, None, f"classes must be one integer from 0 to {MOST_CLASSES}.")
    return outputs, int(classes), None


def _names(path: Path, arrays: dict[str, Array], name: str) -> tuple[str, ...] | None:
    if name not in arrays:
        return None
    if arrays[name].ndim != 1 or arrays[name].dtype.kind != "U":
        raise FileError(path, None, f"{name} must be a list of texts.")
    return tuple(arrays[name].tolist())


def _read_arrays(path: Path) -> dict[str, Array]:
    arrays = {}
    with opened(path) as stream:
        try:
            with zipfile.ZipFile(stream) as archive:
                for name in _KNOWN:
                    if f"{name}.npy" in archive.namelist():
                        arrays[name] = _read_array(path, stream, archive, archive.getinfo(f"{name}.npy"), name)
        except FileError:
            raise
        except Exception as error:  # the zip and header parsers raise whatever a damaged file leads them to
            raise FileError(path, None, f"is not an NPZ file, or is damaged: {fault(error)}.") from error
    return arrays


def _read_array(path: Path, stream: BinaryIO, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> Array:
    if entry.file_size > _DEFLATE_LIMIT * (entry.compress_size + 1):
        raise FileError(path, None, f"the array {name!r} claims {entry.file_size} bytes, more than can be in it.")
    with archive.open(entry) as content:
        version = np.lib.format.read_magic(content)
        if version == (1, 0):
            shape, by_columns, dtype = np.lib.format.read_array_header_1_0(content)
        else:
            shape, by_columns, dtype = np.lib.format.read_array_header_2_0(content)
        if dtype.kind not in "biufU" or not dtype.itemsize:
            raise FileError(path, None, f"the array {name!r} must hold numbers or texts. Got {dtype} instead.")
        expected = math.prod(shape) * dtype.itemsize
        if expected > entry.file_size or min(shape, default=0) < 0:
            raise FileError(
                path, None, f"the array {name!r} promises {expected} bytes, the file holds {entry.file_size}."
            )
        as_it_is = entry.compress_type == zipfile.ZIP_STORED and dtype.isnative and dtype.kind != "U" and not by_columns
        if as_it_is and expected >= LARGE and not (place := _place(stream, entry) + content.tell()) % dtype.alignment:
            return np.memmap(stream, dtype, "r", place, shape)
        data = content.read(expected + 1)
    if len(data) != expected:
        raise FileError(path, None, f"the array {name!r} promises {expected} bytes, the file holds {len(data)}.")
    array = np.frombuffer(data, dtype).reshape(shape, order="F" if by_columns else "C")
    array = array.astype(dtype.newbyteorder("="), copy=False)
    if dtype.kind == "U":
        "".join(array.ravel().tolist()).encode()  # fails on what is not text
    return array


def _place(stream: BinaryIO, entry: zipfile.ZipInfo) -> int:
    """Where the content of an entry begins: after its name and extra fields, which the index may have otherwise."""
    stream.seek(entry.header_offset + _LOCAL_HEADER - 4)
    name, extra = struct.unpack("<HH", stream.read(4))
    return int(entry.header_offset + _LOCAL_HEADER + name + extra)
