"""IDX files, the form in which MNIST is published: a magic number, the sizes, then bytes."""

from __future__ import annotations

import contextlib
import gzip
import math
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, cast

import numpy as np
import numpy.typing as npt

from boolearn.errors import FileError
from boolearn.files import PathLike, checked_path, opened

_UNSIGNED_BYTES = 8
_CHUNK = 1 << 20


def read_idx(path: PathLike, axes: int) -> npt.NDArray[np.uint8]:
    """An array of bytes with as many axes, from a file that may be compressed by gzip."""
    path = checked_path(path)
    with _plain_bytes(path) as stream:
        magic = stream.read(4)
        if magic != bytes([0, 0, _UNSIGNED_BYTES, axes]):
            expected = f"0x0000{_UNSIGNED_BYTES:02x}{axes:02x}"
            raise FileError(path, None, f"expected the IDX magic number {expected}, found 0x{magic.hex()}.")
        sizes = stream.read(4 * axes)
        if len(sizes) < 4 * axes:
            raise FileError(path, None, "expected the sizes of an IDX file, found the end of the file.")
        shape = tuple(int.from_bytes(sizes[4 * axis : 4 * axis + 4], "big") for axis in range(axes))
        expected_bytes = math.prod(shape)
        content = _read_at_most(stream, expected_bytes + 1)
    if len(content) != expected_bytes:
        found = "more" if len(content) > expected_bytes else f"{len(content)}"
        raise FileError(path, None, f"expected {expected_bytes} bytes after the sizes, found {found}.")
    return np.frombuffer(content, np.uint8).reshape(shape)


def _read_at_most(stream: BinaryIO, most: int) -> bytes:
    """Read piece by piece: the sizes may promise more than there is, and that must cost nothing."""
    content = bytearray()
    while len(content) < most:
        piece = stream.read(min(_CHUNK, most - len(content)))
        if not piece:
            break
        content += piece
    return bytes(content)


@contextlib.contextmanager
def _plain_bytes(path: Path) -> Iterator[BinaryIO]:
    with opened(path) as stream:
        compressed = stream.read(2) == b"\x1f\x8b"
        stream.seek(0)
        if not compressed:
            yield stream
            return
        try:
            with gzip.open(stream) as plain:
                yield cast(BinaryIO, plain)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise FileError(path, None, f"is not a complete gzip file: {error}.") from error
