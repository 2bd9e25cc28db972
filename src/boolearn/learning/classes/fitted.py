"""What a class of functions answers: a member that agrees with every example, and how much choice there was."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from boolearn.circuit.building import CircuitBuilder
from boolearn.circuit.circuit import Circuit, Literal
from boolearn.circuit.rewriting.simplify import remove_dead

Bits = npt.NDArray[np.bool_]
_MAY_BE_FEWER = 1.5
"""How far an estimate of And nodes may be above a limit and the circuit still worth making."""


@dataclass(frozen=True)
class Drawing:
    """A way to make a function over a builder's inputs."""

    make: Callable[[CircuitBuilder], Literal]
    ands: float = 0.0
    """About how many And nodes it takes, where they may be too many to try."""


@dataclass(frozen=True, eq=False)
class Fitted:
    """A function of a class that agrees with every example it was fitted to."""

    name: str
    """The name of the class."""
    template: str
    """What the function is, in words; ``{3}`` stands for the name of input 3."""
    bits: float
    """The length of the shortest description in the class: how many yes-or-no choices single this function out.

    Honest also where the choices were many. Examples hold evidence for the function only as far as there are more of
    them than such bits: a function that is none of the class's fits m random labels with a chance of 2^(bits − m).
    """
    n_inputs: int
    drawings: tuple[Drawing, ...]
    """The function exactly, then smaller circuits that differ from it on ever more inputs."""

    @property
    def sentence(self) -> str:
        """What the function is, in words; inputs are called x0, x1, …"""
        return self.in_names(_numbered(self.n_inputs))

    def in_names(self, names: Sequence[str]) -> str:
        """What the function is, in words and with the names of the inputs."""
        return self.template.format(*names)

    @cached_property
    def circuit(self) -> Circuit:
        """The function, exactly; inputs are called x0, x1, … and the output y."""
        return self._drawn(self.drawings[0])

    def within(self, ands: int) -> Circuit | None:
        """The exact circuit if it has at most ``ands`` And nodes, else one that differs on few inputs, else None."""
        for drawing in self.drawings:
            if drawing.ands <= _MAY_BE_FEWER * ands:
                circuit = self._drawn(drawing) if drawing is not self.drawings[0] else self.circuit
                if circuit.ands() <= ands:
                    return circuit
        return None

    def _drawn(self, drawing: Drawing) -> Circuit:
        builder = CircuitBuilder(_numbered(self.n_inputs))
        return remove_dead(builder.circuit([("y", drawing.make(builder))]))


def subset_bits(n: int, k: int) -> float:
    """To say how many of n there are, and which."""
    return math.log2(n + 1) + (math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)) / math.log(2)


def integer_bits(value: int) -> float:
    """To say a whole number of any size and sign; 2^−bits of all numbers sum to less than 1, as in any code."""
    return 2 * math.log2(abs(value) + 1) + 1.2


def listed(inputs: Iterable[int], most: int = 12) -> str:
    """``{0}, {3}, {7}``, for templates of sentences; long lists are cut."""
    names = [f"{{{index}}}" for index in inputs]
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def _numbered(n_inputs: int) -> list[str]:
    return [f"x{index}" for index in range(n_inputs)]
