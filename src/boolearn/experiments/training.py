"""Trainings in plain numbers, as the rows of a record hold them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from boolearn.bench.record import Row
from boolearn.circuit import Circuit
from boolearn.data import Dataset
from boolearn.network import Network
from boolearn.solver import Run, Status
from boolearn.training import train

TRACED = ("iteration", "gap", "least_gap", "train_accuracy", "test_accuracy")


def trained(network: Network | Sequence[int], data: Dataset, **settings: Any) -> Run:
    """``train`` on one thread. A training that was interrupted has no result."""
    run = train(network, data, threads=1, **settings)
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


def dashed(widths: Sequence[int]) -> str:
    """Widths in the name of a job: 4-4-4."""
    return "-".join(map(str, widths))


def arrows(widths: Sequence[int]) -> str:
    """Widths for people: 4→4→4."""
    return "→".join(map(str, widths))
