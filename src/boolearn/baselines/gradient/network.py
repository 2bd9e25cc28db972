"""A gradient network of the paper: binary cross-entropy on logits, AdamW, by default all items in every step."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.baselines.gradient.batches import Batch
from boolearn.checks import checked_choice, checked_integer, checked_integers, checked_number
from boolearn.cores import check_threads
from boolearn.data import Dataset
from boolearn.data.signs import Signs, signs_of
from boolearn.errors import DataError, MissingExtraError, ParameterError
from boolearn.network import CONSTANT, Network
from boolearn.solver.trace import trace_iterations

STEPS_A_CHECK = 50
"""Steps between two looks at the clock and at the held-out items."""

VARIANTS = {
    "adamw": "ReLU, AdamW",
    "penalty": "Penalty-AdamW",
    "projected": "Projected-AdamW",
    "ste": "sign activations, straight-through",
    "binary-weights": "binary weights, ReLU",
    "binarynet": "BinaryNet, batch normalisation",
    "tanh": "tanh",
}

LEARNING_RATE, WEIGHT_DECAY = 1e-3, 1e-4
"""η and λ_decay of the paper; its β₁, β₂ and ε are PyTorch's own."""

PROJECTED_RATE = 3e-4


@dataclass(frozen=True)
class TrainingLine:
    """What was measured after some step, on all training items."""

    step: int
    loss: float
    train_accuracy: float
    test_accuracy: float | None


class GradientNetwork:
    """Fully connected layers of the given widths, inputs first. The same seed gives the same weights."""

    def __init__(
        self, widths: Sequence[int], *, variant: str = "adamw", seed: int = 0, threads: int | None = None
    ) -> None:
        self.widths = checked_integers("widths", widths, 1, "at least two widths, inputs first")
        if len(self.widths) < 2:
            raise ParameterError("widths", "at least two widths, inputs first", widths)
        self.variant = checked_choice("variant", variant, VARIANTS)
        seed, threads = checked_integer("seed", seed, 0), check_threads(threads)
        try:
            import torch
        except ImportError:
            raise MissingExtraError("training with AdamW", "gradient") from None
        from boolearn.baselines.gradient import layers, rules

        torch.set_num_threads(threads)  # PyTorch knows only one number of threads, for the whole process
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self._net = layers.build(variant, self.widths)
        self._loss = torch.nn.BCEWithLogitsLoss()
        rate = PROJECTED_RATE if variant == "projected" else LEARNING_RATE
        parameters = self._net.parameters()
        self._optimizer = torch.optim.AdamW(parameters, lr=rate, weight_decay=WEIGHT_DECAY, fused=True)
        self._penalty = rules.penalty if variant == "penalty" else None
        after: dict[str, Callable[[Any], None]] = {
            "projected": rules.project,
            "binary-weights": rules.clip,
            "binarynet": rules.clip,
        }
        self._after = after.get(variant)

    @classmethod
    def like(cls, network: Network, *, seed: int = 0, threads: int | None = None) -> GradientNetwork:
        """With the layers of a layered network."""
        below, widths = range(1, network.first_neuron), [network.n_inputs]
        for nodes, senders in network.blocks:
            if network.tied or not np.array_equal(senders, [CONSTANT, *below]):
                raise ParameterError("network", "a layered network without shared weights", network)
            below, widths = nodes, [*widths, len(nodes)]
        return cls(widths, seed=seed, threads=threads)

    @property
    def n_parameters(self) -> int:
        """The numbers that AdamW moves."""
        return sum(parameter.numel() for parameter in self._net.parameters())

    def tensor(self, signs: npt.NDArray[Any]) -> Any:
        """Signs as the zeros and ones that ``step`` takes; analog inputs lie between them."""
        import torch

        return torch.tensor((signs + 1) / 2, dtype=torch.float32)

    def step(self, inputs: Any, targets: Any) -> None:
        """One AdamW step on these items."""
        self._optimizer.zero_grad()
        objective = self._loss(self._net(inputs), targets)
        if self._penalty is not None:
            objective = objective + self._penalty(self._net)
        objective.backward()
        self._optimizer.step()
        if self._after is not None:
            self._after(self._net)

    def fit(
        self,
        data: Dataset,
        *,
        held_out: Dataset | None = None,
        max_steps: int | None = None,
        max_cpu_seconds: float | None = None,
        batches: Iterator[Batch] | None = None,
    ) -> int:
        """Train until a budget is used up; returns how many steps were taken.

        With held-out items the weights that had the least loss on them are kept; they and the CPU
        time are checked every 50 steps. ``batches`` are the items of every step, by default all.
        """
        if max_steps is None and max_cpu_seconds is None:
            raise ParameterError("max_steps", "given when max_cpu_seconds is not", max_steps)
        most = math.inf if max_steps is None else checked_integer("max_steps", max_steps, 0)
        seconds = math.inf
        if max_cpu_seconds is not None:
            seconds = checked_number("max_cpu_seconds", max_cpu_seconds, "a number of at least 0", lambda s: s >= 0)
        for given in (data, held_out):
            if given is not None and given.open is not None:
                raise DataError(f"gradient networks need every output bit. Got {given!r} instead.")
        inputs, targets = self.tensor(data.inputs), self.tensor(data.targets)
        checks = None if held_out is None else (self.tensor(held_out.inputs), self.tensor(held_out.targets))
        best, least = None, math.inf
        steps, begun = 0, time.process_time()
        while steps < most and time.process_time() - begun < seconds:
            for _ in range(int(min(STEPS_A_CHECK, most - steps))):
                if batches is None:
                    self.step(inputs, targets)
                else:
                    batch = next(batches)
                    self.step(inputs[batch], targets[batch])
                steps += 1
            if checks is not None and (loss := self._loss_of(*checks)) < least:
                best, least = {name: value.clone() for name, value in self._net.state_dict().items()}, loss
        if best is not None:
            self._net.load_state_dict(best)
        return steps

    def traced_fit(
        self, data: Dataset, max_steps: int, *, test: Dataset | None = None, batches: Iterator[Batch] | None = None
    ) -> list[TrainingLine]:
        """Train and measure at geometrically spaced steps and at the last. The last weights are kept, not the best."""
        lines: list[TrainingLine] = []
        done = 0
        for step in trace_iterations():
            done += self.fit(data, max_steps=min(step, max_steps) - done, batches=batches)
            tested = None if test is None else self.accuracy(test)
            lines.append(TrainingLine(done, self.loss(data), self.accuracy(data), tested))
            if step >= max_steps:
                break
        return lines

    def loss(self, data: Dataset) -> float:
        """The mean cross-entropy of an output bit, without penalties."""
        return self._loss_of(self.tensor(data.inputs), self.tensor(data.targets))

    def logits(self, inputs: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
        """Of every output, in shape (items, outputs)."""
        with self._evaluating():
            values: npt.NDArray[np.float32] = self._net(self.tensor(inputs)).numpy()
        return values

    def predict(self, inputs: npt.NDArray[Any]) -> Signs:
        """±1 for every output."""
        return signs_of(self.logits(inputs))

    def accuracy(self, data: Dataset) -> float:
        """The share of right output bits."""
        return float(np.mean(self.predict(data.inputs) == data.targets))

    def _loss_of(self, inputs: Any, targets: Any) -> float:
        with self._evaluating():
            return float(self._loss(self._net(inputs), targets))

    @contextlib.contextmanager
    def _evaluating(self) -> Iterator[None]:
        """Batch normalisation takes the statistics of training, not those of the items at hand."""
        import torch

        self._net.eval()
        with torch.no_grad():
            yield
        self._net.train()
