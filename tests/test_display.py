"""The live display on a terminal, and what a file gets instead."""

from __future__ import annotations

import errno
import io
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boolearn.display import Curve, Display, Shown, sparkline


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _a_plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")


@given(st.lists(st.floats(1e-9, 1e9), max_size=200), st.integers(1, 50))
def test_a_sparkline_keeps_order_and_width(values: list[float], width: int) -> None:
    line = sparkline(values, width)
    assert len(line) == min(len(values), width)
    if len(values) <= width:
        for here, there, a, b in zip(line, line[1:], values, values[1:], strict=False):
            assert (here <= there) if a <= b else (here >= there)


def test_a_sparkline_uses_its_whole_height_on_a_logarithmic_scale() -> None:
    assert sparkline([1, 10, 100, 1000, 1e4, 1e5, 1e6, 1e7]) == "▁▂▃▄▅▆▇█"
    assert sparkline([5, 5]) == "▁▁"
    assert sparkline([float("inf"), 1, 10, 0.0]) == "▇█▁"


@given(st.lists(st.floats(0, 1), max_size=3000))
def test_a_curve_is_bounded_and_keeps_the_mean(values: list[float]) -> None:
    curve = Curve(most=8)
    for value in values:
        curve.add(value)
    assert len(curve.values) < 8
    if values and len(values) <= 7:
        assert curve.values == values
    assert all(min(values) - 1e-9 <= value <= max(values) + 1e-9 for value in curve.values)


def test_a_terminal_is_shown_the_latest_and_left_clean() -> None:
    stream = Terminal()
    display = Display(stream)
    display.show(Shown("first", 0.25, "1 s left", ["gap 0.5", "least 0.4"], [4, 2, 1]))
    display.say("a line [bold]as it is[/bold]")
    display.show(Shown("second", 0.5))
    display.close()
    text = stream.getvalue()
    assert text.index("first") < text.index("a line [bold]as it is[/bold]\n") < text.index("second")
    assert "25%" in text
    assert "gap 0.5" in text
    assert "█" + sparkline([4, 2, 1])[1] + "▁" in text
    assert text.endswith("\x1b[2K")  # what was shown is erased


def test_a_file_gets_lines_only() -> None:
    stream = io.StringIO()
    display = Display(stream)
    display.show(Shown("first"))
    display.follow(lambda: Shown("again"))
    display.say("a line")
    display.close()
    assert stream.getvalue() == "a line\n"


def test_a_dumb_terminal_is_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    assert not Display(Terminal()).live


def test_help_does_not_import_rich_for_the_display() -> None:
    command = "import sys, boolearn.display, boolearn.solver.watching.progress; sys.exit('rich' in sys.modules)"
    subprocess.run([sys.executable, "-c", command], check=True)


def test_a_closed_stream_does_not_end_the_work() -> None:
    class Closed(io.StringIO):
        def write(self, _text: str) -> int:
            raise OSError(errno.EIO, "Input/output error")

        def isatty(self) -> bool:
            return True

    for live in (False, True):
        display = Display(Closed())
        display.live = live
        display.say("a line")
        display.show(Shown("work"))
        display.say("another line")
        display.close()
        assert not display.live
