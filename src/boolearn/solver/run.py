"""What comes out: the Outcome of a start, and the Run as a whole, which train returns."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields

import numpy as np
import numpy.typing as npt

from boolearn.circuit import Circuit, extract
from boolearn.data import Dataset
from boolearn.data.signs import Signs
from boolearn.model import BoolNet
from boolearn.solver.status import Status
from boolearn.solver.trace import TraceLine


@dataclass(frozen=True)
class StartSummary:
    """How one random start ended, in one line of a table."""

    seed: int
    status: Status
    iterations: int
    gap: float
    train_accuracy: float
    test_accuracy: float | None
    seconds: float


@dataclass(frozen=True)
class Outcome:
    """What a start found."""

    status: Status
    model: BoolNet
    """The network at the end of a solved start; else the one with the best training accuracy seen."""
    iterations: int
    gap: float
    least_gap: float
    train_accuracy: float
    """Of the model: bits, or classes where the data has labels."""
    test_accuracy: float | None
    seconds: float
    seed: int
    trace: tuple[TraceLine, ...]
    dataset: Dataset = field(repr=False)
    """What it was trained on; with the codes found as inputs where those were free."""
    codes: Signs | None = None
    """Shape (items, n_inputs): for free inputs, the code found for every training item."""
    doubted_inputs: npt.NDArray[np.bool_] | None = None
    """Shape (items, n_inputs): with an allowance for wrong input bits, those believed to be wrong."""

    @property
    def solved(self) -> bool:
        return self.status.solved

    @property
    def proved(self) -> bool:
        """Is the fit a proof? It is when the data is a complete truth table and every bit is right.

        Codes found in training are no data, so for free inputs nothing is proved.
        """
        return self.codes is None and self.train_accuracy == 1.0 and self.dataset.complete

    def doubted(self) -> npt.NDArray[np.bool_]:
        """Shape (items, n_outputs): training bits the model disagrees with, so those it takes for wrong."""
        inputs = self.dataset.inputs
        if self.doubted_inputs is not None:
            inputs = np.where(self.doubted_inputs, -inputs, inputs)
        answers = self.model.predict(inputs)
        return np.atleast_2d(self.dataset.differ(answers).T).T

    def circuit(self) -> Circuit:
        """The exact circuit that answers as the model does on every training item."""
        return extract(self.model, self.dataset)

    def summary(self) -> StartSummary:
        return StartSummary(
            self.seed,
            self.status,
            self.iterations,
            self.gap,
            self.train_accuracy,
            self.test_accuracy,
            self.seconds,
        )


@dataclass(frozen=True, repr=False)
class Run(Outcome):
    """A whole training: the outcome of the best start, and how all of them ended."""

    settings: dict[str, object] = field(default_factory=dict)
    """The parameters of the run, as ``config.toml`` holds them."""
    starts: tuple[StartSummary, ...] = ()

    @classmethod
    def of(cls, best: Outcome, starts: Sequence[StartSummary], settings: dict[str, object]) -> Run:
        found = {field.name: getattr(best, field.name) for field in fields(Outcome)}
        return cls(**found, starts=tuple(starts), settings=settings)

    def circuit(self) -> Circuit:
        """The exact circuit that answers as the model does on every training item, with Xors if these were allowed."""
        circuit = super().circuit()
        return circuit.with_xors() if self.settings.get("xor") else circuit

    def result(self) -> dict[str, object]:
        """The outcome in plain values, as files and scripts want it."""
        return {
            "status": self.status.word,
            "iterations": self.iterations,
            "gap": self.gap if math.isfinite(self.gap) else None,
            "train_accuracy": self.train_accuracy,
            "test_accuracy": self.test_accuracy,
            "seconds": self.seconds,
            "seed": self.seed,
            "starts": len(self.starts),
            "solved_starts": sum(start.status.solved for start in self.starts),
            "proved": self.proved,
        }

    def __repr__(self) -> str:
        return (
            f"Run({self.status.word}, {self.iterations} iterations, gap {self.gap:.4f}, "
            f"train {self.train_accuracy:.2%}, seed {self.seed})"
        )


@dataclass(frozen=True)
class SuccessRate:
    """How often starts are solved and how many iterations a solved one takes."""

    solved: int
    starts: int
    mean_iterations: float
    """Of the solved starts; 0 when there is none."""
    error: float
    """The standard error of that mean."""

    @classmethod
    def of(cls, iterations: Sequence[int], starts: int) -> SuccessRate:
        """From the iterations of the solved starts, and how many starts there were."""
        if not iterations:
            return cls(0, starts, 0.0, 0.0)
        error = float(np.std(iterations)) / math.sqrt(len(iterations))
        return cls(len(iterations), starts, float(np.mean(iterations)), error)


def success_rate(starts: Sequence[StartSummary]) -> SuccessRate:
    """The summary of several starts."""
    return SuccessRate.of([start.iterations for start in starts if start.status.solved], len(starts))
