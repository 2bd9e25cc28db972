"""The paper's gradient network: ReLU layers, binary cross-entropy, AdamW, all items in every step.

PyTorch is imported when a network is built; it comes with the extra ``gradient``.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.checks import checked_integer, checked_integers, checked_number
from boolearn.cores import check_threads
from boolearn.data import Dataset
from boolearn.data.signs import Signs, signs_of
from boolearn.errors import MissingExtraError, ParameterError
from boolearn.network import CONSTANT, Network

STEPS_A_CHECK = 50
"""Steps between two looks at the clock and at the held-out items."""


class GradientNetwork:
    """Fully connected layers of the given widths, inputs first. The same seed gives the same weights."""

    def __init__(self, widths: Sequence[int], *, seed: int = 0, threads: int | None = None) -> None:
        self.widths = checked_integers("widths", widths, 1, "at least two widths, inputs first")
        if len(self.widths) < 2:
            raise ParameterError("widths", "at least two widths, inputs first", widths)
        seed, threads = checked_integer("seed", seed, 0), check_threads(threads)
        try:
            import torch
        except ImportError:
            raise MissingExtraError("training with AdamW", "gradient") from None
        torch.set_num_threads(threads)  # PyTorch knows only one number of threads, for the whole process
        layers: list[Any] = []
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            for below, width in itertools.pairwise(self.widths):
                layers += [torch.nn.Linear(below, width), torch.nn.ReLU()]
        self._net = torch.nn.Sequential(*layers[:-1])
        self._loss = torch.nn.BCEWithLogitsLoss()
        self._optimizer = torch.optim.AdamW(self._net.parameters(), lr=1e-3, weight_decay=1e-4)

    @classmethod
    def like(cls, network: Network, *, seed: int = 0, threads: int | None = None) -> GradientNetwork:
        """With the layers of a layered network."""
        below, widths = range(1, network.first_neuron), [network.n_inputs]
        for nodes, senders in network.blocks:
            if network.tied or not np.array_equal(senders, [CONSTANT, *below]):
                raise ParameterError("network", "a layered network without shared weights", network)
            below, widths = nodes, [*widths, len(nodes)]
        return cls(widths, seed=seed, threads=threads)

    def tensor(self, signs: npt.NDArray[Any]) -> Any:
        """Signs as the zeros and ones that ``step`` takes."""
        import torch

        return torch.tensor((signs + 1) / 2, dtype=torch.float32)

    def step(self, inputs: Any, targets: Any) -> None:
        """One AdamW step on all items."""
        self._optimizer.zero_grad()
        self._loss(self._net(inputs), targets).backward()
        self._optimizer.step()

    def fit(
        self,
        data: Dataset,
        *,
        held_out: Dataset | None = None,
        max_steps: int | None = None,
        max_cpu_seconds: float | None = None,
    ) -> int:
        """Train until a budget is used up; returns how many steps were taken.

        With held-out items the weights that had the least loss on them are kept; they and the CPU
        time are checked every 50 steps.
        """
        if max_steps is None and max_cpu_seconds is None:
            raise ParameterError("max_steps", "given when max_cpu_seconds is not", max_steps)
        most = math.inf if max_steps is None else checked_integer("max_steps", max_steps, 0)
        seconds = math.inf
        if max_cpu_seconds is not None:
            seconds = checked_number("max_cpu_seconds", max_cpu_seconds, "a number of at least 0", lambda s: s >= 0)
        inputs, targets = self.tensor(data.inputs), self.tensor(data.targets)
        checks = None if held_out is None else (self.tensor(held_out.inputs), self.tensor(held_out.targets))
        best, least = None, math.inf
        steps, begun = 0, time.process_time()
        while steps < most and time.process_time() - begun < seconds:
            for _ in range(int(min(STEPS_A_CHECK, most - steps))):
                self.step(inputs, targets)
                steps += 1
            if checks is not None and (loss := self._loss_of(*checks)) < least:
                best, least = {name: value.clone() for name, value in self._net.state_dict().items()}, loss
        if best is not None:
            self._net.load_state_dict(best)
        return steps

    def loss(self, data: Dataset) -> float:
        """The mean cross-entropy of an output bit."""
        return self._loss_of(self.tensor(data.inputs), self.tensor(data.targets))

    def predict(self, inputs: npt.NDArray[Any]) -> Signs:
        """±1 for every output."""
        import torch

        with torch.no_grad():
            return signs_of(self._net(self.tensor(inputs)).numpy())

    def accuracy(self, data: Dataset) -> float:
        """The share of right output bits."""
        return float(np.mean(self.predict(data.inputs) == data.targets))

    def _loss_of(self, inputs: Any, targets: Any) -> float:
        import torch

        with torch.no_grad():
            return float(self._loss(self._net(inputs), targets))
