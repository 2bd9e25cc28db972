"""Problem: what a solver is to solve. A network, the data it must learn, and a margin for every neuron."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from boolearn.data import Dataset
from boolearn.data.signs import Signs
from boolearn.errors import DataError
from boolearn.network import Network
from boolearn.problem.margins import Sigma, margins
from boolearn.problem.noise import allowance, answers_in, check_noise


@dataclass(frozen=True, eq=False)
class Problem:
    """Find weights with which every neuron is right, with its margin, on every item."""

    network: Network
    dataset: Dataset
    sigma: Sigma = 3.0
    noise: float = 0.0
    """The fraction of output bits that may be held flipped, or of items that may be held at another class."""
    input_noise: float = 0.0
    """The fraction of input bits that may be held flipped."""
    support: float = math.inf
    """The most inputs a neuron may have in effect, (Σ|w|)²/Σw² (``support.py``); unbounded in the paper."""
    margins: npt.NDArray[np.float64] = field(init=False)
    """Shape (n_neurons,)."""

    def __post_init__(self) -> None:
        check_fit(self.network, self.dataset)
        check_noise(self.dataset, self.noise, self.input_noise)
        object.__setattr__(self, "margins", margins(self.network, self.sigma))

    @cached_property
    def targets(self) -> Signs:
        """Shape (items, n_outputs): ±1 at the output nodes, 0 where the data leave a bit open."""
        return self.dataset.targets

    def of_items(self, items: slice) -> Problem:
        """The same problem with some of the items only."""
        return replace(self, dataset=self.dataset.take(items))

    @property
    def n_items(self) -> int:
        return len(self.dataset)

    @property
    def output_flips(self) -> int:
        """How many output bits, of all items, may be held flipped at a time; for classes, how many items."""
        return allowance(self.noise, answers_in(self.dataset))

    @property
    def input_flips(self) -> int:
        """How many input bits, of all items, may be held flipped at a time."""
        return allowance(self.input_noise, self.n_items * self.network.n_inputs)


def check_fit(network: Network, dataset: Dataset) -> None:
    """Refuse data whose widths are not the network's."""
    sides = [("outputs", network.n_outputs, dataset.n_output_nodes)]
    if not dataset.input_kind.free:
        sides.insert(0, ("inputs", network.n_inputs, dataset.n_inputs))
    for what, wanted, found in sides:
        if wanted != found:
            raise DataError(f"The network has {wanted} {what}, the data {found}; they must be the same.")
