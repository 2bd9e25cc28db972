"""Measures a search: the gaps and accuracies of a trace line."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from boolearn.data import Dataset, InputKind
from boolearn.data.signs import Signs
from boolearn.engine import Progress
from boolearn.errors import DataError
from boolearn.model import BoolNet
from boolearn.model.scored import ScoredItems
from boolearn.network import Network
from boolearn.ranks import ALONE, Ranks
from boolearn.solver.contract import Search
from boolearn.solver.trace import TraceLine

MOST_ITEMS = 1 << 16
"""A trace line looks at no more items than this; the accuracies of a Run are of all items."""

FEW_VALUES = 1 << 18
"""Items times nodes up to which items are kept ready for trace lines."""


@dataclass(frozen=True)
class Measured:
    """The weights of a search when a trace line was taken."""

    weights: npt.NDArray[np.float64]
    codes: Signs | None
    doubted_inputs: npt.NDArray[np.bool_] | None
    line: TraceLine
    finite: bool


class Measure:
    """Knows the data a search is judged by."""

    def __init__(self, network: Network, train: Dataset, test: Dataset | None, ranks: Ranks = ALONE) -> None:
        self.network = network
        self.ranks = ranks
        self.train = train
        tested = test is not None and not test.input_kind.free and test.specified_bits > 0
        self.test = test if tested else None
        self._few_train = self._few(train)
        self._few_test = None if self.test is None else self._few(self.test)

    def take(self, search: Search, progress: Progress, seconds: float) -> Measured:
        weights, codes = search.weights(), search.codes()
        finite = bool(np.isfinite(weights).all())
        weights = weights if finite else np.zeros_like(weights)
        line = TraceLine(
            iteration=progress.iterations,
            gap_w=progress.gap_w,
            gap_x=progress.gap_x,
            gap_y=progress.gap_y,
            gap=progress.gap,
            least_gap=progress.least_gap,
            train_accuracy=self._at_a_glance(self._few_train, self.train, weights, codes),
            test_accuracy=None if self.test is None else self._at_a_glance(self._few_test, self.test, weights, None),
            seconds=seconds,
        )
        return Measured(weights, codes, search.doubted_inputs(), line, finite)

    def dataset(self, codes: Signs | None) -> Dataset:
        """The training items; where inputs are free, with these codes as inputs."""
        return self.train if codes is None else replace(self.train, inputs=codes, input_kind=InputKind.BOOLEAN)

    def accuracies(self, measured: Measured) -> tuple[float, float | None]:
        """On all training and all test items."""
        line = measured.line
        sampled = max(len(self.train), 0 if self.test is None else len(self.test)) > MOST_ITEMS
        if not sampled:
            return line.train_accuracy, line.test_accuracy
        model = self.model(measured.weights)
        train = self._accuracy(model, self.dataset(measured.codes))
        return train, None if self.test is None else self._accuracy(model, self.test)

    def check(self, measured: Measured) -> None:
        """Refuse what cannot have been measured on this problem."""
        self.model(measured.weights)
        shape = (len(self.train), self.network.n_inputs)
        for name, array in (("codes", measured.codes), ("doubted_inputs", measured.doubted_inputs)):
            if array is not None and array.shape != shape:
                raise DataError(f"{name!r} must have shape {shape}. Got {array.shape} instead.")
        if (measured.codes is not None) != self.train.input_kind.free:
            raise DataError(
                f"codes must be there for free inputs only. Got {self.train.input_kind.value} inputs instead."
            )
        self.dataset(measured.codes)

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

    def _few(self, dataset: Dataset) -> ScoredItems | None:
        few = len(dataset) * self.network.n_nodes <= FEW_VALUES and self.ranks.size == 1
        return ScoredItems(self.network, dataset) if few and ScoredItems.available else None

    def _at_a_glance(
        self, few: ScoredItems | None, dataset: Dataset, weights: npt.NDArray[np.float64], codes: Signs | None
    ) -> float:
        """The accuracy on the items, or on some of them where there are many."""
        if few is not None:
            return few.right(weights, codes) / few.answers
        return self._accuracy(self.model(weights), _some(dataset if codes is None else self.dataset(codes)))

    def _accuracy(self, model: BoolNet, dataset: Dataset) -> float:
        """Every rank counts on its own part of the items."""
        mine = self.ranks.share(len(dataset))
        own = model.right_answers(dataset.take(mine)) if mine.stop > mine.start else (0, 0)
        every = self.ranks.each(own)
        return sum(right for right, _ in every) / sum(of for _, of in every)


def better(new: Measured, old: Measured | None) -> bool:
    """Later weights are crisper, so among equals the last is kept."""
    return old is None or (new.finite and (not old.finite or new.line.train_accuracy >= old.line.train_accuracy))


def _some(dataset: Dataset) -> Dataset:
    """At most that many items, evenly spread; a view, because the data may be larger than the memory."""
    if len(dataset) <= MOST_ITEMS:
        return dataset
    return dataset.take(slice(None, None, -(-len(dataset) // MOST_ITEMS)))
