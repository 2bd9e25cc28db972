"""What arithmetic units compute, as numbers and as gates: the catalogue of the class ``arithmetic``."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from boolearn.circuit.building import CircuitBuilder, negation
from boolearn.circuit.circuit import Literal
from boolearn.learning.classes.fitted import Drawing
from boolearn.learning.classes.words import Word, equal, less, parity, product, quotient, root

Made = Callable[[CircuitBuilder], Literal]

_COARSER = tuple((digits, 2 * digits) for digits in (20, 18, 17, 16, 15, 14, 13, 12, 11, 10, 8, 6, 4))
"""Divisions of the highest bits alone: how many the quotient may have, and how many of the operands are read.

For random operands, a quotient has more than t bits with a chance of 2^−(t+1); of operands cut to 2t bits it is wrong
about as often, as small divisors lose most.
"""


@dataclass(frozen=True)
class Operation:
    """One calculation with one or two operands of equal width."""

    words: str
    operands: int
    value: Callable[[list[int], int], int]
    """The result for operands of a width, in two's complement; its bits from ``result`` on do not count."""
    result: Callable[[int], int]
    """How many bits the result has for operands of a width."""
    drawings: Callable[[list[Word], int], tuple[Drawing, ...]]
    """The gates for one bit of the result; the first drawing is exact."""
    commutes: bool = False


def _sum(words: list[Word], bit: int) -> tuple[Drawing, ...]:
    a, b = words
    flipped = [negation(literal) for literal in a]  # a carry out of a + b is the borrow of (not a) − b
    return (Drawing(lambda builder: _digit(builder, a, b, less(builder, flipped[:bit], b[:bit]), bit)),)


def _difference(words: list[Word], bit: int) -> tuple[Drawing, ...]:
    a, b = words
    return (Drawing(lambda builder: _digit(builder, a, b, less(builder, a[:bit], b[:bit]), bit)),)


def _digit(builder: CircuitBuilder, a: Word, b: Word, carried: Literal, bit: int) -> Literal:
    return parity(builder, [*a[bit : bit + 1], *b[bit : bit + 1], carried])


def _less(words: list[Word], _: int) -> tuple[Drawing, ...]:
    return (Drawing(lambda builder: less(builder, *words)),)


def _signed_less(words: list[Word], _: int) -> tuple[Drawing, ...]:
    a, b = ([*word[:-1], negation(word[-1])] for word in words)  # the sign counts downwards
    return (Drawing(lambda builder: less(builder, a, b)),)


def _equal(words: list[Word], _: int) -> tuple[Drawing, ...]:
    return (Drawing(lambda builder: equal(builder, *words)),)


def _product(words: list[Word], bit: int) -> tuple[Drawing, ...]:
    a, b = words
    terms = sum(min(bit + 1 - i, len(b)) for i in range(min(len(a), bit + 1)))
    return (Drawing(lambda builder: product(builder, a, b, bit + 1)[bit], 8 * terms),)


def _quotient(words: list[Word], bit: int) -> tuple[Drawing, ...]:
    def made(a: Word, b: Word, digits: int | None) -> Made:
        return lambda builder: quotient(builder, a, b, digits)[0][bit]

    a, b = words
    coarser = [(m, t) for t, m in _COARSER if m < len(a) and bit < t]
    return (
        Drawing(made(a, b, None), 5 * len(a) ** 2),
        *(Drawing(made(a[-m:], b[-m:], t), 9 * t * (m - t / 2)) for m, t in coarser),
    )


def _remainder(words: list[Word], bit: int) -> tuple[Drawing, ...]:
    """With few digits of the quotient, the remainder's low bits are those of a − quotient·b."""
    a, b = words

    def made(digits: int, read: int) -> Made:
        def make(builder: CircuitBuilder) -> Literal:
            divided, _ = quotient(builder, a[-read:], b[-read:], digits)
            part = product(builder, divided[: bit + 1], b, bit + 1)
            return _digit(builder, a, part, less(builder, a[:bit], part[:bit]), bit)

        return make

    coarser = [(t, m) for t, m in _COARSER if m < len(a) and bit < t]
    return (
        Drawing(lambda builder: quotient(builder, a, b)[1][bit], 5 * len(a) ** 2),
        *(Drawing(made(t, m), 9 * t * (m - t / 2) + 4 * (bit + 1) ** 2) for t, m in coarser),
    )


def _root(words: list[Word], bit: int) -> tuple[Drawing, ...]:
    steps = (len(words[0]) + 1) // 2 - bit
    return (Drawing(lambda builder: root(builder, words[0], bit)[bit], 5 * steps**2),)


def _signed(value: int, width: int) -> int:
    return value - (value >> (width - 1) << width)


CATALOGUE = (
    Operation("a + b", 2, lambda v, _: v[0] + v[1], lambda w: w + 1, _sum, commutes=True),
    Operation("a − b", 2, lambda v, _: v[0] - v[1], lambda w: w + 1, _difference),
    Operation("a < b", 2, lambda v, _: v[0] < v[1], lambda _: 1, _less),
    Operation("a < b with signs", 2, lambda v, w: _signed(v[0], w) < _signed(v[1], w), lambda _: 1, _signed_less),
    Operation("a = b", 2, lambda v, _: v[0] == v[1], lambda _: 1, _equal, commutes=True),
    Operation("a · b", 2, lambda v, _: v[0] * v[1], lambda w: 2 * w, _product, commutes=True),
    Operation("a div b", 2, lambda v, w: v[0] // v[1] if v[1] else (1 << w) - 1, lambda w: w, _quotient),
    Operation("a mod b", 2, lambda v, _: v[0] % v[1] if v[1] else v[0], lambda w: w, _remainder),
    Operation("√a", 1, lambda v, _: math.isqrt(v[0]), lambda w: (w + 1) // 2, _root),
)
