"""A callback that keeps what it hears."""

from __future__ import annotations

from boolearn.solver import Callback, Checkpoint, Run, Tick


class Witness(Callback):
    def __init__(self) -> None:
        self.ticks: list[Tick] = []
        self.checkpoints: list[Checkpoint] = []
        self.runs: list[Run] = []
        self.closed = 0

    def on_tick(self, tick: Tick) -> None:
        self.ticks.append(tick)

    def on_checkpoint(self, tick: Tick) -> None:
        assert tick.last is not None
        self.checkpoints.append(tick.last)

    def on_run_end(self, run: Run) -> None:
        self.runs.append(run)

    def close(self) -> None:
        self.closed += 1
