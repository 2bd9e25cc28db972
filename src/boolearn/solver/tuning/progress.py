"""What may look on while settings are tried, and the lines that tell of them."""

from __future__ import annotations

from boolearn.solver.callbacks import Callback
from boolearn.solver.progress import ProgressLine
from boolearn.solver.run import Run
from boolearn.solver.tuning.tried import Tried, plain_setting


class TuningCallback(Callback):
    """A callback that also hears of settings."""

    def on_setting(self, number: int, tried: Tried) -> None:
        """The setting of a number, from 1, was tried; the best ones come again when they have had more starts."""


class TuningLine(ProgressLine, TuningCallback):
    """A line for every setting; on a terminal also a live line for the start under way."""

    def on_setting(self, number: int, tried: Tried) -> None:
        if self.live:
            self._rewrite("")
        self._say(f"setting {number}: {describe(tried)}")
        self._shown = None

    def on_run_end(self, run: Run) -> None:
        """Single starts are no news here."""


def describe(tried: Tried) -> str:
    """One line: the setting, how often it solved, and what that cost."""
    values = ", ".join(f"{name} {_short(value)}" for name, value in plain_setting(tried.setting).items())
    text = f"{values}: {tried.solved} of {tried.starts} solved"
    if tried.solved:
        mean, error = tried.iterations_per_success
        rate, spread = tried.successes_per_second
        text += f", {mean:.0f} ± {error:.0f} iterations"
        # The clock of CPU time may be too coarse to see a few short starts.
        text += f" and {1 / rate:.3g} s of CPU time each ({spread / rate:.0%})" if rate > 0 else " each"
    elif tried.runs:
        text += f", best training accuracy {max(run.train_accuracy for run in tried.runs):.2%}"
    return text + (", given up" if tried.given_up else "")


def _short(value: object) -> str:
    return f"{value:.3g}" if isinstance(value, float) else str(value)
