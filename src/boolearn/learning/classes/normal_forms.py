"""Or of few terms, or And of few clauses: what a table of rules says.

To find the fewest terms is hard (Pitt & Valiant 1988), and greedy choice is good: a term that holds in no negative
example and in the most positive ones is taken, again and again, until no positive example is left, which gives at most
ln m times more terms than the fewest (Johnson 1974). Each term is found by a beam search from the empty term, one
literal after the other; a term that can only grow narrower than the best pure one so far is not followed. Among very
many long terms some hold in no negative example by accident, so covers with terms of few literals are tried as well,
and the one with the shortest description is taken. As every further term covers no more than those before, a search
ends as soon as too many would be needed. An And of clauses is the negation of an Or of terms of the negated function.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np
import numpy.typing as npt

from boolearn.circuit.building import CircuitBuilder, negation
from boolearn.circuit.circuit import Literal
from boolearn.learning.classes.fitted import Bits, Drawing, Fitted, integer_bits, subset_bits

NAME = "normal form"
_MOST_TERMS = 32
_LENGTHS = (2, 3, 4, 6)
"""The most literals of a term, each tried."""
_BEAM = 64
_QUICK = 1 << 20
"""Values, rows times inputs, up to which the search takes about a second."""

Term = tuple[int, ...]
"""Columns of the literals, negated ones n further on."""
Floats = npt.NDArray[np.float32]


def fit(inputs: Bits, output: Bits) -> Fitted | None:
    """An Or of terms or an And of clauses, whichever takes fewer bits."""
    n = inputs.shape[1]
    if not n or inputs.size > _QUICK or len(np.unique(output)) < 2:
        return None
    literals = np.concatenate((inputs, ~inputs), axis=1).astype(np.float32)
    found = []
    for negated, longest in product((False, True), _LENGTHS):
        terms = _cover(literals, output ^ negated, longest)
        if terms:
            bits = 1 + integer_bits(len(terms)) + sum(subset_bits(n, len(term)) + len(term) for term in terms)
            found.append((bits, negated, terms))
    if not found:
        return None
    bits, negated, terms = min(found)
    words = f"And of {len(terms)} clauses" if negated else f"Or of {len(terms)} terms"
    return Fitted(
        NAME, f"{words} of at most {max(map(len, terms))} inputs", bits, n, (Drawing(_made(terms, negated, n)),)
    )


def _cover(literals: Floats, wanted: Bits, longest: int) -> list[Term] | None:
    """Terms that hold in every wanted row and in no other, with at most ``longest`` literals each."""
    other, left = literals[~wanted], literals[wanted]
    terms: list[Term] = []
    while len(left):
        term = _widest(left, other, longest)
        if term is None:
            return None
        terms.append(term)
        holds = left[:, term].all(axis=1)
        left = left[~holds]
        if len(terms) + len(left) / holds.sum() > _MOST_TERMS:
            return None
    return _needed(literals[wanted], terms)


def _widest(wanted: Floats, other: Floats, longest: int) -> Term | None:
    """The term found that holds in the most wanted rows and in none of the others."""
    best, covered = None, 0
    beam: list[Term] = [()]
    for _ in range(longest):
        hits, misses = (_hits(rows, beam) for rows in (wanted, other))
        pure = np.where(misses == 0, hits, 0)
        if pure.max() > covered:
            place, column = np.unravel_index(int(pure.argmax()), pure.shape)
            best, covered = tuple(sorted({*beam[int(place)], int(column)})), int(pure.max())
        gain = hits * np.log2(np.maximum(hits, 1) / np.maximum(hits + misses, 1) * (1 + len(other) / len(wanted)))
        gain[(hits <= covered) | (misses == 0)] = -np.inf
        beam = _best_terms(beam, gain)
        if not beam:
            break
    return best


def _hits(rows: Floats, beam: list[Term]) -> Floats:
    """Shape (terms, literals): in how many rows each term holds together with each literal."""
    holds = np.stack([rows[:, term].all(axis=1) for term in beam]).astype(np.float32)
    return np.asarray(holds @ rows)


def _best_terms(beam: list[Term], gain: Floats) -> list[Term]:
    """The terms, one literal longer, with the greatest gain; several ways lead to the same one."""
    order = np.argsort(-gain, axis=None, kind="stable")
    found: dict[Term, None] = {}
    for flat in order[: _BEAM * max(_LENGTHS)].tolist():
        place, column = divmod(flat, gain.shape[1])
        if gain[place, column] == -np.inf or len(found) == _BEAM:
            break
        if column not in beam[place]:
            found[tuple(sorted((*beam[place], column)))] = None
    return list(found)


def _needed(wanted: Floats, terms: list[Term]) -> list[Term]:
    """Without terms whose rows all belong to others as well."""
    holds = np.stack([wanted[:, term].all(axis=1) for term in terms])
    kept = np.ones(len(terms), bool)
    for place in range(len(terms)):
        kept[place] = False
        kept[place] = not holds[kept].any(axis=0).all()
    return [term for term, needed in zip(terms, kept, strict=True) if needed]


def _made(terms: list[Term], negated: bool, n: int) -> Callable[[CircuitBuilder], Literal]:
    def make(builder: CircuitBuilder) -> Literal:
        literals = [[Literal(column % n, -1 if column >= n else 1) for column in term] for term in terms]
        answer = builder.disjunction([builder.conjunction(term) for term in literals])
        return negation(answer) if negated else answer

    return make
