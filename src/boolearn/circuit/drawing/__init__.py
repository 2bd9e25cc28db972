"""Pictures of circuits and of the weights they came from. Every function gives a matplotlib Figure of its own."""

from __future__ import annotations

import io
from pathlib import Path
from typing import TYPE_CHECKING

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.drawing.picture import draw
from boolearn.circuit.drawing.trace import trace
from boolearn.circuit.drawing.weights import weight_histogram, weight_matrices, weight_pictures
from boolearn.files import PathLike, replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "draw",
    "save_figure",
    "trace",
    "weight_histogram",
    "weight_matrices",
    "weight_pictures",
    "write_drawing",
]


def write_drawing(circuit: Circuit, path: PathLike) -> None:
    """Draw a circuit to an SVG or PNG file."""
    save_figure(draw(circuit), path)


def save_figure(figure: Figure, path: PathLike) -> None:
    """Write a figure, whole or not at all; the ending says in which format."""
    ending = Path(path).suffix.lower().lstrip(".")
    buffer = io.BytesIO()
    # Without a date the same circuit gives the same picture.
    figure.savefig(buffer, format=ending, metadata={"Date": None} if ending == "svg" else None)
    with replacing(path) as stream:
        stream.write(buffer.getvalue())
