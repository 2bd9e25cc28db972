"""Learned: what learn returns."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy.typing as npt

from boolearn.circuit import Circuit
from boolearn.data.signs import Signs
from boolearn.learning.estimate import Estimate
from boolearn.solver import Run


@dataclass(frozen=True)
class Tried:
    """One candidate for one output."""

    output: str
    method: str
    train_accuracy: float
    valid_accuracy: float
    ands: int
    chosen: bool = False


@dataclass(frozen=True)
class Learned:
    """A circuit learned from examples, and how far it can be trusted."""

    circuit: Circuit
    method: str
    """What the circuit is, where the outputs differ for each of them."""
    train_accuracy: float
    """The share of right bits on the training rows."""
    accuracy: Estimate
    """On unseen rows, estimated from the validation rows. The interval allows for the choice among all candidates.
    Where the circuit was trained once more, the estimate is that of the circuit before, which had seen fewer rows."""
    ands: int
    """And nodes of the And-inverter graph."""
    why: str
    """Why this circuit and no other."""
    tried: tuple[Tried, ...]
    contradictory: int
    """Rows whose inputs also occur with other outputs; no circuit is right on all of them."""
    duplicates: int
    """Rows that occur before with the same inputs and outputs."""
    seed: int
    seconds: float
    work: int
    """Units of work that the search was planned with: ``max_work`` of this number gives the same result, unless..."""
    cut: bool
    """...time or Ctrl-C stopped the search before it had done its work."""
    trained_again: bool
    """On training and validation rows together, after the choice."""
    run: Run | None = field(default=None, repr=False)
    """Of the solver, where a network was trained."""

    @property
    def depth(self) -> int:
        return self.circuit.depth

    def predict(self, inputs: npt.ArrayLike) -> Signs:
        """Shape (rows, outputs): the circuit's answers as ±1."""
        return self.circuit.predict(inputs)

    def result(self) -> dict[str, object]:
        """The outcome in plain values, as files and scripts want it."""
        return {
            "train_accuracy": self.train_accuracy,
            "valid_accuracy": self.accuracy.accuracy,
            "valid_low": self.accuracy.low,
            "valid_high": self.accuracy.high,
            "ands": self.ands,
            "depth": self.depth,
            "method": self.method,
            "why": self.why,
            "candidates": len(self.tried),
            "contradictory": self.contradictory,
            "duplicates": self.duplicates,
            "trained_again": self.trained_again,
            "seconds": self.seconds,
            "seed": self.seed,
            "work": self.work,
            "cut": self.cut,
        }

    def __str__(self) -> str:
        several = len(self.circuit.outputs) > 1
        outputs, what = (f"{len(self.circuit.outputs)} outputs, ", "bits of ") if several else ("", "")
        return (
            f"{outputs}{self.ands} And nodes, depth {self.depth}; {what}unseen rows: {self.accuracy} estimated; "
            f"{what}training rows: {self.train_accuracy:.2%}; {self.method}"
        )
