"""WordCodes: a code of k bits for every word, and what can be done with codes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_choice, checked_integer
from boolearn.circuit import Circuit, extract
from boolearn.data.signs import Signs, as_signs
from boolearn.errors import DataError, ParameterError
from boolearn.files import PathLike
from boolearn.model import BoolNet
from boolearn.network import layered
from boolearn.words.meaning import BitMeaning, meaning

Rule = Literal["xor", "majority"]


class Neighbour(NamedTuple):
    word: str
    distance: int
    """In how many bits its code differs."""


@dataclass(frozen=True, eq=False)
class WordCodes:
    """Words, their codes, and the network that makes contexts of codes."""

    words: tuple[str, ...]
    counts: npt.NDArray[np.int64]
    """How often every word occurs in the corpus."""
    codes: Signs
    """Shape (words, k)."""
    decoder: BoolNet
    """k bits → contexts, named by its ``output_names``."""
    about: dict[str, object] = field(default_factory=dict)
    """How the codes were learned: method, seed, parameters, accuracy."""

    def __post_init__(self) -> None:
        codes, counts = as_signs(self.codes, "codes"), np.asarray(self.counts)
        if len(set(self.words)) != len(self.words) or codes.ndim != 2 or len(codes) != len(self.words):
            raise DataError(
                f"codes must have one row for each of {len(self.words)} different words. "
                f"Got shape {codes.shape} instead."
            )
        if counts.shape != (len(self.words),) or counts.dtype.kind not in "iu":
            raise DataError(f"counts must be {len(self.words)} integers. Got {counts!r} instead.")
        if not isinstance(self.decoder, BoolNet) or self.decoder.network.n_inputs != codes.shape[1]:
            raise DataError(f"the decoder must be a model with {codes.shape[1]} inputs. Got {self.decoder!r} instead.")
        object.__setattr__(self, "codes", codes)
        object.__setattr__(self, "counts", counts.astype(np.int64))

    @property
    def k(self) -> int:
        """Bits in a code."""
        return int(self.codes.shape[1])

    @property
    def contexts(self) -> tuple[str, ...]:
        """Names of the contexts that the decoder knows."""
        return self.decoder.output_names or tuple(f"y{k}" for k in range(self.decoder.network.n_outputs))

    @cached_property
    def _place(self) -> dict[str, int]:
        return {word: k for k, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self._place

    def __getitem__(self, word: str) -> Signs:
        """The code of a word, k values ±1."""
        if word not in self._place:
            raise ParameterError("word", "a word of the vocabulary", word)
        code: Signs = self.codes[self._place[word]]
        return code

    def distance(self, one: str, other: str) -> int:
        """In how many bits the codes of two words differ."""
        return int((self[one] != self[other]).sum())

    def nearest(self, word: str | npt.ArrayLike, n: int = 10) -> list[Neighbour]:
        """The words whose codes differ least from that of a word, which is left out, or from a code.

        Of equally near words the more frequent comes first.
        """
        code = self[word] if isinstance(word, str) else self._checked_code(word)
        return self._nearest(code, n, {word} if isinstance(word, str) else set())

    def analogy(
        self, pairs: tuple[str, str] | Sequence[tuple[str, str]], word: str, n: int = 10, rule: Rule = "xor"
    ) -> list[Neighbour]:
        """What is to ``word`` as the second of each pair is to the first: ``analogy(("man", "king"), "woman")``.

        The change of a pair is the xor of its two codes. With several pairs, the majority says which bits change. The
        words asked with are left out of the answer.

        rule
            ``"xor"``: the bits that change are flipped in the code of ``word``. ``"majority"``: they become what most
            second words have there; for one pair (a, b) that is Maj(¬a, b, word), the Boolean form of word − a + b.
        """
        checked_choice("rule", rule, ("xor", "majority"))
        several = _as_pairs(pairs)
        first = np.array([self[a] for a, _ in several], np.int64)
        second = np.array([self[b] for _, b in several], np.int64)
        changes = (first * second).sum(axis=0) < 0
        code = self[word]
        if rule == "xor":
            answer = np.where(changes, -code, code)
        else:
            answer = np.where(changes, np.where((second - first).sum(axis=0) > 0, 1, -1), code)
        return self._nearest(answer.astype(np.int8), n, {word, *(one for pair in several for one in pair)})

    def bit(self, bit: int) -> BitMeaning:
        """What a bit means: the words that have it, the contexts it switches."""
        return meaning(self, checked_integer("bit", bit, 0, self.k - 1))

    def circuit(self, contexts: Iterable[str] | None = None) -> Circuit:
        """Gates from the bits b0, b1, … to contexts, equal to the decoder on the codes of all words.

        contexts
            Which ones; by default all, which takes long where there are hundreds.
        """
        return extract(self._decoder_of(contexts), np.unique(self.codes, axis=0))

    def _decoder_of(self, contexts: Iterable[str] | None) -> BoolNet:
        """The part of a decoder that makes some of the contexts."""
        if contexts is None:
            return self.decoder
        wanted = [contexts] if isinstance(contexts, str) else list(contexts)
        place = {name: k for k, name in enumerate(self.contexts)}
        for name in wanted:
            if name not in place:
                raise ParameterError("contexts", "names of contexts, as in 'contexts' of these codes", name)
        network = self.decoder.network
        kept = [network.first_output + place[name] for name in wanted]
        widths = [int(count) for count in np.bincount(network.level)[1:-1]]
        below = self.decoder.weights[: network.n_weights - network.n_outputs * (1 + (widths or [self.k])[-1])]
        values = [below, *(self.decoder.weights_into(node) for node in kept)]
        return BoolNet(
            layered(self.k, *widths, len(kept)),
            np.concatenate(values),
            input_names=self.decoder.input_names,
            output_names=tuple(wanted),
        )

    def save(self, folder: PathLike) -> None:
        """Write a folder with words.tsv, decoder.safetensors and about.json; a folder with codes is not overwritten."""
        from boolearn.words.storage import save_codes

        save_codes(self, folder)

    @classmethod
    def load(cls, folder: PathLike) -> WordCodes:
        """Read what ``save`` has written."""
        from boolearn.words.storage import load_codes

        return load_codes(folder)

    def __repr__(self) -> str:
        return f"WordCodes({len(self.words)} words, {self.k} bits, {len(self.contexts)} contexts)"

    def _checked_code(self, code: npt.ArrayLike) -> Signs:
        signs = as_signs(np.atleast_2d(np.asarray(code)), "code")
        if signs.shape != (1, self.k):
            raise DataError(f"a code must have {self.k} bits. Got shape {np.shape(code)} instead.")
        return np.asarray(signs[0])

    def _nearest(self, code: Signs, n: int, without: set[str]) -> list[Neighbour]:
        n = checked_integer("n", n, 1)
        distances = (self.codes != code).sum(axis=1)
        order = np.lexsort((-self.counts, distances))
        found = (Neighbour(self.words[k], int(distances[k])) for k in order if self.words[k] not in without)
        return [neighbour for _, neighbour in zip(range(n), found, strict=False)]


def _as_pairs(pairs: tuple[str, str] | Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """One pair of words, or several, as a list."""
    several: Sequence[object] = [pairs] if all(isinstance(word, str) for word in pairs) else pairs
    found = [(pair[0], pair[1]) for pair in several if isinstance(pair, tuple | list) and len(pair) == 2]
    if not several or len(found) < len(several):
        raise ParameterError("pairs", "a pair of words, or several", pairs)
    return found
