"""A gradient network as a baseline."""

from __future__ import annotations

from dataclasses import dataclass

from boolearn.baselines.gradient.batches import cyclic, fixed_subset, reshuffled
from boolearn.baselines.gradient.network import VARIANTS, GradientNetwork
from boolearn.baselines.method import Method, Model
from boolearn.checks import checked_choice
from boolearn.data import Dataset

SCHEDULES = {"cyclic": cyclic, "reshuffled": reshuffled, "fixed subset": fixed_subset}


@dataclass(frozen=True)
class Gradient(Method):
    """The final weights count, as in the paper: nothing is chosen on other items."""

    hidden: tuple[int, ...]
    """Widths of the hidden layers."""
    steps: int
    variant: str = "adamw"
    schedule: str | None = None
    """One of SCHEDULES; None for all items in every step."""
    batch: int = 0

    def __post_init__(self) -> None:
        if self.schedule is not None:
            checked_choice("schedule", self.schedule, SCHEDULES)

    @property
    def name(self) -> str:
        batches = "" if self.schedule is None else f", {self.schedule} batches of {self.batch}"
        return VARIANTS[self.variant] + batches

    @property
    def budget(self) -> str:
        return f"{self.steps:,} steps"

    def prepare(self) -> None:
        GradientNetwork((1, 1), threads=1)

    def learn(self, data: Dataset, seed: int) -> Model:
        widths = (data.n_inputs, *self.hidden, data.n_output_nodes)
        network = GradientNetwork(widths, variant=self.variant, seed=seed, threads=1)
        batches = None
        if self.schedule is not None:
            batches = SCHEDULES[self.schedule](len(data), min(self.batch, len(data)), seed)
        network.fit(data, max_steps=self.steps, batches=batches)
        return Model(network.logits, network.n_parameters, "numbers")
