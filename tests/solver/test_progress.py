from __future__ import annotations

import io
import time

import pytest

from boolearn.data import Dataset
from boolearn.network import layered
from boolearn.solver import Tick, TraceLine
from boolearn.solver.watching.progress import ProgressLine, clock, describe, shown
from boolearn.training import train
from boolearn.tuning.progress import TuningLine


@pytest.fixture(autouse=True)
def _a_plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def tick(**changes: object) -> Tick:
    last = TraceLine(900, 0.1, 0.1, 0.1, 0.3, 0.2, 0.975, 0.5, 1.0)
    values = {
        "restart": 2, "restarts": 5, "seed": 7, "iteration": 1000, "max_iter": 4000, "max_seconds": None,
        "seconds": 2.0, "gap": 0.25, "least_gap": 0.2, "last": last,
    }  # fmt: skip
    return Tick(**{**values, **changes})  # type: ignore[arg-type]


def test_a_line_tells_rate_gap_accuracy_and_time_left() -> None:
    assert describe(tick()) == (
        "start 2/5, iteration 1000/4000, 500/s, gap 0.2500 (least 0.2000), "
        "train 97.50 %, test 50.00 %, at most 6.0 s left"
    )
    assert "at most 1.0 s left" in describe(tick(max_seconds=3.0))
    assert describe(tick(restarts=1, last=None, max_iter=None)) == "iteration 1000, 500/s, gap 0.2500 (least 0.2000)"


@pytest.mark.parametrize(("seconds", "text"), [(5.25, "5.2 s"), (75, "1:15"), (3725, "1:02:05")])
def test_durations_can_be_read(seconds: float, text: str) -> None:
    assert clock(seconds) == text


def test_a_terminal_is_shown_the_same_with_a_curve(two_bit_multiplier: Dataset) -> None:
    what = shown(tick(max_seconds=3.0), [0.4, 0.2])
    assert what.title == "start 2/5, iteration 1000/4000"
    assert what.done == pytest.approx(2 / 3)
    assert what.left == "at most 1.0 s left"
    assert what.facts == ["gap 0.2500", "least 0.2000", "500/s", "train 97.50 %", "test 50.00 %"]
    stream = Terminal()
    train(layered(4, 4, 4, 4), two_bit_multiplier, max_iter=200, callbacks=[ProgressLine(stream)])
    text = stream.getvalue()
    assert "iteration " in text
    assert text.endswith("s\n")
    assert "seed 0: budget after 200 iterations" in text


def test_a_file_gets_plain_lines(two_bit_multiplier: Dataset) -> None:
    stream = io.StringIO()
    train(layered(4, 4, 4, 4), two_bit_multiplier, max_iter=200, restarts=3, callbacks=[ProgressLine(stream)])
    lines = stream.getvalue().splitlines()
    assert "\r" not in stream.getvalue()
    assert [line.split(":")[0] for line in lines] == ["seed 0", "seed 1", "seed 2"]


def test_of_starts_side_by_side_only_the_first_is_shown() -> None:
    stream = Terminal()
    line = ProgressLine(stream)
    line.on_tick(tick(restart=2, iteration=10))
    line.on_tick(tick(restart=3, iteration=77))
    assert "77" not in stream.getvalue()
    line.on_tick(tick(restart=1, iteration=55))
    assert "iteration 55" in stream.getvalue()


@pytest.mark.parametrize("kind", [ProgressLine, TuningLine])
def test_another_start_is_shown_when_the_first_is_silent(
    kind: type[ProgressLine], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With halving, and while tuning, a start that has had its turn does not say that it has ended."""
    at = {"seconds": 0.0}
    monkeypatch.setattr(time, "monotonic", lambda: at["seconds"])
    stream = Terminal()
    line = kind(stream)
    line.on_tick(tick(restart=1, iteration=10))
    at["seconds"] = 0.6
    line.on_tick(tick(restart=1, iteration=20))
    at["seconds"] = 1.2
    line.on_tick(tick(restart=2, iteration=33))
    assert "iteration 33" not in stream.getvalue()
    at["seconds"] = 1.8
    line.on_tick(tick(restart=2, iteration=44))
    assert "iteration 44" in stream.getvalue()
    line.on_tick(tick(restart=3, iteration=55))
    assert "iteration 55" not in stream.getvalue()
    line.on_tick(tick(restart=1, iteration=66))
    assert "iteration 66" in stream.getvalue()
