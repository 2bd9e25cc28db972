"""What the pictures of several experiments share. Everything is drawn from rows of a record."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure

from boolearn.bench.record import Row

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def panels(columns: int, rows: int = 1, width: float = 4.6, height: float = 3.4) -> tuple[Figure, list[Axes]]:
    """A figure with axes side by side, row by row."""
    figure = Figure(figsize=(width * columns, height * rows), dpi=150, layout="constrained")
    return figure, [figure.add_subplot(rows, columns, place + 1) for place in range(columns * rows)]


def plot_trace(axes: Axes, row: Row, field: str, **style: Any) -> None:
    """A column of a trace against the iterations, which are spaced exponentially."""
    axes.plot(row["trace"]["iteration"], row["trace"][field], **style)
    axes.set_xscale("log")
    axes.set_xlabel("sweeps" if row["solver"] == "gates" else "iterations")


def plot_accuracy(axes: Axes, row: Row, label: str, colour: str) -> None:
    """Test accuracy as a line, training accuracy as dashes of the same colour."""
    plot_trace(axes, row, "train_accuracy", color=colour, linestyle="--", linewidth=1)
    plot_trace(axes, row, "test_accuracy", color=colour, label=label)
    axes.set_ylabel("accuracy (dashed: training items)")


def colour(place: int) -> str:
    return f"C{place % 10}"


def three_panels(rows: Iterable[tuple[str, Row]]) -> Figure:
    """The least gap, the training accuracy, and test beside training accuracy, of rows with their labels."""
    figure, (gap, training, both) = panels(3)
    for place, (label, row) in enumerate(rows):
        plot_trace(gap, row, "least_gap", color=colour(place), label=label)
        plot_trace(training, row, "train_accuracy", color=colour(place))
        plot_accuracy(both, row, label, colour(place))
    gap.set(ylabel="least gap so far", yscale="log")
    training.set_ylabel("training accuracy")
    gap.legend(fontsize=8)
    return figure
