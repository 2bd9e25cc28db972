"""One stage of several: a network with one hidden layer that reads all signals, trained as ``train`` does it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from boolearn.data import Dataset
from boolearn.model import BoolNet
from boolearn.network import layered
from boolearn.network.wirings import Reads
from boolearn.runs import Checkpoints, data_fingerprint, stage_folder
from boolearn.solver.contract import Solver
from boolearn.solver.run import Outcome, Run
from boolearn.solver.starts import Restarts
from boolearn.solver.watching.callbacks import Callback, Several, Tick
from boolearn.training.signals import Signals
from boolearn.training.train import train


@dataclass(frozen=True)
class Plan:
    """What all stages have in common, checked."""

    dataset: Dataset
    items: int | None
    stages: int
    width: int
    first: tuple[int, ...]
    solver: Solver
    sigma: float
    seed: int
    max_iter: int
    max_seconds: float | None
    restarts: Restarts
    consensus: int
    threads: int | None

    def identity(self) -> dict[str, object]:
        """What must be the same when the stages are resumed; what the solver is given follows from it, so comes
        last."""
        train_part, test_part = self.dataset.split(self.items)
        return {
            "width": self.width,
            "first": list(self.first),
            "consensus": self.consensus,
            "restarts": self.restarts.count,
            "all": self.restarts.all,
            "halving": self.restarts.halving,
            "growing": self.restarts.growing,
            "max_iter": self.max_iter,
            "seed": self.seed,
            "sigma": self.sigma,
            "items": len(train_part),
            "data": data_fingerprint(train_part, test_part),
            "solver": self.solver.name,
            **self.solver.settings(),
        }

    def settings(self) -> dict[str, object]:
        """What the settings of a run say of the stages."""
        settings: dict[str, object] = {"stages": self.stages, "width": self.width}
        settings |= {"max_seconds": self.max_seconds, "seed": self.seed}
        if self.first:
            settings["first"] = list(self.first)
        if self.consensus > 1:
            settings["consensus"] = self.consensus
        return settings

    def seconds_left(self, runs: Sequence[Run]) -> float | None:
        """For each start of the next stage; None for as many as it takes."""
        if self.max_seconds is None:
            return None
        used = sum(start.seconds for run in runs for start in run.starts)
        return (self.max_seconds - used) / self.restarts.count

    def train(
        self,
        number: int,
        signals: Signals,
        max_seconds: float | None,
        checkpoints: Checkpoints | None,
        watching: Several,
    ) -> tuple[Run, list[BoolNet]]:
        """The stage of this number, from 1. Returns its run, and the models of all its starts."""
        dataset = replace(self.dataset, inputs=signals.values, input_names=None)
        deep = bool(self.first) and number == 1
        hidden = self.first if deep else (self.width,)
        reads: Reads = "below" if deep else "inputs"
        stage = _InStage(watching, f"stage {number} of {self.stages}, {dataset.n_inputs} signals")
        run = train(
            layered(dataset.n_inputs, *hidden, dataset.n_output_nodes, reads=reads),
            dataset,
            solver=self.solver,
            sigma=self.sigma,
            items=self.items,
            seed=self.seed + (number - 1) * self.restarts.count,
            max_iter=self.max_iter,
            max_seconds=max_seconds,
            restarts=self.restarts,
            checkpoint=checkpoints and replace(checkpoints, folder=stage_folder(checkpoints.folder, number)),
            callbacks=[stage],
            threads=self.threads,
        )
        return run, stage.models


class _InStage(Callback):
    """Passes on what happens in a stage, and which stage it is. That a stage is over is not the end of the run."""

    def __init__(self, watching: Several, stage: str) -> None:
        self._watching, self._stage = watching, stage
        self.models: list[BoolNet] = []
        """Of all starts, in their order."""

    def on_tick(self, tick: Tick) -> None:
        self._watching.on_tick(self._with_stage(tick))

    def on_trace(self, tick: Tick) -> None:
        self._watching.on_trace(self._with_stage(tick))

    def on_start_end(self, outcome: Outcome) -> None:
        self.models.append(outcome.model)
        self._watching.on_start_end(outcome)

    def _with_stage(self, tick: Tick) -> Tick:
        return replace(tick, stage=f"{self._stage}, {tick.stage}" if tick.stage else self._stage)
