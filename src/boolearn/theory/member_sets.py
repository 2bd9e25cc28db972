"""Sets of bit strings: mirror images, Roman numerals, outputs of random circuits, the rows of a file."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from boolearn.checks import generator
from boolearn.data import Dataset, InputKind, mirror, read, roman
from boolearn.data.signs import Signs, as_signs
from boolearn.errors import DataError, ParameterError
from boolearn.files import PathLike
from boolearn.model import random_model
from boolearn.theory.problems import every_input

Mask = npt.NDArray[np.bool_]

NAMED = ("mirror-2", "mirror-4", "mirror-6", "mirror-8", "roman", "circuit-0", "circuit-1")
"""``mirror-4``: pictures of 4 × 4 pixels. ``circuit-1``: the outputs of the random circuit of seed 1."""

LEAST_MEMBERS = 4
CIRCUIT = (8, 16, 16)
"""Widths; all 2^8 inputs are tried."""


@dataclass(frozen=True)
class MemberSet:
    """Members of a set, all different and in random order, and a test of membership."""

    name: str
    members: Signs
    """Shape (members, bits): all there are, or a sample of them."""
    contains: Callable[[Signs], Mask]
    free_bits: int | None = None
    """log₂ of the number of members, where the rule of the set says it."""

    @property
    def least_bits(self) -> int:
        """No code with fewer bits tells all members apart."""
        return self.free_bits or max(1, math.ceil(math.log2(len(self.members))))


def named_set(name: str, seed: int, members: int) -> MemberSet:
    """A set of ``NAMED``, with at most about ``members`` of its members."""
    if name not in NAMED:
        raise ParameterError("set", f"one of {', '.join(NAMED)}", name)
    kind, _, number = name.partition("-")
    if kind == "mirror":
        size = int(number)
        drawn = mirror(size, size, members, seed, "copy").inputs
        return MemberSet(name, _different(drawn, seed), partial(is_mirror_image, size=size), size * size // 2 + 1)
    if kind == "roman":
        return listed_set(name, roman(task="copy").inputs, seed)
    circuit = random_model(*CIRCUIT, gates="maj", seed=int(number))
    return listed_set(name, as_signs(circuit.predict(every_input(CIRCUIT[0])), "outputs"), seed)


def read_set(path: PathLike, seed: int) -> MemberSet:
    """The rows of a data file. Where inputs and outputs differ, a string is the inputs followed by the outputs."""
    rows = strings(read(path))
    found = listed_set(str(path), rows, seed)
    if len(found.members) < LEAST_MEMBERS:
        raise DataError(
            f"{path}: a set must have at least {LEAST_MEMBERS} different rows, some to learn from and some to test on. "
            f"Got {len(found.members)} instead."
        )
    return found


def strings(data: Dataset) -> Signs:
    """Shape (items, bits): the items of a data set as bit strings."""
    if data.input_kind is InputKind.ANALOG or data.classes or data.open is not None:
        raise DataError(f"a set must consist of bits, none of them open, numbers or classes. Got {data!r} instead.")
    if data.input_kind.free or np.array_equal(data.inputs, data.outputs):
        return as_signs(data.outputs, "rows")
    return as_signs(np.hstack((data.inputs, data.outputs)), "rows")


def listed_set(name: str, members: Signs, seed: int) -> MemberSet:
    """A set of which all members are known."""
    different = _different(members, seed)
    return MemberSet(name, different, partial(is_listed, members=different))


def is_listed(rows: Signs, members: Signs) -> Mask:
    known = set(map(bytes, np.packbits(members > 0, axis=1)))
    return np.array([bytes(row) in known for row in np.packbits(rows > 0, axis=1)], bool)


def is_mirror_image(rows: Signs, size: int) -> Mask:
    """Is the right half the mirror image of the left one, or its negative?"""
    pictures = rows.reshape(-1, size, size)
    left, right = pictures[:, :, : size // 2], pictures[:, :, size // 2 :][:, :, ::-1]
    same = (left == right).reshape(len(rows), -1)
    return np.asarray(same.all(axis=1) | ~same.any(axis=1))


def _different(rows: Signs, seed: int) -> Signs:
    # Not the stream of the bare seed, from which the rows were drawn.
    return generator(seed).spawn(2)[1].permutation(np.unique(rows, axis=0))
