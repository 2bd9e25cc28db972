"""Starts and candidates in other processes, through joblib: the same result as here, whatever the backend."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import pytest
from joblib._parallel_backends import LokyBackend

from boolearn.data import multiplier
from boolearn.learning import Learned, learn
from boolearn.runs import Checkpoints
from boolearn.solver import RRR, Callback, Choice, Outcome, Restarts, Run
from boolearn.training import train
from boolearn.tuning import tune
from killable import outcome


@contextmanager
def loky() -> Iterator[None]:
    with joblib.parallel_config("loky", n_jobs=2):
        yield


@pytest.fixture(scope="module")
def dask() -> Iterator[None]:
    """A cluster of real processes on this machine."""
    distributed = pytest.importorskip("distributed", reason="dask's distributed is not installed")
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        distributed.Client(cluster),
    ):
        yield


class AllTogether(LokyBackend):  # type: ignore[misc]
    """A backend that, as Ray's, returns results only when all are there."""

    supports_return_generator = False


joblib.register_parallel_backend("all together", AllTogether)


@pytest.fixture(params=["loky", "dask", "all together"])
def backend(request: pytest.FixtureRequest) -> Any:
    if request.param == "dask":
        request.getfixturevalue("dask")
        return joblib.parallel_config("dask")
    return joblib.parallel_config(request.param, n_jobs=2)


def search(restarts: Restarts, max_iter: int = 600, **options: object) -> Run:
    return train([4, 4, 4, 4], multiplier(2), beta=0.5, max_iter=max_iter, restarts=restarts, **options)  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_starts_elsewhere_come_to_the_same_as_here(backend: Any) -> None:
    here = outcome(search(Restarts(30), 1500))
    assert 1 < len(here["starts"]) < 30  # the first that is solved ends it, and is not the very first
    with backend:
        assert outcome(search(Restarts(30), 1500)) == here


def test_halving_continues_starts_in_other_processes() -> None:
    here = outcome(search(Restarts(6, halving=2), gap_tol=0))
    with loky():
        assert outcome(search(Restarts(6, halving=2), gap_tol=0)) == here


class Ends(Callback):
    def __init__(self) -> None:
        self.seeds: list[int] = []

    def on_start_end(self, outcome: Outcome) -> None:
        self.seeds.append(outcome.seed)


def test_ends_are_told_and_kept_here(tmp_path: Path) -> None:
    told, again = Ends(), Ends()
    with loky():
        first = search(Restarts(3, all=True), callbacks=[told], checkpoint=tmp_path)
        second = search(Restarts(3, all=True), callbacks=[again], checkpoint=Checkpoints(tmp_path, resume=True))
    assert told.seeds == again.seeds == [0, 1, 2]
    assert first.starts == second.starts  # to the second, so nothing ran again
    assert len(list(tmp_path.glob("start-*.npz"))) == 3


def test_tuning_tries_starts_elsewhere() -> None:
    def best() -> list[tuple[object, ...]]:
        solver = RRR(beta=Choice(0.2, 0.5))
        tuned = tune([4, 4, 4, 4], multiplier(2), solver, trials=2, starts=3, max_iter=300)
        return [(tried.values, [start.iterations for start in tried.summaries]) for tried in tuned.settings]

    here = best()
    with loky():
        assert best() == here


def learned(**options: Any) -> Learned:
    """Two outputs, of which one is random: the searches share a network, then the outputs have their own."""
    inputs = np.random.default_rng(1).random((120, 8)) < 0.5
    outputs = np.stack([inputs[:, 0] & inputs[:, 1] ^ inputs[:, 2], np.random.default_rng(2).random(120) < 0.5], axis=1)
    return learn(inputs, outputs, classes=(), **options)


@pytest.mark.slow
@pytest.mark.parametrize("backend", ["loky", "dask"], indirect=True)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_candidates_elsewhere_come_to_the_same_as_here(backend: Any) -> None:
    here = learned(max_work=300_000, threads=1)
    with backend:
        found = learned(max_work=300_000, threads=1, progress=True)
    assert (found.circuit, found.method, found.tried) == (here.circuit, here.method, here.tried)
    assert not found.cut


def test_ctrl_c_keeps_the_best_candidate_that_has_come_back() -> None:
    with loky():
        timer = threading.Timer(1.0, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        begun = time.monotonic()
        found = learned(max_seconds=600)
    assert time.monotonic() - begun < 100
    assert found.cut
    assert found.tried
