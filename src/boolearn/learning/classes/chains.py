"""Chains: carries and comparisons, in which one pair of inputs after the other decides or passes on.

A comparison a > b looks at the highest bits: if they differ they decide, else the next pair does. The carry of a + b is
the same with "are equal" for "differ", and the highest bit of a sum is such a carry, exclusive or two inputs. In
general, f = D(x_i, x_j; f'), where for two of the four values of a pair (x_i, x_j) the answer is known, +1 for one and
−1 for the other, and for the other two it is f', a chain over other inputs. That is Maj(±x_i, ±x_j, f').

Theorem. If f is a chain and inputs are uniform, then the first pair is the only one with two values on which f is
constant, each with opposite answers; of n rows a wrong pair survives with probability at most 4 · 2^(−n/4) or so, since
f' is independent of its own first pair up to 1/4. So the greedy choice is right as long as many rows are undecided.

Every pair halves the undecided rows, so after log2(rows) pairs none is left and the data says nothing of the others.
If the pairs found go through the inputs in equal steps the chain goes on as it began, to the end: a rule with two
numbers that predicts dozens of pairs is no accident, but it is a guess beyond what the rows say. It is kept only when
every row agrees.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boolearn.circuit.building import FALSE, TRUE, CircuitBuilder, signed
from boolearn.circuit.circuit import Literal
from boolearn.learning.classes.fitted import Bits, Drawing, Fitted, listed
from boolearn.learning.classes.words import parity

NAME = "chain"
_FEWEST = 48
"""Undecided rows from which on a pair is believed by itself."""
_PAIRS = 3
"""Pairs that must follow each other in equal steps before a chain is continued."""
_ROWS_FOR_MASK = 640
_SIGNAL = 0.36
"""Carries agree with a bit of the highest pair in 3/4 of the rows, a correlation of 1/2; chance does not reach this."""
_MOST_INPUTS = 1024
_MOST_MASKED = 256
"""Inputs among which two are looked for, and three compared, for an exclusive or."""


@dataclass(frozen=True)
class Pair:
    """Decides +1 where both literals are true, −1 where both are false, else passes on."""

    one: int
    other: int
    one_sign: int
    other_sign: int

    def stepped(self, by: tuple[int, int], n_inputs: int) -> Pair | None:
        one, other = self.one + by[0], self.other + by[1]
        inside = 0 <= min(one, other) <= max(one, other) < n_inputs
        return Pair(one, other, self.one_sign, self.other_sign) if inside else None

    def says(self, inputs: Bits) -> tuple[Bits, Bits]:
        """Where it decides, and what."""
        one = inputs[:, self.one] == (self.one_sign > 0)
        return one == (inputs[:, self.other] == (self.other_sign > 0)), one


def fit(inputs: Bits, output: Bits) -> Fitted | None:
    """A chain that agrees with every example; None if there is none."""
    n = inputs.shape[1]
    if n > _MOST_INPUTS:
        return None
    for mask in ((), *_masks(inputs, output)):
        wanted = output ^ (inputs[:, mask].sum(axis=1) % 2 == 1)
        pairs, default, left = _chain(inputs, wanted, set(mask))
        if len(pairs) >= _PAIRS and (left == default).all():
            return Fitted(NAME, _sentence(pairs, mask), _bits(n), n, (_drawing(pairs, default, mask),))
    return None


def _chain(inputs: Bits, wanted: Bits, used: set[int]) -> tuple[list[Pair], bool, Bits]:
    """The pairs that rows speak for, and on in equal steps; what is answered if none decides; what should be."""
    pairs: list[Pair] = []
    open_inputs, open_wanted = inputs, wanted

    def decide(pair: Pair) -> bool:
        nonlocal open_inputs, open_wanted
        decided, says = pair.says(open_inputs)
        if (says[decided] != open_wanted[decided]).any() or {pair.one, pair.other} & used:
            return False
        used.update((pair.one, pair.other))
        pairs.append(pair)
        open_inputs, open_wanted = open_inputs[~decided], open_wanted[~decided]
        return True

    while len(open_inputs) >= _FEWEST:
        pair = _first_pair(open_inputs, open_wanted)
        if pair is None or not decide(pair):
            break
    steps = {(b.one - a.one, b.other - a.other) for a, b in itertools.pairwise(pairs)}
    if len(pairs) >= _PAIRS and len(steps) == 1:
        by = steps.pop()
        while (following := pairs[-1].stepped(by, inputs.shape[1])) is not None and decide(following):
            pass
    return pairs, bool(2 * open_wanted.sum() > len(open_wanted)), open_wanted


def _first_pair(inputs: Bits, wanted: Bits) -> Pair | None:
    """The pair that decides most rows."""
    values = np.where(inputs, np.float32(1), np.float32(0))
    true, false = values[wanted], values[~wanted]
    best: tuple[float, Pair] | None = None
    n = len(inputs)
    both_true, both_false = true.T @ true, false.T @ false
    ones_true, ones_false = true.sum(axis=0), false.sum(axis=0)
    # Rows with output false and x_i = x_j = 1, output true and x_i = x_j = 0, and likewise where x_i ≠ x_j.
    false_11 = both_false
    true_00 = len(true) - ones_true[:, None] - ones_true[None] + both_true
    true_11 = both_true
    false_00 = len(false) - ones_false[:, None] - ones_false[None] + both_false
    true_10, true_01 = ones_true[:, None] - both_true, ones_true[None] - both_true
    false_10, false_01 = ones_false[:, None] - both_false, ones_false[None] - both_false
    for contradicts, decides, signs in (
        (false_11 + true_00, true_11 + false_00, (1, 1)),
        (true_11 + false_00, false_11 + true_00, (-1, -1)),
        (false_10 + true_01, true_10 + false_01, (1, -1)),
    ):
        score = np.where(contradicts == 0, decides, 0)
        np.fill_diagonal(score, 0)
        i, j = np.unravel_index(int(score.argmax()), score.shape)
        if score[i, j] > n / 4 and (best is None or score[i, j] > best[0]):
            best = float(score[i, j]), Pair(int(i), int(j), *signs)
    if best is None:
        return None
    pair = best[1]
    # In order, so that steps from pair to pair are the same.
    return pair if pair.one < pair.other else Pair(pair.other, pair.one, pair.other_sign, pair.one_sign)


def _masks(inputs: Bits, output: Bits) -> Iterator[tuple[int, ...]]:
    """Pairs of inputs whose exclusive or with the output correlates with single inputs as a carry does.

    A correlation is of three inputs with the output, and does not say which of them are the two.
    """
    if len(inputs) < _ROWS_FOR_MASK // 2 or inputs.shape[1] > _MOST_MASKED:
        return
    signs = np.where(inputs[:_ROWS_FOR_MASK], np.float32(1), np.float32(-1))
    answer = np.where(output[:_ROWS_FOR_MASK, None], np.float32(1), np.float32(-1))
    best: tuple[float, tuple[int, ...]] = (0.0, ())
    for p in range(inputs.shape[1]):
        product = (answer * signs[:, p : p + 1]) * signs
        correlation: npt.NDArray[np.float32] = np.abs(product.T @ signs) / len(signs)
        np.fill_diagonal(correlation, 0)
        correlation[p] = 0
        correlation[:, p] = 0
        q, r = np.unravel_index(int(correlation.argmax()), correlation.shape)
        best = max(best, (float(correlation.max()), (p, int(q), int(r))))
    if best[0] > _SIGNAL:
        yield from itertools.combinations(best[1], 2)


def _drawing(pairs: list[Pair], default: bool, mask: tuple[int, ...]) -> Drawing:
    def make(builder: CircuitBuilder) -> Literal:
        literal = TRUE if default else FALSE
        for pair in reversed(pairs):
            one, other = signed(Literal(pair.one), pair.one_sign), signed(Literal(pair.other), pair.other_sign)
            literal = builder.majority(one, other, literal)
        return parity(builder, [literal, *map(Literal, mask)])

    return Drawing(make)


def _sentence(pairs: list[Pair], mask: tuple[int, ...]) -> str:
    first, last = pairs[0], pairs[-1]
    what = "carry" if first.one_sign == first.other_sign else "comparison"
    also = f", exclusive or {listed(mask)}" if mask else ""
    return f"the {what} of {listed((first.one, first.other))} down to {listed((last.one, last.other))}{also}"


def _bits(n: int) -> float:
    """Each pair until the steps are known; from there on only how many follow."""
    return (_PAIRS + 1) * (2 * math.log2(n) + 2) + math.log2(n)
