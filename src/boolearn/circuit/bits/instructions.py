"""The instructions of a bit program: what each one does to whole words.

Between them they cover every And of two or three bits in every polarity, because a result may also be
kept negated; ``native/evaluate/kernel.h`` lists them in the same order.
"""

# ruff: noqa: ARG005 (all meanings are called alike, whatever they read)

from __future__ import annotations

import enum
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]


class Op(enum.IntEnum):
    ZERO = 0
    AND = 1
    AND_NOT = 2
    OR = 3
    XOR = 4
    AND_AND = 5
    AND_AND_NOT = 6
    AND_NOR = 7
    OR_OR = 8
    AND_NAND = 9
    AND_OR_NOT = 10
    AND_OR = 11
    OR_AND = 12
    OR_AND_NOT = 13
    NOT_AND_OR = 14
    XOR_XOR = 15
    MAJ = 16
    MAJ_NOT = 17
    FULL_ADD = 18
    FULL_ADD_NOT = 19
    HALF_ADD = 20
    HALF_ADD_NOT = 21
    HALF_ADD_OR = 22


def _maj(a: Words, b: Words, c: Words) -> Words:
    return (a & b) | (c & (a | b))


MEANING: dict[Op, Callable[[Words, Words, Words], tuple[Words, ...]]] = {
    Op.ZERO: lambda a, b, c: (np.zeros_like(a),),
    Op.AND: lambda a, b, c: (a & b,),
    Op.AND_NOT: lambda a, b, c: (a & ~b,),
    Op.OR: lambda a, b, c: (a | b,),
    Op.XOR: lambda a, b, c: (a ^ b,),
    Op.AND_AND: lambda a, b, c: (a & b & c,),
    Op.AND_AND_NOT: lambda a, b, c: (a & b & ~c,),
    Op.AND_NOR: lambda a, b, c: (a & ~(b | c),),
    Op.OR_OR: lambda a, b, c: (a | b | c,),
    Op.AND_NAND: lambda a, b, c: (a & ~(b & c),),
    Op.AND_OR_NOT: lambda a, b, c: (a & (b | ~c),),
    Op.AND_OR: lambda a, b, c: (a & (b | c),),
    Op.OR_AND: lambda a, b, c: (a | (b & c),),
    Op.OR_AND_NOT: lambda a, b, c: (a | (b & ~c),),
    Op.NOT_AND_OR: lambda a, b, c: (~a & (b | c),),
    Op.XOR_XOR: lambda a, b, c: (a ^ b ^ c,),
    Op.MAJ: lambda a, b, c: (_maj(a, b, c),),
    Op.MAJ_NOT: lambda a, b, c: (_maj(a, b, ~c),),
    Op.FULL_ADD: lambda a, b, c: (a ^ b ^ c, _maj(a, b, c)),
    Op.FULL_ADD_NOT: lambda a, b, c: (a ^ b ^ c, _maj(a, b, ~c)),
    Op.HALF_ADD: lambda a, b, c: (a ^ b, a & b),
    Op.HALF_ADD_NOT: lambda a, b, c: (a ^ b, a & ~b),
    Op.HALF_ADD_OR: lambda a, b, c: (a ^ b, a | b),
}
"""The results for operands a, b, c: one, or the sum and the carry."""
