"""`.gen` files: the codes a generative network has found, and how many items use each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boolearn.data.dataset import InputKind
from boolearn.data.signs import Signs, as_bits, as_signs, signs_of
from boolearn.errors import DataError, ParameterError
from boolearn.files import Field, PathLike, TokenReader, write_text

_MOST_ITEMS = 10**15


@dataclass(frozen=True, eq=False)
class Codes:
    """Different codes and their use."""

    codes: Signs
    """Shape (codes, length) of ±1."""
    counts: npt.NDArray[np.int64]
    """Shape (codes,): how many items use each code."""

    def __post_init__(self) -> None:
        codes = as_signs(self.codes, "codes")
        counts = np.asarray(self.counts)
        if codes.ndim != 2 or not codes.size:
            raise DataError(f"codes must have two axes, codes and bits, none empty. Got shape {codes.shape} instead.")
        if counts.shape != codes.shape[:1] or counts.dtype.kind not in "iu" or (counts < 0).any():
            raise DataError(f"counts must be {len(codes)} integers, none negative. Got {counts!r} instead.")
        object.__setattr__(self, "codes", codes)
        object.__setattr__(self, "counts", counts.astype(np.int64))

    @classmethod
    def used_by(cls, inputs: npt.ArrayLike, kind: InputKind = InputKind.ANY_CODE) -> Codes:
        """Count the codes at the input nodes, shape (items, length); values need not be ±1 yet.

        One-hot codes are all listed, used or not, and an item uses the one at its largest value.
        Of any other codes those in use are listed, ordered as binary numbers whose first bit
        counts least.
        """
        values = np.asarray(inputs, np.float64)
        if values.ndim != 2 or not values.size:
            raise DataError(f"codes must have two axes, items and bits, none empty. Got shape {values.shape} instead.")
        if kind is InputKind.ONE_HOT_CODE:
            length = values.shape[1]
            counts = np.bincount(np.argmax(values, axis=1), minlength=length)
            return cls(2 * np.eye(length, dtype=np.int8) - np.int8(1), counts)
        if kind is not InputKind.ANY_CODE:
            raise ParameterError("kind", "InputKind.ANY_CODE or InputKind.ONE_HOT_CODE", kind)
        reversed_codes, counts = np.unique(signs_of(values)[:, ::-1], axis=0, return_counts=True)
        return cls(np.ascontiguousarray(reversed_codes[:, ::-1]), counts)

    def __len__(self) -> int:
        return len(self.codes)


def read_gen(path: PathLike) -> Codes:
    """Read a `.gen` file."""
    with TokenReader(path) as reader:
        n_codes = reader.integer("number of codes", 1)
        length = reader.integer("length of the codes", 1)
        bits, counts = reader.table(
            n_codes, (Field("a bit of a code", length, 0, 1), Field("a number of items", 1, 0, _MOST_ITEMS))
        )
        reader.end()
    return Codes(2 * bits - 1, counts[:, 0])


def write_gen(codes: Codes, path: PathLike) -> None:
    """Write a `.gen` file, whole or not at all."""
    lines = [f"{len(codes)}  {codes.codes.shape[1]}\n\n"]
    for bits, count in zip(as_bits(codes.codes).tolist(), codes.counts.tolist(), strict=True):
        lines.append("".join(f"{bit:2d}" for bit in bits) + f"\t{count}\n")
    write_text(path, "".join(lines))
