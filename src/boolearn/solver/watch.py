"""Measures a search at its checkpoints and keeps the best weights seen."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from boolearn.data import Dataset, InputKind
from boolearn.data.signs import Signs
from boolearn.engine import Progress
from boolearn.errors import DataError
from boolearn.model import BoolNet
from boolearn.network import Network
from boolearn.solver.search import Search
from boolearn.solver.trace import Checkpoint

MOST_MEASURED = 1 << 16
"""As many items are looked at for a line of the trace; the accuracies of a Run are of all."""


@dataclass(frozen=True)
class Seen:
    """Weights of a search at one of its checkpoints."""

    weights: npt.NDArray[np.float64]
    codes: Signs | None
    doubted_inputs: npt.NDArray[np.bool_] | None
    line: Checkpoint
    finite: bool


class Watch:
    """Knows the data a search is judged by."""

    def __init__(self, network: Network, train: Dataset, test: Dataset | None) -> None:
        self.network = network
        self.train = train
        self.test = test if test is not None and not test.input_kind.free else None

    def look(self, search: Search, iteration: int, progress: Progress, least_gap: float, seconds: float) -> Seen:
        weights, codes = search.weights(), search.codes()
        finite = bool(np.isfinite(weights).all())
        weights = weights if finite else np.zeros_like(weights)
        model = self.model(weights)
        line = Checkpoint(
            iteration=iteration,
            gap_w=progress.gap_w,
            gap_x=progress.gap_x,
            gap_y=progress.gap_y,
            gap=progress.gap,
            least_gap=least_gap,
            train_accuracy=model.accuracy(_some(self.dataset(codes))),
            test_accuracy=None if self.test is None else model.accuracy(_some(self.test)),
            seconds=seconds,
        )
        return Seen(weights, codes, search.doubted_inputs(), line, finite)

    def dataset(self, codes: Signs | None) -> Dataset:
        """The training items; where inputs are free, with these codes as inputs."""
        return self.train if codes is None else replace(self.train, inputs=codes, input_kind=InputKind.BOOLEAN)

    def accuracies(self, seen: Seen) -> tuple[float, float | None]:
        """On all training and all test items."""
        line = seen.line
        sampled = max(len(self.train), 0 if self.test is None else len(self.test)) > MOST_MEASURED
        if not sampled:
            return line.train_accuracy, line.test_accuracy
        model = self.model(seen.weights)
        return model.accuracy(self.dataset(seen.codes)), None if self.test is None else model.accuracy(self.test)

    def check(self, seen: Seen) -> None:
        """Refuse what was never seen of this problem."""
        self.model(seen.weights)
        shape = (len(self.train), self.network.n_inputs)
        for name, array in (("codes", seen.codes), ("doubted_inputs", seen.doubted_inputs)):
            if array is not None and array.shape != shape:
                raise DataError(f"{name!r} must have shape {shape}. Got {array.shape} instead.")
        if (seen.codes is not None) != self.train.input_kind.free:
            raise DataError(
                f"codes must be there for free inputs only. Got {self.train.input_kind.value} inputs instead."
            )
        self.dataset(seen.codes)

    def model(self, weights: npt.NDArray[np.float64]) -> BoolNet:
        kind = self.train.input_kind if not self.train.input_kind.free else InputKind.BOOLEAN
        return BoolNet(
            self.network,
            weights,
            input_kind=kind,
            classes=self.train.classes,
            input_names=self.train.input_names,
            output_names=self.train.output_names,
        )


def better(new: Seen, old: Seen | None) -> bool:
    """Later weights are crisper, so among equals the last is kept."""
    return old is None or (new.finite and (not old.finite or new.line.train_accuracy >= old.line.train_accuracy))


def _some(dataset: Dataset) -> Dataset:
    """At most so many items, evenly spread; a view, for the data may be larger than the memory."""
    if len(dataset) <= MOST_MEASURED:
        return dataset
    return dataset.take(slice(None, None, -(-len(dataset) // MOST_MEASURED)))
