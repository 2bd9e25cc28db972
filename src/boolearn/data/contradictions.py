"""Items with the same inputs and different outputs. No function of the inputs is right on all of them.

Open bits, which are 0, differ from nothing.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

_ROWS_AT_A_TIME = 1 << 16
_WIDEST_KEY = 16

Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Contradictions:
    """How much of a data set contradicts itself."""

    items: int
    """Items for which another item has the same inputs and different outputs."""
    wrong_bits: int
    """The fewest output bits that any function of the inputs gets wrong; a class is a bit of each output node."""


def find_contradictions(inputs: npt.NDArray[Any], outputs: npt.NDArray[Any]) -> Contradictions:
    """Count them. Inputs have two axes; outputs are ±1, 0 where open, with two axes, or class labels with one.

    Rows are read a part at a time and take at most 16 bytes each, for arrays larger than the memory.
    """
    _, group, size = np.unique(_keys(inputs), return_inverse=True, return_counts=True)
    members = np.flatnonzero(size[group] > 1)
    if not members.size:
        return Contradictions(0, 0)
    used, group = np.unique(group[members], return_inverse=True)
    size = size[used]
    if outputs.ndim == 1:
        return _of_labels(outputs[members], group, size)
    contradictory = np.zeros(len(members), bool)
    wrong_bits = 0
    for column in range(outputs.shape[1]):
        bits = outputs[members, column]
        positive, negative = (np.bincount(group[side], minlength=len(size)) for side in (bits > 0, bits < 0))
        wrong = np.minimum(positive, negative)
        wrong_bits += int(wrong.sum())
        contradictory |= (wrong > 0)[group] & (bits != 0)
    return Contradictions(int(contradictory.sum()), wrong_bits)


def _of_labels(labels: Integers, group: Integers, size: Integers) -> Contradictions:
    """Classes may be many, but few of them occur in a group."""
    (groups, _), count = np.unique(np.stack([group, labels]), axis=1, return_counts=True)
    wrong = np.minimum(count, size[groups] - count)
    return Contradictions(int(size[np.unique(groups[wrong > 0])].sum()), int(wrong.sum()))


def _keys(inputs: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """One value for every row, equal where rows are: its bits, or a digest of 128 bits where they are more."""
    parts = (_part_keys(inputs[first : first + _ROWS_AT_A_TIME]) for first in range(0, len(inputs), _ROWS_AT_A_TIME))
    return np.concatenate(list(parts))


def _part_keys(rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
    boolean = rows.dtype.kind != "f"
    values = np.packbits(rows > 0, axis=1) if boolean else (rows + 0.0).view(np.uint8)  # −0 is 0
    if values.shape[1] > _WIDEST_KEY:
        digests = b"".join(hashlib.blake2b(row, digest_size=_WIDEST_KEY).digest() for row in values)
        values = np.frombuffer(digests, np.uint8).reshape(len(values), _WIDEST_KEY)
    words = np.zeros((len(values), 8 if values.shape[1] <= 8 else _WIDEST_KEY), np.uint8)
    words[:, : values.shape[1]] = values
    return words.view(np.uint64)[:, 0] if words.shape[1] == 8 else words.view(f"V{_WIDEST_KEY}")[:, 0]
