"""Truth values packed 64 items a word, so that one machine instruction serves 64 items."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from boolearn.data.signs import Signs, signs_of

Words = npt.NDArray[np.uint64]

BITS = 64
_LOW_PATTERNS = tuple(sum(1 << item for item in range(BITS) if item >> place & 1) for place in range(6))


def pack(values: npt.NDArray[np.generic]) -> Words:
    """Shape (signals, words) from ±1 values of shape (items, signals); item i is bit i % 64 of word i // 64."""
    bits = np.asarray(values) > 0
    bytes_ = np.packbits(bits.T, axis=1, bitorder="little")
    padded = np.zeros((bits.shape[1], -(-len(bits) // BITS) * 8), np.uint8)
    padded[:, : bytes_.shape[1]] = bytes_
    return padded.view("<u8").astype(np.uint64, copy=False)


def unpack(words: Words, items: int) -> Signs:
    """Shape (items, signals) of ±1: what ``pack`` packed."""
    bytes_ = np.ascontiguousarray(words, "<u8").view(np.uint8)
    bits = np.unpackbits(bytes_, axis=1, count=items, bitorder="little")
    return signs_of(np.ascontiguousarray(bits.T))


def all_inputs(n_inputs: int, first: int = 0, items: int | None = None) -> Signs:
    """Input patterns as ±1 in the order a truth table lists them: pattern k holds the bits of k, the first
    input the most significant."""
    count = (1 << n_inputs) - first if items is None else items
    numbers = np.arange(first, first + count, dtype=np.int64)
    places = np.arange(n_inputs - 1, -1, -1)
    return signs_of(numbers[:, None] >> places & 1)


def all_input_words(n_inputs: int, first: int, items: int) -> Words:
    """The same patterns packed, shape (n_inputs, words); ``first`` and ``items`` are multiples of 64."""
    numbers = np.arange(first // BITS, -(-(first + items) // BITS), dtype=np.uint64)
    words = np.empty((n_inputs, len(numbers)), np.uint64)
    for index in range(n_inputs):
        place = n_inputs - 1 - index
        if place < 6:
            words[index] = _LOW_PATTERNS[place]
        else:
            words[index] = -(numbers >> np.uint64(place - 6) & np.uint64(1))
    return words


def first_difference(mine: Words, theirs: Words, items: int) -> tuple[int, int] | None:
    """(item, signal) of the first item on which two packed tables differ; bits past ``items`` do not count."""
    differ = mine ^ theirs
    if items % BITS:
        differ[:, items // BITS] &= np.uint64((1 << items % BITS) - 1)
    columns = np.flatnonzero(differ.any(axis=0))
    if not columns.size:
        return None
    column = int(columns[0])
    bits = unpack(differ[:, column : column + 1], BITS) > 0
    item = int(np.flatnonzero(bits.any(axis=1))[0])
    return column * BITS + item, int(np.flatnonzero(bits[item])[0])
