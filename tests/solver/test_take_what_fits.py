"""A gate search that fits and is still shortening its circuit says so, and can be told to take what it has."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import boolearn as bl
from boolearn.data import automaton, write

RULE = automaton(30, 16, 1, 300, seed=1)
NETWORK = bl.layered(16, 32, 32, 16)


class Sends(bl.Callback):
    """A signal, when a circuit fits."""

    def __init__(self, number: signal.Signals) -> None:
        self.number = number
        self.stages: list[str] = []

    def on_tick(self, tick: bl.Tick) -> None:
        if tick.stage and not self.stages:
            signal.raise_signal(self.number)
        if tick.stage:
            self.stages.append(tick.stage)


def test_ctrl_c_takes_what_fits() -> None:
    callback = Sends(signal.SIGINT)
    run = bl.train(NETWORK, RULE, solver="gates", items=160, callbacks=[callback], max_seconds=300)
    assert run.status is bl.Status.SOLVED
    assert run.train_accuracy == 1
    assert run.gap == 0
    assert callback.stages
    assert all(stage.startswith("fits, ") for stage in callback.stages)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_termination_leaves_it_for_later(tmp_path: Path, number: signal.Signals) -> None:
    """Batch systems send SIGTERM, a closed terminal SIGHUP: resumed, the result is that of a whole run."""
    table, callback = bl.data.multiplier(2), Sends(number)
    stopped = bl.train([4, 6, 6, 4], table, solver="gates", seed=1, checkpoint=tmp_path, callbacks=[callback])
    assert stopped.status is bl.Status.INTERRUPTED
    kept = bl.Checkpoints(tmp_path, resume=True)
    resumed = bl.train([4, 6, 6, 4], table, solver="gates", seed=1, checkpoint=kept)
    whole = bl.train([4, 6, 6, 4], table, solver="gates", seed=1)
    assert resumed.status is whole.status is bl.Status.SOLVED
    assert (resumed.iterations, resumed.gap) == (whole.iterations, whole.gap)
    assert np.array_equal(resumed.model.weights, whole.model.weights)


def test_hanging_up_stays_ignored_under_nohup() -> None:
    old = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        callback = Sends(signal.SIGHUP)
        run = bl.train([4, 6, 6, 4], bl.data.multiplier(2), solver="gates", seed=1, callbacks=[callback])
    finally:
        signal.signal(signal.SIGHUP, old)
    assert callback.stages
    assert run.status is bl.Status.SOLVED


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_a_closed_terminal_loses_nothing(tmp_path: Path) -> None:
    import pty

    write(RULE, tmp_path / "rule30.dat")
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(tmp_path)
        words = ["train", "rule30.dat", "--layers", "16,16,16", "--max-seconds", "300", "--out", "run"]
        os.execv(sys.executable, [sys.executable, "-m", "boolearn", *words])  # noqa: S606
    begun = time.monotonic()
    while not (tmp_path / "run/live.jsonl").exists() and time.monotonic() - begun < 60:
        if select.select([terminal], [], [], 0.1)[0]:
            os.read(terminal, 1 << 16)
    os.close(terminal)
    os.waitpid(child, 0)
    assert time.monotonic() - begun < 100
    assert (tmp_path / "run/model.safetensors").exists()
    assert list((tmp_path / "run/states").iterdir())


def test_a_search_that_fits_has_no_gap() -> None:
    """Samplers that wander on in search of a shorter circuit have wrong bits; the circuit that was found has none."""
    run = bl.train([4, 6, 6, 4], bl.data.multiplier(2), solver="gates", seed=1)
    fitted = [line for line in run.trace if line.train_accuracy == 1]
    assert len(fitted) > 1
    assert all(line.gap == 0 for line in fitted)
    assert run.gap == 0


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_enter_takes_what_fits(tmp_path: Path) -> None:
    import pty

    write(RULE, tmp_path / "rule30.dat")
    words = ["train", "rule30.dat", "--layers", "16,32,32,16", "--items", "160", "--solver", "gates", "--out", "run"]
    child, terminal = pty.fork()
    if child == 0:
        os.chdir(tmp_path)
        os.execv(sys.executable, [sys.executable, "-m", "boolearn", *words])  # noqa: S606
    shown, pressed, begun = "", False, time.monotonic()
    while time.monotonic() - begun < 120:
        if not select.select([terminal], [], [], 1)[0]:
            continue
        try:
            read = os.read(terminal, 4096)
        except OSError:  # the other end is closed
            break
        shown += read.decode(errors="replace")
        if not pressed and "Enter takes it as it is" in shown:
            os.write(terminal, b"\n")
            pressed = True
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    os.close(terminal)
    assert pressed
    assert "solved: " in shown
    # On a busy machine the line, and so the key, may come after the circuit was shortened; all samples take longer.
    sampled = [tuple(map(int, counts)) for counts in re.findall(r"sampling (\d+)/(\d+)", shown)]
    assert all(done < wanted for done, wanted in sampled), shown
