"""Pictures of circuits and of the weights they came from. Every function gives a matplotlib Figure of its own."""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import TYPE_CHECKING

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.drawing.picture import draw
from boolearn.circuit.drawing.weights import weight_histogram, weight_matrices, weight_pictures
from boolearn.errors import FileError
from boolearn.files import PathLike, replacing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "draw",
    "save_figure",
    "weight_histogram",
    "weight_matrices",
    "weight_pictures",
    "write_drawing",
]


_MOST_PIXELS = 50_000_000
_LONGEST_SIDE = 65_000
"""In pixels; matplotlib refuses 2^16."""
_LEAST_DPI = 15
"""Below it a gate is a few pixels."""


def write_drawing(circuit: Circuit, path: PathLike) -> None:
    """Draw a circuit to an SVG or PNG file."""
    save_figure(draw(circuit), path)


def save_figure(figure: Figure, path: PathLike) -> None:
    """Write a figure, whole or not at all; the ending says in which format."""
    ending = Path(path).suffix.lower().lstrip(".")
    buffer = io.BytesIO()
    dpi = figure.dpi if ending == "svg" else _affordable_dpi(figure, path)
    # Without a date the same circuit gives the same picture.
    figure.savefig(buffer, format=ending, dpi=dpi, metadata={"Date": None} if ending == "svg" else None)
    with replacing(path) as stream:
        stream.write(buffer.getvalue())


def _affordable_dpi(figure: Figure, path: PathLike) -> float:
    """The figure's own resolution, or less where its pixels would not fit into memory."""
    width, height = figure.get_size_inches()
    dpi = min(figure.dpi, _LONGEST_SIDE / max(width, height), math.sqrt(_MOST_PIXELS / (width * height)))
    if dpi < _LEAST_DPI:
        size = f"{width:.0f} × {height:.0f} inches"
        raise FileError(path, None, f"a picture of {size} is too large for pixels; write .svg, or draw a part of it.")
    return float(dpi)
