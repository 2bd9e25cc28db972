"""The layered picture of a circuit, as in the paper: inputs at the bottom, blue And, red Or, red lines for Not."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from boolearn.circuit.circuit import Circuit, checked_circuit
from boolearn.circuit.drawing.labels import drawable
from boolearn.circuit.drawing.layout import Layout, lay_out
from boolearn.circuit.drawing.symbols import FAINT, LINE, LOOKS, NOT, inside, legend, pale, shape
from boolearn.circuit.gate import Kind

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.path import Path as Curve

_MOST_DETAILED = 5000
"""Signals and outputs up to which gates show their signs and weights, and ports their names."""


def draw(circuit: Circuit, title: str | None = None, keep_order: bool = True) -> Figure:
    """A picture of the whole circuit.

    Inputs stand in their order; without ``keep_order`` they move where fewer lines cross, as outputs always do. What
    leads to no output is pale. A threshold gate shows its bias, and its weights where the lines come in. Circuits of
    many thousand gates are drawn without letters: shape and colour say what a gate is.
    """
    from matplotlib.figure import Figure

    layout = place(checked_circuit(circuit), keep_order)
    # Lines that go far sideways need height, or all of them would run nearly level.
    heights = [0.0]
    for span in layout.spans():
        heights.append(heights[-1] + min(max(1.3, 0.9 + 0.35 * span), 6.0))
    longest = max((len(drawable(name)) for name in _port_names(circuit)), default=1)
    slanted = longest > 3
    margin = 0.9 + (0.11 * longest if slanted else 0.2)
    unit = 0.62 if layout.width < 12 else 0.48
    handles = legend(circuit, edge_signs(circuit))
    columns = max(1, min(len(handles), int(max(layout.width + 2.4, 6.5) * unit / 0.85)))
    base = 0.4 + 0.35 * -(-len(handles) // columns) * 0.62 / unit
    size = (max(layout.width + 2.4, 6.5) * unit, (heights[-1] + 2 * margin + base) * unit)
    figure = Figure(figsize=size, dpi=150)
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    middle = (max(layout.x, default=0) + min(layout.x, default=0)) / 2
    axes.set_xlim(middle - size[0] / unit / 2, middle + size[0] / unit / 2)
    axes.set_ylim(-margin - base, heights[-1] + margin)
    points = [(x, heights[level]) for x, level in zip(layout.x, layout.layer, strict=True)]
    live = circuit.live
    _draw_lines(axes, circuit, layout, points, live, unit)
    if circuit.n_signals + len(circuit.outputs) <= _MOST_DETAILED:
        _draw_weights(axes, circuit, layout, points, unit)
        for index in range(circuit.n_signals):
            _draw_signal(axes, circuit, index, points[index], unit, faint=index not in live)
        _draw_names(axes, circuit, points, slanted, unit)
    else:
        _draw_plainly(axes, circuit, points, live, unit)
    axes.legend(
        handles=handles,
        loc="lower center",
        ncols=columns,
        frameon=False,
        fontsize=8,
        handletextpad=0.4,
        columnspacing=1.2,
        bbox_to_anchor=(0.5, 0.0),
        borderaxespad=0.3,
    )
    if title:
        axes.text(0.5, 0.995, title, transform=axes.transAxes, ha="center", va="top", parse_math=False)
    return figure


def place(circuit: Circuit, keep_order: bool = True) -> Layout:
    """Where signals and outputs stand: node numbers are those of the signals, then those of the outputs."""
    n, signals = len(circuit.inputs), circuit.n_signals
    top = max(circuit.levels, default=0) + 1
    levels = [*circuit.levels, *[top] * len(circuit.outputs)]
    for index, gate in enumerate(circuit.gates, n):
        if gate.kind is Kind.CONSTANT:
            levels[index] = 0
    edges: list[tuple[int, int, object]] = [
        (signal, index, weight > 0)
        for index, gate in enumerate(circuit.gates, n)
        for signal, weight in zip(gate.inputs, gate.weights, strict=True)
    ]
    edges += [
        (literal.signal, signals + number, literal.sign > 0) for number, (_, literal) in enumerate(circuit.outputs)
    ]
    return lay_out(levels, edges, fixed=(0,) if keep_order else ())


def edge_signs(circuit: Circuit) -> list[int]:
    """+1 or −1 for every edge, in the order of the layout's routes."""
    weights = [weight for gate in circuit.gates for weight in gate.weights]
    return [*weights, *(literal.sign for _, literal in circuit.outputs)]


def _draw_lines(
    axes: Axes,
    circuit: Circuit,
    layout: Layout,
    points: Sequence[tuple[float, float]],
    live: frozenset[int],
    unit: float,
) -> None:
    from matplotlib.collections import PathCollection

    looks: dict[tuple[bool, bool], list[Curve]] = {}
    for route, sign in zip(layout.routes, edge_signs(circuit), strict=True):
        used = route[-1] in live or route[-1] >= circuit.n_signals
        looks.setdefault((used, sign < 0), []).append(_curve([points[node] for node in route]))
    for (used, negated), curves in sorted(looks.items()):
        colour = NOT if negated else LINE
        axes.add_collection(
            PathCollection(
                curves,
                facecolors="none",
                edgecolors=colour if used else pale(colour),
                linewidths=1.9 * unit,
                zorder=1 + used + negated / 2,
            ),
            autolim=False,
        )


def _draw_weights(
    axes: Axes, circuit: Circuit, layout: Layout, points: Sequence[tuple[float, float]], unit: float
) -> None:
    """The weights of threshold gates, at the ends of their lines."""
    edge = 0
    for index, gate in enumerate(circuit.gates, len(circuit.inputs)):
        for weight in gate.weights:
            route = layout.routes[edge]
            edge += 1
            if gate.kind is not Kind.THRESHOLD:
                continue
            (x0, y0), (x1, y1) = points[route[-2]], points[index]
            share = 0.62 / max(y1 - y0, 1e-9)
            x, y = _bezier(x0, y0, x1, y1, 1 - share)
            axes.text(
                *(x, y, str(abs(weight))),
                fontsize=8.5 * unit / 0.62,
                color=NOT if weight < 0 else LINE,
                ha="center",
                va="center",
                zorder=3,
                bbox={"boxstyle": "round,pad=0.08", "facecolor": "white", "edgecolor": "none", "alpha": 0.85},
            )


def _curve(points: Sequence[tuple[float, float]]) -> Curve:
    """A smooth line that leaves and arrives upright at every bend."""
    from matplotlib.path import Path

    vertices, codes = [points[0]], [Path.MOVETO]
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        lift = (y1 - y0) * 0.45
        vertices += [(x0, y0 + lift), (x1, y1 - lift), (x1, y1)]
        codes += [Path.CURVE4] * 3
    return Path(vertices, codes)


def _bezier(x0: float, y0: float, x1: float, y1: float, t: float) -> tuple[float, float]:
    lift = (y1 - y0) * 0.45
    a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
    return (a + b) * x0 + (c + d) * x1, a * y0 + b * (y0 + lift) + c * (y1 - lift) + d * y1


def _draw_signal(
    axes: Axes, circuit: Circuit, index: int, point: tuple[float, float], unit: float, faint: bool
) -> None:
    n = len(circuit.inputs)
    style: dict[str, Any] = {"linewidth": 1.2 * unit, "zorder": 4}
    if index < n:
        from matplotlib.patches import Circle

        colour = FAINT if faint else "black"
        axes.add_patch(Circle(point, 0.16, facecolor=colour, edgecolor=colour, **style))
        return
    gate = circuit.gates[index - n]
    fill, edge = (pale(colour) if faint else colour for colour in (LOOKS[gate.kind].colour, "#000000"))
    axes.add_patch(shape(gate, point, facecolor=fill, edgecolor=edge, **style))
    sign = inside(gate)
    if sign:
        dark = gate.kind in (Kind.CONSTANT, Kind.THRESHOLD)
        size = (13 if len(sign) == 1 else 9) * unit / 0.62
        axes.text(
            *(*point, sign),
            fontsize=size,
            color="black" if dark else "white",
            ha="center",
            va="center_baseline",
            zorder=5,
        )


def _draw_plainly(
    axes: Axes, circuit: Circuit, points: Sequence[tuple[float, float]], live: frozenset[int], unit: float
) -> None:
    """All signals of one look as one collection; letters for each would take minutes, and could not be read."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Circle, Patch

    looks: dict[tuple[str, bool], list[Patch]] = {}
    n = len(circuit.inputs)
    for index in range(circuit.n_signals):
        gate = circuit.gates[index - n] if index >= n else None
        patch = Circle(points[index], 0.16) if gate is None else shape(gate, points[index])
        looks.setdefault(("#000000" if gate is None else LOOKS[gate.kind].colour, index in live), []).append(patch)
    for (colour, used), patches in looks.items():
        fill, edge = (each if used else pale(each) for each in (colour, "#000000"))
        style: dict[str, Any] = {"facecolors": fill, "edgecolors": edge, "linewidths": 1.2 * unit, "zorder": 4}
        axes.add_collection(PatchCollection(patches, **style), autolim=False)


def _port_names(circuit: Circuit) -> list[str]:
    return [*circuit.inputs, *(name for name, _ in circuit.outputs)]


def _draw_names(
    axes: Axes, circuit: Circuit, points: Sequence[tuple[float, float]], slanted: bool, unit: float
) -> None:
    size = 10 * unit / 0.62
    outputs = range(circuit.n_signals, circuit.n_signals + len(circuit.outputs))
    for node, name in zip([*range(len(circuit.inputs)), *outputs], _port_names(circuit), strict=True):
        below = node < len(circuit.inputs)
        x, y = points[node]
        axes.text(
            *(x, y - 0.35 if below else y + 0.12, drawable(name)),
            fontsize=size,
            ha="center",
            va="top" if below else "bottom",
            rotation=90 if slanted else 0,
            parse_math=False,
            zorder=5,
        )
