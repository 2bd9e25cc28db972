"""Pictures: the regulation graph with arrows and T-bars, and the attractors of a small network."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from boolearn.cells.attractor import Attractor
from boolearn.cells.network import CellNetwork
from boolearn.circuit.drawing.labels import drawable
from boolearn.errors import ParameterError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_ACTIVATES, _INHIBITS, _BOTH = "#3f7d4f", "#c0392b", "#7f7f7f"
_NODE, _EDGE = "#eaf1fb", "#4a78c4"
_MOST_SHOWN = 12
"""Attractors that a picture shows; the largest basins come first."""


def draw_regulations(network: CellNetwork, title: str | None = None) -> Figure:
    """The regulation graph: an arrow for activation, a T-bar for inhibition, a grey dot for what does both."""
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    names = network.names
    place = {name: k for k, name in enumerate(names)}
    edges = [(place[a], place[b], sign) for (a, b), sign in network.regulations.items()]
    points = _positions(len(names), [(a, b) for a, b, _ in edges])
    size = 2.2 + 1.15 * np.sqrt(len(names))
    figure = Figure(figsize=(size * 1.25, size), dpi=150)
    axes = figure.add_axes((0.02, 0.07, 0.96, 0.88))
    axes.set_axis_off()
    axes.set_aspect("equal")
    scale = float(np.sqrt(len(names)))
    points = points * scale * 1.6
    pairs = {(a, b) for a, b, _ in edges}
    for a, b, sign in edges:
        _draw_edge(axes, (points[a], points[b]), (names[a], names[b]), sign, curved=(b, a) in pairs)
    for k, name in enumerate(names):
        axes.text(
            *(*points[k], drawable(name)),
            ha="center",
            va="center",
            fontsize=8,
            parse_math=False,
            zorder=3,
            bbox={
                "boxstyle": "round,pad=0.35",
                "facecolor": _NODE if name in network.rules else "white",
                "edgecolor": _EDGE,
            },
        )
    low, high = points.min(axis=0) - 1.4, points.max(axis=0) + 1.4
    axes.set_xlim(low[0], high[0])
    axes.set_ylim(low[1], high[1])
    kinds = {sign: None for _, _, sign in edges}
    looks = {1: (_ACTIVATES, "activates"), -1: (_INHIBITS, "inhibits"), 0: (_BOTH, "both")}
    handles = [Line2D([], [], color=looks[sign][0], label=looks[sign][1]) for sign in (1, -1, 0) if sign in kinds]
    if handles:
        figure.legend(handles=handles, loc="lower center", ncols=len(handles), frameon=False, fontsize=8)
    if title:
        figure.suptitle(title, fontsize=10, parse_math=False)
    return figure


def draw_attractors(network: CellNetwork, found: Sequence[Attractor], title: str | None = None) -> Figure:
    """One column for every state of every attractor, one row a variable; dark is on. Attractors stand apart."""
    from matplotlib.figure import Figure

    shown = list(found)[:_MOST_SHOWN]
    if not shown:
        raise ParameterError("found", "at least one attractor", found)
    widths = [len(one.states) for one in shown]
    rows = len(network.names)
    figure = Figure(
        figsize=(1.6 + 0.32 * sum(widths) + 0.75 * len(shown), 1.2 + 0.25 * rows), dpi=150, layout="constrained"
    )
    grid = figure.add_gridspec(1, len(shown), width_ratios=[max(width, 2) for width in widths])
    total = 2**rows
    for column, one in enumerate(shown):
        axes = figure.add_subplot(grid[0, column])
        axes.imshow(one.states.T, cmap="Blues", vmin=0, vmax=1.3, aspect="auto", interpolation="nearest")
        kind = "fixed point" if one.fixed else f"{len(one.states)} states"
        axes.set_title(f"{kind}\n{one.basin / total:.0%} of states", fontsize=7)
        axes.set_xticks([])
        axes.set_yticks(
            range(rows), [drawable(name) for name in network.names] if not column else [""] * rows, fontsize=7
        )
        axes.set_xticks(np.arange(0.5, len(one.states) - 1), minor=True)
        axes.set_yticks(np.arange(0.5, rows - 1), minor=True)
        axes.grid(which="minor", color="white", linewidth=1)
        axes.tick_params(which="both", length=0)
    if title:
        figure.suptitle(title, fontsize=10, parse_math=False)
    return figure


def _draw_edge(
    axes: Axes,
    ends: tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]],
    names: tuple[str, str],
    sign: int,
    curved: bool,
) -> None:
    from matplotlib.patches import FancyArrowPatch

    style = {1: "-|>,head_length=4,head_width=2.2", -1: "|-|,widthA=0,widthB=3.2", 0: "-"}[sign]
    colour = {1: _ACTIVATES, -1: _INHIBITS, 0: _BOTH}[sign]
    begin, end = ends
    loop = bool((begin == end).all())
    shrinks = [0.0 if loop else _to_border(drawable(name), end - begin) for name in names]
    if loop:
        begin, end = begin + np.array([-0.25, 0.35]), end + np.array([0.25, 0.35])
    bend = -1.9 if loop else 0.18 if curved else 0.06
    arrow = FancyArrowPatch(
        (float(begin[0]), float(begin[1])),
        (float(end[0]), float(end[1])),
        arrowstyle=style,
        connectionstyle=f"arc3,rad={bend}",
        shrinkA=shrinks[0],
        shrinkB=shrinks[1],
        color=colour,
        linewidth=1.1,
        alpha=0.85,
        zorder=2,
        capstyle="round",
    )
    axes.add_patch(arrow)
    if sign == 0 and not loop:
        axes.plot(*(begin + 0.8 * (end - begin)), marker="o", markersize=4, color=colour, zorder=2)


def _to_border(name: str, direction: npt.NDArray[np.float64]) -> float:
    """From the middle of a name's box to its border, in points."""
    across, up = np.abs(direction) / np.hypot(*direction)
    return float(min((2.5 * len(name) + 5) / max(across, 1e-9), 9 / max(up, 1e-9))) + 1


def _positions(n: int, edges: Sequence[tuple[int, int]], steps: int = 200) -> npt.NDArray[np.float64]:
    """Nodes that repel each other, edges that pull (Fruchterman and Reingold, 1991), from a circle: always the same."""
    angle = 2 * np.pi * np.arange(n) / n
    points = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    pulls = np.zeros((n, n))
    for a, b in edges:
        pulls[a, b] = pulls[b, a] = float(a != b)
    spring = 1.3 / np.sqrt(n)
    for step in range(steps):
        away = points[:, None] - points[None]
        distance = np.maximum(np.sqrt((away**2).sum(axis=2)), 0.01)
        force = spring**2 / distance**2 - pulls * distance / spring - 0.25 * distance
        move = (away * force[:, :, None]).sum(axis=1)
        length = np.maximum(np.sqrt((move**2).sum(axis=1, keepdims=True)), 1e-9)
        points = points + move / length * np.minimum(length, 0.1 * (1 - step / steps))
    points = points - points.mean(axis=0)
    return np.asarray(points / max(float(np.abs(points).max()), 1e-9))
