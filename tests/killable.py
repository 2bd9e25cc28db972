"""Runs that can be killed: what they are, a process that resumes one, and what came out."""

from __future__ import annotations

import json
from dataclasses import asdict
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from boolearn.data import Dataset, InputKind, multiplier
from boolearn.files import write_text
from boolearn.network import Network, layered
from boolearn.runs import Checkpoints
from boolearn.solver import Batch, Callback, Linear, Restarts, Run, Tick
from boolearn.training import Noise, train

_RANDOM = np.random.default_rng(7)
_NOISE = Dataset(_RANDOM.integers(0, 2, (64, 6)), _RANDOM.integers(0, 2, (64, 3)))
"""Nothing to be learned, so no search ends before its budget."""
_VECTORS = Dataset.generative(_RANDOM.integers(0, 2, (12, 6)), InputKind.ANY_CODE)

CASES: dict[str, tuple[Network, Dataset, dict[str, Any]]] = {
    "single": (layered(4, 4, 4, 4), multiplier(2), {"items": 12}),
    "side by side": (layered(6, 4, 3), _NOISE, {"restarts": Restarts(5, side_by_side=True), "threads": 2}),
    "whole batches": (layered(6, 4, 3), _NOISE, {"batch": 8, "beta": Linear(0.6, 0.2, 2000)}),
    "oldest item, codes": (layered(3, 5, 6), _VECTORS, {"batch": Batch(5, rule="oldest")}),
    "halving": (layered(6, 4, 3), _NOISE, {"restarts": Restarts(6, halving=2, side_by_side=True), "threads": 2}),
    "noise": (layered(6, 4, 3), _NOISE, {"noise": Noise(0.03, 0.02)}),
    "gates": (layered(6, 4, 3), _NOISE, {"solver": "gates"}),
    "hybrid": (layered(6, 4, 3), _NOISE, {"solver": "hybrid"}),
    "gates side by side": (layered(6, 4, 3), _NOISE, {"solver": "gates", "restarts": 3, "threads": 2}),
}


def run_case(case: str, max_iter: int, **options: Any) -> Run:
    network, dataset, settings = CASES[case]
    exact = {} if settings.get("solver") == "gates" else {"gap_tol": 0}
    return train(network, dataset, max_iter=max_iter, **{**exact, **settings, **options})


class Begun(Callback):
    """Tells another process that iterations are being done."""

    def __init__(self, listener: Connection) -> None:
        self.listener = listener
        self.told = False

    def on_tick(self, tick: Tick) -> None:
        if not self.told:
            self.told = True
            self.listener.send(tick.iteration)


def leg(case: str, max_iter: int, directory: Path, listener: Connection, **options: Any) -> None:
    """Resume a run, as a process of its own; what came out is in a file when it ends."""
    run = run_case(
        case,
        max_iter,
        checkpoint=Checkpoints(directory / "states", every=0.02, resume=True),
        callbacks=[Begun(listener)],
        **options,
    )
    write_text(directory / "outcome.json", json.dumps(outcome(run)))


def outcome(run: Run) -> dict[str, Any]:
    """All that must not depend on when a run was stopped: everything but seconds."""
    plain = {
        "status": run.status.word,
        "seed": run.seed,
        "iterations": run.iterations,
        "gaps": [run.gap, run.least_gap],
        "accuracies": [run.train_accuracy, run.test_accuracy],
        "weights": run.model.weights.tolist(),
        "codes": None if run.codes is None else run.codes.tolist(),
        "doubted_inputs": None if run.doubted_inputs is None else run.doubted_inputs.tolist(),
        "trace": [{**asdict(line), "seconds": 0} for line in run.trace],
        "starts": [{**asdict(start), "status": start.status.word, "seconds": 0} for start in run.starts],
    }
    copy: dict[str, Any] = json.loads(json.dumps(plain))
    return copy
