"""Callbacks for tuning, and the lines that describe settings."""

from __future__ import annotations

from boolearn.solver.run import Outcome
from boolearn.solver.watching import Callback, ProgressLine
from boolearn.tuning.tried import Tried


class TuningCallback(Callback):
    """A callback that is also told of settings."""

    def on_setting(self, number: int, tried: Tried) -> None:
        """The setting with this number, from 1, was tried; the best ones come again when they have had more starts."""


class TuningLine(ProgressLine, TuningCallback):
    """A line for every setting; on a terminal also a live line for the start under way."""

    def on_setting(self, number: int, tried: Tried) -> None:
        self.display.close()
        self._curves.clear()
        self._say(f"setting {number}: {describe(tried)}")
        self._shown = None

    def on_start_end(self, outcome: Outcome) -> None:
        """Single starts are not shown."""


def describe(tried: Tried) -> str:
    """One line: the setting, how often it solved, and what that cost."""
    values = ", ".join(f"{name} {_short(value)}" for name, value in tried.values.items())
    text = f"{values or tried.solver.name}: {tried.solved} of {tried.starts} solved"
    if tried.solved:
        mean, error = tried.iterations_per_success
        rate, spread = tried.successes_per_second
        text += f", {mean:.0f} ± {error:.0f} iterations"
        # The clock of CPU time may be too coarse to see a few short starts.
        text += f" and {1 / rate:.3g} s of CPU time each ({spread / rate:.0%})" if rate > 0 else " each"
    elif tried.summaries:
        text += f", best training accuracy {max(start.train_accuracy for start in tried.summaries):.2%}"
    return text + (", given up" if tried.given_up else "")


def _short(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else getattr(value, "__qualname__", str(value))
