"""What a bit of the codes means: the words that have it, and the contexts it switches on and off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boolearn.data.signs import signs_of

if TYPE_CHECKING:
    from boolearn.words.codes import WordCodes

_MOST_CODES = 2000
"""A sample of this many words says which contexts depend on a bit."""
_MOST_EXAMPLES = 10


class Switched(NamedTuple):
    context: str
    share: float
    """Of the occurrences of words: in how many flipping the bit would change the context."""


@dataclass(frozen=True)
class BitMeaning:
    """One bit of the codes; ``str()`` is a summary for people."""

    bit: int
    on: tuple[str, ...]
    """The most frequent words that have the bit."""
    off: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    """Words whose codes differ in this bit alone: (on, off)."""
    words_on: int
    switches_on: tuple[Switched, ...]
    """Contexts that are on because the bit is."""
    switches_off: tuple[Switched, ...]

    def __str__(self) -> str:
        def listed(contexts: tuple[Switched, ...]) -> str:
            return ", ".join(f"{name} ({share:.0%})" for name, share in contexts) or "none"

        lines = [
            f"b{self.bit}: {self.words_on} words have it",
            f"  on:           {' '.join(self.on)}",
            f"  off:          {' '.join(self.off)}",
            f"  switches on:  {listed(self.switches_on)}",
            f"  switches off: {listed(self.switches_off)}",
        ]
        if self.pairs:
            lines.append("  this bit alone: " + ", ".join(f"{on}/{off}" for on, off in self.pairs))
        return "\n".join(lines)


def meaning(codes: WordCodes, bit: int) -> BitMeaning:
    """Look at the most frequent words with and without the bit, and flip it."""
    frequent = np.argsort(-codes.counts, kind="stable")
    on = codes.codes[:, bit] > 0
    first = {False: [k for k in frequent if not on[k]], True: [k for k in frequent if on[k]]}
    sample = frequent[:_MOST_CODES]
    raised, lowered = codes.codes[sample].copy(), codes.codes[sample].copy()
    raised[:, bit], lowered[:, bit] = 1, -1
    # 1 where the context comes with the bit, −1 where it goes
    change = (
        signs_of(codes.decoder.decision(raised)).astype(np.int64) - signs_of(codes.decoder.decision(lowered))
    ) // 2
    weights = codes.counts[sample] / codes.counts[sample].sum()
    return BitMeaning(
        bit,
        tuple(codes.words[k] for k in first[True][:_MOST_EXAMPLES]),
        tuple(codes.words[k] for k in first[False][:_MOST_EXAMPLES]),
        _pairs(codes, bit),
        int(on.sum()),
        _strongest(codes.contexts, weights @ (change > 0)),
        _strongest(codes.contexts, weights @ (change < 0)),
    )


def _strongest(names: tuple[str, ...], shares: np.ndarray[tuple[int], np.dtype[np.float64]]) -> tuple[Switched, ...]:
    order = np.argsort(-shares, kind="stable")[:_MOST_EXAMPLES]
    return tuple(Switched(names[k], float(shares[k])) for k in order if shares[k] > 0)


def _pairs(codes: WordCodes, bit: int) -> tuple[tuple[str, str], ...]:
    """The most frequent pairs of words that only this bit tells apart; the most frequent word stands for each code."""
    order = np.argsort(codes.counts, kind="stable")
    rest = np.delete(codes.codes, bit, axis=1) > 0
    by_code = {(bytes(np.packbits(rest[k])), bool(codes.codes[k, bit] > 0)): int(k) for k in order}
    found = [(k, by_code[key, False]) for (key, on), k in by_code.items() if on and (key, False) in by_code]
    found.sort(key=lambda pair: -min(codes.counts[pair[0]], codes.counts[pair[1]]))
    return tuple((codes.words[a], codes.words[b]) for a, b in found[:_MOST_EXAMPLES])
