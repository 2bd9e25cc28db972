"""One term or one clause: the And, or the Or, of some inputs, each negated or not.

Valiant's elimination: a literal that is false in a positive example is not in the term, so the And of all literals that
are true in every positive example is the most specific term there can be; if it holds in a negative example there is
none. Of its literals as few are kept as a greedy cover needs to make every negative example false, which is at most
ln m times more than the fewest (Johnson 1974; Haussler 1988). A clause is a term of the negated function.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from boolearn.circuit.building import CircuitBuilder
from boolearn.circuit.circuit import Literal
from boolearn.learning.classes.fitted import Bits, Drawing, Fitted, listed, subset_bits

NAME = "term or clause"


def fit(inputs: Bits, output: Bits) -> Fitted | None:
    """A term if one agrees, else a clause."""
    n = inputs.shape[1]
    for negated in (False, True):
        literals = _term(inputs, output ^ negated)
        if literals is None:
            continue
        signs = [-1 if bool(column >= n) is not negated else 1 for column in literals]
        chosen = [Literal(column % n, sign) for column, sign in zip(literals, signs, strict=True)]
        words = f"{'Or' if negated else 'And'} of {listed(literal.signal for literal in chosen)}"
        words += ", some negated" * any(sign < 0 for sign in signs)
        bits = 1 + subset_bits(n, len(chosen)) + len(chosen)
        return Fitted(NAME, words, bits, n, (Drawing(_joined(chosen, negated)),))
    return None


def _joined(literals: list[Literal], clause: bool) -> Callable[[CircuitBuilder], Literal]:
    return lambda builder: builder.disjunction(literals) if clause else builder.conjunction(literals)


def _term(inputs: Bits, output: Bits) -> list[int] | None:
    """Columns of the inputs, and n further on of their negations, whose And is the output."""
    both = np.concatenate((inputs, ~inputs), axis=1)
    allowed = both[output].all(axis=0) if output.any() else np.ones(both.shape[1], bool)
    falsifies = ~both[~output] & allowed
    chosen = []
    while len(falsifies):
        gain = falsifies.sum(axis=0)
        best = int(gain.argmax())
        if not gain[best]:
            return None
        chosen.append(best)
        falsifies = falsifies[~falsifies[:, best]]
    return sorted(chosen)
