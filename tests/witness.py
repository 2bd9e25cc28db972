"""A callback that keeps what it is told."""

from __future__ import annotations

from boolearn.solver import Callback, Outcome, Tick, TraceLine


class Witness(Callback):
    def __init__(self) -> None:
        self.ticks: list[Tick] = []
        self.lines: list[TraceLine] = []
        self.outcomes: list[Outcome] = []
        self.closed = 0

    def on_tick(self, tick: Tick) -> None:
        self.ticks.append(tick)

    def on_trace(self, tick: Tick) -> None:
        assert tick.last is not None
        self.lines.append(tick.last)

    def on_start_end(self, outcome: Outcome) -> None:
        self.outcomes.append(outcome)

    def close(self) -> None:
        self.closed += 1
