"""Bit planes: bit k of word j of a plane is what one signal holds for item 64·j + k, set for +1."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boolearn.circuit.bits.instructions import Words
from boolearn.data.signs import Signs, as_signs
from boolearn.errors import DataError, ParameterError

WORD = 64
_LITTLE = np.dtype("<u8")


def n_words(items: int) -> int:
    return -(-items // WORD)


def pack(values: npt.ArrayLike) -> Words:
    """From ±1, 0/1 or truth values of shape (items, signals) to planes of shape (signals, words).

    The bits beyond the last item are clear.
    """
    signs = as_signs(values, "values")
    if signs.ndim != 2:
        raise DataError(f"values must have shape (items, signals). Got {signs.shape} instead.")
    bits = np.packbits(signs.T > 0, axis=1, bitorder="little")
    padded = np.zeros((len(bits), 8 * n_words(len(signs))), np.uint8)
    padded[:, : bits.shape[1]] = bits
    return padded.view(_LITTLE).astype(np.uint64, copy=False)


def unpack(words: Words, items: int) -> Signs:
    """From planes of shape (signals, words) to ±1 of shape (items, signals)."""
    planes = as_planes(words, "words")
    if not 0 <= items <= WORD * planes.shape[1]:
        raise ParameterError("items", f"from 0 to {WORD * planes.shape[1]}, the bits of a plane", items)
    octets = np.ascontiguousarray(planes, _LITTLE).view(np.uint8)
    bits = np.unpackbits(octets, axis=1, bitorder="little", count=items)
    return np.ascontiguousarray(bits.T).view(np.int8) * np.int8(2) - np.int8(1)


def as_planes(words: Words, what: str) -> Words:
    planes = np.asarray(words)
    if planes.ndim != 2 or planes.dtype != np.uint64:
        raise DataError(
            f"{what} must be uint64 of shape (signals, words). Got {planes.dtype} of shape {planes.shape} instead."
        )
    return planes


def patterns(n_inputs: int, first: int = 0, count: int | None = None) -> Words:
    """Planes of shape (n_inputs, count): every input pattern once, from word ``first`` on.

    Item i is the pattern in which input k holds bit k of i. With fewer than six inputs the patterns
    repeat until the word is full.
    """
    if count is None:
        count = max(1, 2**n_inputs // WORD) - first
    planes = np.empty((n_inputs, count), np.uint64)
    number = np.arange(first, first + count, dtype=np.uint64)
    for k in range(n_inputs):
        if k < 6:  # the period of the bits fits in a word
            planes[k] = sum(1 << i for i in range(WORD) if i >> k & 1)
        else:
            planes[k] = np.where(number >> np.uint64(k - 6) & np.uint64(1), ~np.uint64(0), np.uint64(0))
    return planes
