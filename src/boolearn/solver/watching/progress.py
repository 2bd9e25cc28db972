"""A live line on a terminal, plain lines elsewhere: rate, gap, accuracy, time left."""

from __future__ import annotations

import select
import shutil
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TextIO

from boolearn.solver.run import Outcome
from boolearn.solver.watching.callbacks import Callback, Tick

_SECONDS_BETWEEN_LINES = 10.0
_SILENT_SECONDS = 1.0
"""A start that is shown and has not ticked for this long has ended or waits for its turn."""


class ProgressLine(Callback):
    """Shows where a run stands. A file gets a line every ten seconds and one at the end.

    ``on_enter`` is called when somebody presses Enter on a terminal after a search fits and only improves what it
    found.
    """

    def __init__(self, stream: TextIO | None = None, on_enter: Callable[[], None] | None = None) -> None:
        self.stream = stream or sys.stderr
        self.live = self.stream.isatty()
        self._spoke = time.monotonic()
        self._width = 0
        self._shown: int | None = None
        asks = self.live and sys.stdin is not None and sys.stdin.isatty()
        self._on_enter = on_enter if asks else None
        self._offered = False
        self._ticked = 0.0
        """When the start that is shown last ticked."""

    def on_tick(self, tick: Tick) -> None:
        # Of starts that run side by side the first is shown; the others would only flicker.
        now = time.monotonic()
        if self._shown is not None and tick.restart > self._shown and now - self._ticked < _SILENT_SECONDS:
            return
        self._shown, self._ticked = tick.restart, now
        if self.live:
            if tick.fits and self._on_enter is not None:
                self._offer(self._on_enter)
                tick = replace(tick, stage=f"{tick.stage} (Enter takes it as it is)")
            self._rewrite(describe(tick))
        elif now - self._spoke >= _SECONDS_BETWEEN_LINES:
            self._say(describe(tick))

    def _offer(self, on_enter: Callable[[], None]) -> None:
        if not self._offered:
            while _enter_pressed():  # what was typed before is not an answer
                pass
            self._offered = True
        elif _enter_pressed():
            on_enter()

    def on_start_end(self, outcome: Outcome) -> None:
        self._shown = None
        if self.live:
            self._rewrite("")
        self._say(
            f"seed {outcome.seed}: {outcome.status.word} after {outcome.iterations} iterations, gap {outcome.gap:.4f}"
            f"{_accuracies(outcome.train_accuracy, outcome.test_accuracy)}, {clock(outcome.seconds)}"
        )

    def close(self) -> None:
        if self.live:
            self._rewrite("")

    def _say(self, line: str) -> None:
        self._spoke = time.monotonic()
        self.stream.write(line + "\n")
        self.stream.flush()

    def _rewrite(self, line: str) -> None:
        columns = shutil.get_terminal_size().columns
        if len(line) >= columns:  # a line that wraps could not be written over
            line = line[: max(0, columns - 2)] + "…"
        self.stream.write("\r" + line.ljust(self._width) + ("" if line else "\r"))
        self.stream.flush()
        self._width = len(line)


def _enter_pressed() -> bool:
    try:
        pressed = bool(select.select([sys.stdin], [], [], 0)[0])
    except (OSError, ValueError):  # no file that can be waited for
        return False
    return pressed and bool(sys.stdin.readline())


def describe(tick: Tick) -> str:
    """One line: which start, how far, how fast, how good, how long still."""
    parts = [f"start {tick.restart}/{tick.restarts}"] if tick.restarts > 1 else []
    parts += [tick.stage] if tick.stage else []
    of = f"/{tick.max_iter}" if tick.max_iter is not None else ""
    parts.append(f"iteration {tick.iteration}{of}")
    rate = tick.iteration / tick.seconds if tick.seconds > 0 else 0.0
    parts.append(f"{rate:.0f}/s" if rate >= 10 else f"{rate:.2g}/s")
    parts.append(f"gap {tick.gap:.4f} (least {tick.least_gap:.4f})")
    text = ", ".join(parts)
    if tick.last is not None:
        text += _accuracies(tick.last.train_accuracy, tick.last.test_accuracy)
    left = _seconds_left(tick, rate)
    return text + (f", at most {clock(left)} left" if left is not None else "")


def _seconds_left(tick: Tick, rate: float) -> float | None:
    limits = []
    if tick.max_iter is not None and rate > 0:
        limits.append((tick.max_iter - tick.iteration) / rate)
    if tick.max_seconds is not None:
        limits.append(max(0.0, tick.max_seconds - tick.seconds))
    return min(limits) if limits else None


def _accuracies(train: float, test: float | None) -> str:
    return f", train {100 * train:.2f} %" + (f", test {100 * test:.2f} %" if test is not None else "")


def clock(seconds: float) -> str:
    """A duration people can read."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
