"""Where a run stands: rate, gap, least gap, accuracies, time left; live on a terminal, plain lines elsewhere."""

from __future__ import annotations

import select
import sys
import time
from collections.abc import Callable, Sequence
from typing import TextIO

from boolearn.display import Curve, Display, Shown
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
        self.display = Display(stream)
        self._spoke = time.monotonic()
        self._shown: int | None = None
        self._curves: dict[int, Curve] = {}
        """The gap of every start that is under way."""
        asks = self.display.live and sys.stdin is not None and sys.stdin.isatty()
        self._on_enter = on_enter if asks else None
        self._offered = False
        self._ticked = 0.0
        """When the start that is shown last ticked."""

    def on_tick(self, tick: Tick) -> None:
        curve = self._curves.setdefault(tick.restart, Curve())
        curve.add(tick.gap)
        # Of starts that run side by side the first is shown; the others would only flicker.
        now = time.monotonic()
        if self._shown is not None and tick.restart > self._shown and now - self._ticked < _SILENT_SECONDS:
            return
        self._shown, self._ticked = tick.restart, now
        if self.display.live:
            offered = tick.fits and self._on_enter is not None
            if offered and self._on_enter is not None:
                self._offer(self._on_enter)
            self.display.show(shown(tick, curve.values, "Enter takes it as it is" if offered else ""))
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
        self._curves.clear()
        self.display.close()
        self._say(
            f"seed {outcome.seed}: {outcome.status.word} after {outcome.iterations} iterations, gap {outcome.gap:.4f}"
            f"{_accuracies(outcome.train_accuracy, outcome.test_accuracy)}, {clock(outcome.seconds)}"
        )

    def close(self) -> None:
        self.display.close()

    def _say(self, line: str) -> None:
        self._spoke = time.monotonic()
        self.display.say(line)


def _enter_pressed() -> bool:
    try:
        pressed = bool(select.select([sys.stdin], [], [], 0)[0])
    except (OSError, ValueError):  # no file that can be waited for
        return False
    return pressed and bool(sys.stdin.readline())


def describe(tick: Tick) -> str:
    """One line: which start, how far, how fast, how good, how long still."""
    text = f"{_place(tick)}, {_speed(tick)}, gap {tick.gap:.4f} (least {tick.least_gap:.4f})"
    if tick.last is not None:
        text += _accuracies(tick.last.train_accuracy, tick.last.test_accuracy)
    left = _time_left(tick)
    return text + (f", {left}" if left else "")


def shown(tick: Tick, gaps: Sequence[float], offer: str = "") -> Shown:
    """The same for a terminal, with the share of the budget and the curve of the gap."""
    shares = [tick.iteration / tick.max_iter] if tick.max_iter else []
    shares += [tick.seconds / tick.max_seconds] if tick.max_seconds else []
    facts = [*facts_of(tick), *([offer] if offer else [])]
    return Shown(_place(tick), max(shares, default=None), _time_left(tick), facts, gaps)


def facts_of(tick: Tick) -> list[str]:
    """How good and how fast, in a few words each."""
    facts = [f"gap {tick.gap:.4f}", f"least {tick.least_gap:.4f}", _speed(tick)]
    if tick.last is not None:
        facts += _accuracies(tick.last.train_accuracy, tick.last.test_accuracy).split(", ")[1:]
    return facts


def _place(tick: Tick) -> str:
    parts = [f"start {tick.restart}/{tick.restarts}"] if tick.restarts > 1 else []
    parts += [tick.stage] if tick.stage else []
    of = f"/{tick.max_iter}" if tick.max_iter is not None else ""
    return ", ".join([*parts, f"iteration {tick.iteration}{of}"])


def _rate(tick: Tick) -> float:
    return tick.iteration / tick.seconds if tick.seconds > 0 else 0.0


def _speed(tick: Tick) -> str:
    rate = _rate(tick)
    return f"{rate:.0f}/s" if rate >= 10 else f"{rate:.2g}/s"


def _time_left(tick: Tick) -> str:
    limits, rate = [], _rate(tick)
    if tick.max_iter is not None and rate > 0:
        limits.append((tick.max_iter - tick.iteration) / rate)
    if tick.max_seconds is not None:
        limits.append(max(0.0, tick.max_seconds - tick.seconds))
    return f"at most {clock(min(limits))} left" if limits else ""


def _accuracies(train: float, test: float | None) -> str:
    return f", train {100 * train:.2f} %" + (f", test {100 * test:.2f} %" if test is not None else "")


def clock(seconds: float) -> str:
    """A duration people can read."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
