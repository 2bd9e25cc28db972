"""The live display of long work: a bar, facts and a curve that a terminal shows in place; plain lines elsewhere."""

from __future__ import annotations

import contextlib
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live

_TITLE_WIDTH = 40
_BAR_WIDTH = 24
_CURVE_WIDTH = 32
_BLOCKS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True)
class Shown:
    """What a terminal shows of work that is under way."""

    title: str
    """What is being done."""
    done: float | None = None
    """The share of the budget that is used up."""
    left: str = ""
    """How long it may still take."""
    facts: Sequence[str] = ()
    curve: Sequence[float] = ()
    """What the work brings down, over time."""


class Display:
    """Lines for a file; for a terminal also a live part below them, which is taken away at the end.

    The program that draws it is imported when something is first shown. A terminal or pipe that is closed shows
    nothing from then on, and does not end the work.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stderr
        self.live = self.stream.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")
        self._content: Callable[[], Shown] | None = None
        self._drawing: Live | None = None

    def show(self, shown: Shown) -> None:
        """Put this in the place of what the live part showed; nothing where there is none."""
        if self.live:
            self._content = lambda: shown
            with self._until_closed():
                self._drawn(refreshes_a_second=None).refresh()

    def follow(self, content: Callable[[], Shown]) -> None:
        """Ask for the content again and again, until ``close``; nothing where there is no live part."""
        if self.live:
            self._content = content
            with self._until_closed():
                self._drawn(refreshes_a_second=2)

    def say(self, line: str) -> None:
        """Write a line, above the live part where there is one."""
        with self._until_closed():
            if self._drawing is not None:
                self._drawing.console.print(line, markup=False, highlight=False, soft_wrap=True)
            else:
                self.stream.write(line + "\n")
                self.stream.flush()

    def close(self) -> None:
        """Take the live part away; it comes back with what is shown next."""
        drawing, self._drawing = self._drawing, None
        if drawing is not None:
            with self._until_closed():
                drawing.stop()

    @contextlib.contextmanager
    def _until_closed(self) -> Iterator[None]:
        try:
            yield
        except OSError:
            self.live, self._drawing = False, None

    def _drawn(self, refreshes_a_second: float | None) -> Live:
        if self._drawing is None:
            from rich.console import Console
            from rich.live import Live

            self._drawing = Live(
                get_renderable=self._render,
                console=Console(file=self.stream),
                auto_refresh=refreshes_a_second is not None,
                refresh_per_second=refreshes_a_second or 1,
                transient=True,
                # Lines of others would be written over, but what goes to a file must go there.
                redirect_stdout=sys.stdout.isatty(),
                redirect_stderr=self.stream is sys.stderr,
            )
            self._drawing.start()
        return self._drawing

    def _render(self) -> RenderableType:
        assert self._content is not None
        return drawn(self._content())


def drawn(shown: Shown) -> RenderableType:
    """Two lines: how far the work is, and what is known about it."""
    from rich.console import Group
    from rich.progress_bar import ProgressBar
    from rich.table import Table
    from rich.text import Text

    far = Table.grid(padding=(0, 1))
    far.add_column(min_width=min(len(shown.title), _TITLE_WIDTH))
    cells: list[RenderableType] = [Text(shown.title, style="bold", overflow="ellipsis", no_wrap=True)]
    if shown.done is not None:
        share = min(1.0, max(0.0, shown.done))
        cells += [ProgressBar(total=1.0, completed=share, width=_BAR_WIDTH), Text(f"{share:4.0%}")]
    if shown.left:
        cells.append(Text(shown.left, no_wrap=True))
    far.add_row(*cells)
    facts = [Text(fact, no_wrap=True) for fact in shown.facts]
    if shown.curve:
        facts.insert(1, Text(sparkline(shown.curve), style="cyan"))
    return Group(far, Text("  ").join(facts)) if facts else far


def sparkline(values: Sequence[float], width: int = _CURVE_WIDTH) -> str:
    """A curve in one line of text, on a logarithmic scale: the mean of each of at most ``width`` parts."""
    logs = [math.log10(max(value, 1e-12)) for value in values if math.isfinite(value)]
    parts = [logs[len(logs) * k // width : len(logs) * (k + 1) // width] for k in range(width)]
    means = [sum(part) / len(part) for part in parts if part]
    if not means:
        return ""
    low, high = min(means), max(means)
    top = len(_BLOCKS) - 1
    return "".join(_BLOCKS[round(top * (mean - low) / (high - low)) if high > low else 0] for mean in means)


class Curve:
    """Values over time in bounded memory: when there are many, each two become their mean."""

    def __init__(self, most: int = 16 * _CURVE_WIDTH) -> None:
        self._most = most
        self.values: list[float] = []
        self._each = 1
        self._waiting: list[float] = []

    def add(self, value: float) -> None:
        self._waiting.append(value)
        if len(self._waiting) < self._each:
            return
        self.values.append(sum(self._waiting) / self._each)
        self._waiting = []
        if len(self.values) >= self._most:
            self.values = [(a + b) / 2 for a, b in zip(self.values[::2], self.values[1::2], strict=True)]
            self._each *= 2
