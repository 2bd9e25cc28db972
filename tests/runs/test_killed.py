"""A run that is killed and resumed, again and again, ends as one that was never killed."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from killable import CASES, leg, outcome, run_case

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs SIGKILL")
# A process forked from a server that has imported everything begins at once.
PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(
    ["boolearn.training.train", "boolearn.engine.native", "boolearn.solver.gates.annealer"]
)

LONGEST_LEG = 0.25
CHUNK = {"gates": 100, "gates side by side": 100, "hybrid": 100}


def measured_length(case: str, seconds: float) -> int:
    """For how many iterations a start has to be told to run, for the run to last about so long on this machine."""
    some = CHUNK.get(case, 1000)
    begun = time.perf_counter()
    while True:
        run_case(case, some)
        took = time.perf_counter() - begun
        if took > max(0.3, seconds / 5):  # long enough for a rate that still changes
            return max(some, int(some * seconds / took))
        some, begun = 3 * some, time.perf_counter()


def ended_on_the_way(
    case: str, max_iter: int, directory: Path, times: int, number: signal.Signals
) -> tuple[dict[str, Any], int]:
    """What comes out of a run that gets a signal so many times, and how often it did."""
    moments = random.Random(times)  # noqa: S311
    ended = 0
    while True:
        listener, teller = PROCESSES.Pipe(duplex=False)
        process = PROCESSES.Process(target=leg, args=(case, max_iter, directory, teller))
        process.start()
        teller.close()
        signalled = False
        if ended < times:
            # Now and then before anything was done, else while it iterates, writes or is about to end.
            if number == signal.SIGINT or moments.random() < 0.9:
                listener.poll(60)
            process.join(moments.uniform(0, LONGEST_LEG))
            if process.is_alive():
                assert process.pid is not None
                os.kill(process.pid, number)
                signalled = True
                ended += 1
        process.join(120)
        assert process.exitcode == 0 or signalled
        listener.close()
        process.close()
        if not signalled:
            return json.loads((directory / "outcome.json").read_text()), ended


def check(case: str, times: int, directory: Path, number: signal.Signals = signal.SIGKILL) -> None:
    max_iter = measured_length(case, times * LONGEST_LEG * 1.3)
    found, ended = ended_on_the_way(case, max_iter, directory, times, number)
    assert ended == times
    assert found == outcome(run_case(case, max_iter))
    left = [path.name for path in (directory / "states").iterdir()]
    assert all(name.startswith("start-") for name in left), "nothing half-written is left"


SLOW = pytest.mark.slow


@pytest.mark.parametrize("case", ["single", pytest.param("halving", marks=SLOW), pytest.param("gates", marks=SLOW)])
def test_ctrl_c_and_on_again(case: str, tmp_path: Path) -> None:
    check(case, 3, tmp_path, signal.SIGINT)


@pytest.mark.parametrize("case", ["oldest item, codes", pytest.param("halving", marks=SLOW), "gates"])
def test_four_kills(case: str, tmp_path: Path) -> None:
    check(case, 4, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_fifty_kills(case: str, tmp_path: Path) -> None:
    check(case, 50, tmp_path)
