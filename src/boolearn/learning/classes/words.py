"""Binary numbers as lists of literals, the lowest bit first, and the gates that calculate with them.

Counted in And nodes: a full adder has 7, a bit of a comparison 4, a bit of a subtraction that may be taken back 9.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from boolearn.circuit.building import FALSE, TRUE, CircuitBuilder, negation
from boolearn.circuit.circuit import Literal

Word = list[Literal]


def exclusive(builder: CircuitBuilder, a: Literal, b: Literal) -> Literal:
    """Xor as three Ands, one of them the And of both, which adders need too."""
    both = builder.conjunction((a, b))
    neither = builder.conjunction((negation(a), negation(b)))
    return builder.conjunction((negation(both), negation(neither)))


def parity(builder: CircuitBuilder, literals: Iterable[Literal]) -> Literal:
    """Whether an odd number holds, as a balanced tree."""
    waiting = deque(literals)
    while len(waiting) > 1:
        waiting.append(exclusive(builder, waiting.popleft(), waiting.popleft()))
    return waiting[0] if waiting else FALSE


def full_adder(builder: CircuitBuilder, a: Literal, b: Literal, c: Literal) -> tuple[Literal, Literal]:
    """The lower and the upper digit of the sum of three bits."""
    half = exclusive(builder, a, b)
    carry = builder.disjunction((builder.conjunction((a, b)), builder.conjunction((half, c))))
    return exclusive(builder, half, c), carry


def added_up(builder: CircuitBuilder, columns: Sequence[Sequence[Literal]], digits: int) -> Word:
    """The lowest digits of a sum of bits, given by the power of two that they count."""
    waiting = [deque(columns[digit]) if digit < len(columns) else deque() for digit in range(digits)]
    word = []
    for digit, column in enumerate(waiting):
        top = digit == digits - 1
        if top:
            column = deque([parity(builder, column)])  # carries out of the last digit are not needed
        while len(column) > 1:
            a, b = column.popleft(), column.popleft()
            lower, upper = full_adder(builder, a, b, column.popleft() if column else FALSE)
            column.append(lower)
            waiting[digit + 1].append(upper)
        word.append(column[0] if column else FALSE)
    return word


def count(builder: CircuitBuilder, literals: Sequence[Literal]) -> Word:
    """How many of the literals hold."""
    return added_up(builder, [literals], len(literals).bit_length())


def less(builder: CircuitBuilder, a: Word, b: Word) -> Literal:
    """a < b, by the borrow of a − b."""
    borrow = FALSE
    for left, right in zip(a, b, strict=True):
        lacks = builder.conjunction((negation(left), right))
        hands_on = builder.disjunction((negation(left), right))
        borrow = builder.disjunction((lacks, builder.conjunction((hands_on, borrow))))
    return borrow


def equal(builder: CircuitBuilder, a: Word, b: Word) -> Literal:
    return builder.conjunction(negation(exclusive(builder, x, y)) for x, y in zip(a, b, strict=True))


def product(builder: CircuitBuilder, a: Word, b: Word, digits: int) -> Word:
    """The lowest digits of a product."""
    columns: list[Word] = [[] for _ in range(digits)]
    for i, left in enumerate(a):
        for j, right in enumerate(b[: max(digits - i, 0)]):
            columns[i + j].append(builder.conjunction((left, right)))
    return added_up(builder, columns, digits)


def take_away(builder: CircuitBuilder, rest: Word, part: Word, allowed: Literal = TRUE) -> tuple[Literal, Word]:
    """Whether rest ≥ part, and it is allowed; and then rest − part, else rest."""
    borrow = FALSE
    changes = []
    for r, p in zip(rest, part, strict=True):
        change = exclusive(builder, p, borrow)
        both = builder.conjunction((p, borrow))
        borrow = builder.disjunction((both, builder.conjunction((negation(r), change))))
        changes.append(change)
    fits = builder.conjunction((negation(borrow), allowed))
    left = [exclusive(builder, r, builder.conjunction((fits, change))) for r, change in zip(rest, changes, strict=True)]
    return fits, left


def quotient(builder: CircuitBuilder, a: Word, b: Word, digits: int | None = None) -> tuple[Word, Word]:
    """a // b and a % b by long division; for b = 0 all ones, and a.

    With ``digits`` the quotient is taken to have no more than these, and is wrong where it has.
    """
    steps = len(a) if digits is None else min(digits, len(a))
    width = len(b)
    none_above = [TRUE] * (width + 1)  # whether b has no bit from here on
    for place in range(width - 1, -1, -1):
        none_above[place] = builder.conjunction((none_above[place + 1], negation(b[place])))
    rest = a[steps:]
    digit_of: Word = [FALSE] * steps
    for step in range(steps - 1, -1, -1):
        rest = [a[step], *rest]
        size = len(rest)
        divisor = b[:size] + [FALSE] * (size - width)
        # A divisor that is longer than the rest does not fit; a rest that is left is less than the divisor.
        digit_of[step], left = take_away(builder, rest, divisor, none_above[min(size, width)])
        rest = left[:width]
    return digit_of, rest


def root(builder: CircuitBuilder, number: Word, lowest: int = 0) -> Word:
    """The integer square root, its digits from the highest down to digit ``lowest``; the lower ones are not made."""
    number = number + [FALSE] * (len(number) % 2)
    rest: Word = []
    found: Word = []
    for step in range(len(number) // 2 - 1, lowest - 1, -1):
        rest = [*number[2 * step : 2 * step + 2], *rest]
        trial = [TRUE, FALSE, *found]
        size = max(len(rest), len(trial))
        fits, rest = take_away(builder, rest + [FALSE] * (size - len(rest)), trial + [FALSE] * (size - len(trial)))
        found = [fits, *found]
        rest = rest[: len(found) + 1]  # a rest is at most twice the root
    return [FALSE] * lowest + found
