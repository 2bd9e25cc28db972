"""Recorder: writes a training's files while it goes on, so that it can be watched and cut short."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from boolearn.data import Codes, InputKind, write_gen
from boolearn.network import write_net
from boolearn.solver import Callback, Checkpoint, Run, Status, Tick
from boolearn.solver.records import RunRecord, RunSummary, write_command, write_gap, write_run


class Recorder(Callback):
    """ID.cmd at the first iteration, ID.gap at checkpoints, ID.run, ID.sol and ID.gen after runs.

    Nothing is written before an iteration has been done, so a call that is refused leaves no file.
    ID.gap is of the run that goes on; ID.sol holds the weights with the best training accuracy of
    all runs so far, among equals those with the smaller gap.
    """

    def __init__(self, ident: str, command: Sequence[str], runs: int, input_kind: InputKind) -> None:
        self.ident = ident
        self.last_status: Status | None = None
        self._command = command
        self._runs = runs
        self._input_kind = input_kind
        self._records: list[RunRecord] = []
        self._checkpoints: list[Checkpoint] = []
        self._best = (False, -1.0, 0.0)

    @property
    def summary(self) -> RunSummary:
        return RunSummary.of(self._records)

    def on_tick(self, tick: Tick) -> None:  # noqa: ARG002
        self._begin()

    def on_checkpoint(self, checkpoint: Checkpoint) -> None:
        self._begin()
        self._checkpoints.append(checkpoint)
        write_gap(f"{self.ident}.gap", self._checkpoints)

    def on_run_end(self, run: Run) -> None:
        self.last_status = run.status
        self._checkpoints = []
        self._records.append(
            RunRecord(
                number=len(self._records) + 1,
                iterations=run.iterations if run.solved else 0,
                gap=run.gap,
                train_accuracy=run.train_accuracy,
                test_accuracy=run.test_accuracy,
            )
        )
        self._keep_best(run)
        finished = len(self._records) == self._runs and run.status is not Status.INTERRUPTED
        write_run(f"{self.ident}.run", self._records, finished)

    def _begin(self) -> None:
        if not self._command:
            return
        for ending in ("gap", "run"):  # of an earlier training under the same name
            Path(f"{self.ident}.{ending}").unlink(missing_ok=True)
        write_command(f"{self.ident}.cmd", self._command)
        self._command = ()

    def _keep_best(self, run: Run) -> None:
        quality = (run.solved, max(checkpoint.train_accuracy for checkpoint in run.trace), -run.gap)
        if quality <= self._best:
            return
        self._best = quality
        write_net(f"{self.ident}.sol", run.model.network, run.model.weights)
        if run.codes is not None:
            write_gen(Codes.used_by(run.codes, self._input_kind), f"{self.ident}.gen")
