"""Threshold functions by adding the weights up in binary: any number of inputs and digits, at a price for each.

Gates, clauses and bit programs are all built this way, each with its own adder.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

Bit = TypeVar("Bit")


@dataclass(frozen=True)
class BitAlgebra(Generic[Bit]):
    """What a sum is made of."""

    false: Bit
    true: Bit
    both: Callable[[Bit, Bit], Bit]
    either: Callable[[Bit, Bit], Bit]
    add: Callable[[Bit, Bit, Bit], tuple[Bit, Bit]]
    """The lower and the upper digit of the sum of three bits."""

    def sum_at_least(self, terms: Iterable[tuple[int, Bit]], need: int) -> Bit:
        """``Σ weight·bit ≥ need`` for positive weights: add digit by digit, compare with the constant on the way."""
        columns: defaultdict[int, deque[Bit]] = defaultdict(deque)
        total = 0
        for weight, bit in terms:
            total += weight
            for digit in range(weight.bit_length()):
                if weight >> digit & 1:
                    columns[digit].append(bit)
        if need <= 0 or need > total:
            return self.true if need <= 0 else self.false
        reached = self.true  # whether the digits so far are at least the need's
        for digit in range(total.bit_length()):
            column = columns[digit]
            while len(column) > 1:
                # Those that waited longest first: this keeps the tree of adders shallow.
                a, b = column.popleft(), column.popleft()
                c = column.popleft() if column else self.false
                lower, upper = self.add(a, b, c)
                column.append(lower)
                columns[digit + 1].append(upper)
            bit = column[0] if column else self.false
            reached = self.both(bit, reached) if need >> digit & 1 else self.either(bit, reached)
        return reached
