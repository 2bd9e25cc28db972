"""Trainings in plain numbers, as the rows of a record hold them."""

from __future__ import annotations

import contextlib
import itertools
import math
import time
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from typing import Any

import numpy as np

from boolearn.bench.record import Row
from boolearn.circuit import Circuit
from boolearn.data import Dataset
from boolearn.network import Network
from boolearn.runs import Checkpoints
from boolearn.solver import Callback, Run, Status, Tick
from boolearn.training import train

TRACED = ("iteration", "gap", "least_gap", "train_accuracy", "test_accuracy")


_folders: ContextVar[Iterator[Path] | None] = ContextVar("folders", default=None)
"""One for the checkpoints of every training of a job, which always come in the same order."""

_teller: ContextVar[Callable[[Tick], None] | None] = ContextVar("teller", default=None)
"""Who is told where a training stands."""

_SECONDS_BETWEEN_TICKS = 1.0


@contextlib.contextmanager
def checkpoints_in(folder: Path | None) -> Iterator[None]:
    """Trainings inside keep checkpoints there, and resume from those that are there."""
    token = _folders.set(None if folder is None else (folder / str(number) for number in itertools.count()))
    try:
        yield
    finally:
        _folders.reset(token)


@contextlib.contextmanager
def telling(tell: Callable[[Tick], None] | None) -> Iterator[None]:
    """Trainings inside tell where they stand, every second."""
    token = _teller.set(tell)
    try:
        yield
    finally:
        _teller.reset(token)


class _Teller(Callback):
    def __init__(self, tell: Callable[[Tick], None]) -> None:
        self._tell = tell
        self._told = -math.inf

    def on_tick(self, tick: Tick) -> None:
        now = time.monotonic()
        if now - self._told >= _SECONDS_BETWEEN_TICKS:
            self._told = now
            self._tell(tick)


def trained(network: Network | Sequence[int], data: Dataset, **settings: Any) -> Run:
    """``train`` on one thread. A training that was interrupted has no result."""
    folders, tell = _folders.get(), _teller.get()
    checkpoint = None if folders is None else Checkpoints(next(folders), resume=True)
    callbacks = [] if tell is None else [_Teller(tell)]
    run = train(network, data, threads=1, checkpoint=checkpoint, callbacks=callbacks, **settings)
    if run.status is Status.INTERRUPTED:
        raise KeyboardInterrupt
    return run


def outcome(run: Run) -> Row:
    """How a training ended, and its trace in columns."""
    return {
        "solver": run.settings["solver"],
        "sigma": run.settings["sigma"],
        "items": run.settings["items"],
        "seed": run.seed,
        "status": run.status.word,
        "solved": run.solved,
        "iterations": run.iterations,
        "gap": run.gap,
        "least_gap": run.least_gap,
        "train_accuracy": run.train_accuracy,
        "test_accuracy": run.test_accuracy,
        "trace": {name: [getattr(line, name) for line in run.trace] for name in TRACED},
    }


def described(circuit: Circuit) -> Row:
    """A circuit as formulas, from which it can be built again, and in numbers."""
    summary = circuit.summary()
    return {
        "inputs": list(circuit.inputs),
        "outputs": [name for name, _ in circuit.outputs],
        "formulas": circuit.formulas(),
        "gates": {kind.value: count for kind, count in summary.counts.items()},
        "nots": summary.nots,
        "depth": summary.depth,
    }


def mean(rows: Sequence[Row], field: str) -> float:
    """Of one field over some rows."""
    return float(np.mean([row[field] for row in rows]))


def mean_and_error(shares: Sequence[float]) -> str:
    """The mean of shares in percent, with its standard error where there are several."""
    text = f"{np.mean(shares):.2%}"
    if len(shares) > 1:
        text += f" ± {np.std(shares, ddof=1) / math.sqrt(len(shares)):.2%} over {len(shares)} draws"
    return text


def dashed(widths: Sequence[int]) -> str:
    """Widths in the name of a job: 4-4-4."""
    return "-".join(map(str, widths))


def arrows(widths: Sequence[int]) -> str:
    """Widths for people: 4→4→4."""
    return "→".join(map(str, widths))
