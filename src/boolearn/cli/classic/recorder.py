"""Recorder: writes a training's files while it runs, so that it can be watched and stopped early."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from boolearn.data import Codes, InputKind, write_gen
from boolearn.network import write_net
from boolearn.runs.toolkit import RunRecord, summary_of, summary_text, write_command, write_gap, write_run
from boolearn.solver import Callback, Outcome, Status, Tick, TraceLine

ENDINGS = ("cmd", "gap", "run", "sol", "gen")
"""Of the files a training may write."""


class Recorder(Callback):
    """ID.cmd at the first iteration, ID.gap at trace lines, ID.run, ID.sol and ID.gen after runs.

    Nothing is written before an iteration has been done, so a call that is refused leaves no file.
    ID.gap is of the run begun last: runs may go side by side. ID.sol holds the weights with the best
    training accuracy of all runs so far; among equals a solved run's, then those with the least gap.
    """

    def __init__(self, ident: str, command: Sequence[str], runs: int, input_kind: InputKind) -> None:
        self.ident = ident
        self.interrupted = False
        self._command = command
        self._runs = runs
        self._input_kind = input_kind
        self._records: list[RunRecord] = []
        self._trace: list[TraceLine] = []
        self._newest_run = 0
        self._best = (-1.0, False, -math.inf)

    @property
    def summary(self) -> str:
        return summary_text(summary_of(self._records)).strip()

    def on_tick(self, tick: Tick) -> None:
        self._begin()
        if tick.restart > self._newest_run:
            self._newest_run = tick.restart
            self._trace = []
        if tick.restart == self._newest_run and tick.last is not None and tick.last not in self._trace[-1:]:
            self._trace.append(tick.last)
            write_gap(f"{self.ident}.gap", self._trace)

    def on_start_end(self, outcome: Outcome) -> None:
        self.interrupted |= outcome.status is Status.INTERRUPTED
        self._records.append(
            RunRecord(
                number=len(self._records) + 1,
                iterations=outcome.iterations if outcome.solved else 0,
                gap=outcome.gap,
                train_accuracy=outcome.trace[-1].train_accuracy,
                test_accuracy=outcome.trace[-1].test_accuracy,
            )
        )
        self._keep_best(outcome)
        write_run(f"{self.ident}.run", self._records, len(self._records) == self._runs and not self.interrupted)

    def _begin(self) -> None:
        if not self._command:
            return
        write_command(f"{self.ident}.cmd", self._command)
        self._command = ()
        for ending in ("gap", "run"):  # of an earlier training under the same name
            Path(f"{self.ident}.{ending}").unlink(missing_ok=True)

    def _keep_best(self, outcome: Outcome) -> None:
        gap = outcome.gap if math.isfinite(outcome.gap) else math.inf
        quality = (max(line.train_accuracy for line in outcome.trace), outcome.solved, -gap)
        if quality <= self._best:
            return
        self._best = quality
        write_net(outcome.model.network, outcome.model.weights, f"{self.ident}.sol")
        if outcome.codes is not None:
            write_gen(Codes.used_by(outcome.codes, self._input_kind), f"{self.ident}.gen")
