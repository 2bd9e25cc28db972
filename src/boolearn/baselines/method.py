"""What every baseline is: it fits a Dataset, predicts bits, and reports what that took and gave."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from boolearn.circuit import Circuit
from boolearn.data import Dataset
from boolearn.data.signs import Signs, signs_of
from boolearn.errors import ParameterError

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Model:
    """What a method has learned."""

    scores: Callable[[Array], Array]
    """From inputs to shape (items, output nodes): a bit is +1 where its score is positive, and of several classes the
    one with the greatest score is meant. Data without inputs are given their outputs here, to be reproduced.
    """
    size: int
    unit: str
    """What the size counts."""
    circuit: Circuit | None = None
    """The same function as exact gates, where the method gives one."""


@dataclass(frozen=True)
class Report:
    """How well a method learned, on one draw of a problem."""

    train_bits: float
    """Share of right output bits."""
    train_items: float
    """Share of items with all bits right."""
    test_bits: float | None
    test_items: float | None
    cpu_seconds: float
    size: int
    unit: str
    circuit: bool
    """Are these exact gates?"""


@dataclass(frozen=True)
class Fitted:
    """A method after ``fit``."""

    model: Model
    classes: int
    cpu_seconds: float

    def predict(self, inputs: Array) -> Signs:
        """Shape (items, output nodes) of ±1."""
        scores = self.model.scores(inputs)
        if not self.classes:
            return signs_of(scores)
        return np.where(np.arange(self.classes) == scores.argmax(axis=1)[:, None], np.int8(1), np.int8(-1))

    def report(self, train: Dataset, test: Dataset | None = None) -> Report:
        train_bits, train_items = self._accuracies(train)
        test_bits, test_items = (None, None) if test is None else self._accuracies(test)
        model = self.model
        return Report(
            train_bits,
            train_items,
            test_bits,
            test_items,
            self.cpu_seconds,
            model.size,
            model.unit,
            model.circuit is not None,
        )

    def _accuracies(self, data: Dataset) -> tuple[float, float]:
        predicted, wanted = self.predict(data.targets if data.input_kind.free else data.inputs), data.targets
        wrong = (predicted != wanted) & (wanted != 0)  # whatever is predicted where a bit is open is right
        bits = data.specified_bits
        return (bits - int(wrong.sum())) / max(1, bits), float(np.mean(~wrong.any(axis=1)))


class Method(ABC):
    """A method with its settings; a frozen dataclass."""

    takes_open: ClassVar[bool] = False
    """Whether it learns from data that leave output bits open."""

    @property
    @abstractmethod
    def name(self) -> str:
        """What a table calls it."""

    @property
    @abstractmethod
    def budget(self) -> str:
        """How long it may work, in its own units."""

    def prepare(self) -> None:  # noqa: B027 - most methods need nothing
        """Import what ``learn`` needs, before the clock runs."""

    @abstractmethod
    def learn(self, data: Dataset, seed: int) -> Model: ...

    def fit(self, data: Dataset, *, seed: int = 0) -> Fitted:
        """Learn on one thread. The same seed gives the same model where the budget is not a time."""
        if data.open is not None and not self.takes_open:
            raise ParameterError("data", f"without open output bits for {self.name}", data)
        self.prepare()
        begun = time.process_time()
        with threadpool_limits(1):
            model = self.learn(data, seed)
        return Fitted(model, data.classes, time.process_time() - begun)


def circuit_model(circuit: Circuit) -> Model:
    """A circuit is its own model; its size is the number of its gates."""
    return Model(circuit.predict, len(circuit.gates), "gates", circuit)
