"""What an autoencoder makes of strings that are not in the set, and of codes that no member had."""

from __future__ import annotations

import numpy as np

from boolearn.bench.record import Row
from boolearn.checks import generator
from boolearn.data.signs import Signs
from boolearn.theory.bottleneck import Halves
from boolearn.theory.member_sets import MemberSet

DRAWN = 2000


def treated(halves: Halves, found: MemberSet, seed: int) -> Row:
    """Random strings and members with one bit flipped, members among them left out; and random codes."""
    rng = generator(seed).spawn(3)[2]
    bits = found.members.shape[1]
    random = _signs(rng, bits)
    neighbours = found.members[rng.integers(0, len(found.members), DRAWN)].copy()
    neighbours[np.arange(DRAWN), rng.integers(0, bits, DRAWN)] *= -1
    made = halves.decoder.predict(_signs(rng, len(halves.decoder.inputs)))
    return {
        "random": _reconstruction(halves, random[~found.contains(random)]),
        "neighbours": _reconstruction(halves, neighbours[~found.contains(neighbours)]),
        "codes_to_members": float(found.contains(made).mean()),
    }


def _signs(rng: np.random.Generator, bits: int) -> Signs:
    return rng.integers(0, 2, (DRAWN, bits), np.int8) * np.int8(2) - np.int8(1)


def _reconstruction(halves: Halves, rows: Signs) -> Row | None:
    """How many come back as they are, and how many bits are wrong on average; None where every string is a member."""
    if not len(rows):
        return None
    wrong = (halves.decoded(rows) != rows).sum(axis=1)
    return {"strings": len(rows), "reconstructed": float((wrong == 0).mean()), "wrong_bits": float(wrong.mean())}
