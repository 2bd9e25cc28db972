"""The circuit as SVG whose gates can be asked for: every signal and every line says what it belongs to."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from html import escape

from boolearn.circuit import Circuit, Literal
from boolearn.circuit.drawing.picture import edge_signs, place
from boolearn.circuit.drawing.symbols import LINE, LOOKS, NOT, inside
from boolearn.circuit.gate import Kind

MOST_SIGNALS = 3000
"""Signals and outputs up to which a picture is drawn; in a larger one nobody follows a line."""

_UNIT = 44
_LONGEST_NAME = 24
_READABLE = 0.4
"""The smallest scale on a screen; what is wider then is scrolled."""

Point = tuple[float, float]


def svg(circuit: Circuit) -> str:
    """Inputs at the bottom, outputs on top. A click on a signal or an output shows what it depends on.

    Inputs that nothing reads are left out.
    """
    circuit = _without_unused_inputs(circuit)
    layout = place(circuit)
    heights = [0.0]
    for span in layout.spans():
        heights.append(heights[-1] + min(max(1.3, 0.9 + 0.3 * span), 5.0))
    left = min(layout.x, default=0.0)
    names = [*circuit.inputs, *(name for name, _ in circuit.outputs)]
    margin = 0.8 + 0.17 * min(max(map(len, names), default=1), _LONGEST_NAME)
    top = heights[-1] + margin
    points = [
        ((x - left + 1) * _UNIT, (top - heights[level]) * _UNIT)
        for x, level in zip(layout.x, layout.layer, strict=True)
    ]
    width, height = (layout.width + 2) * _UNIT, (top + margin) * _UNIT
    size = f"max-width:{max(width, 300):.0f}px;min-width:{_READABLE * width:.0f}px"
    parts = [
        f'<svg id="picture" viewBox="0 0 {width:.0f} {height:.0f}" style="{size}" role="img" aria-label="circuit">'
    ]
    for route, sign in zip(layout.routes, edge_signs(circuit), strict=True):
        colour = NOT if sign < 0 else LINE
        ends = f'data-from="{route[0]}" data-to="{route[-1]}"'
        parts.append(f'<path class="line" {ends} stroke="{colour}" d="{_curve([points[node] for node in route])}"/>')
    parts += [_signal(circuit, signal, points[signal]) for signal in range(circuit.n_signals)]
    parts += [
        _port(number, name, points[number], above=True)
        for number, (name, _) in enumerate(circuit.outputs, circuit.n_signals)
    ]
    return "\n".join([*parts, "</svg>"])


def _without_unused_inputs(circuit: Circuit) -> Circuit:
    n = len(circuit.inputs)
    read = {signal for gate in circuit.gates for signal in gate.inputs}
    read.update(literal.signal for _, literal in circuit.outputs)
    if min(read, default=n) >= n:
        return circuit
    kept = [signal for signal in range(circuit.n_signals) if signal >= n or signal in read]
    place = {signal: number for number, signal in enumerate(kept)}
    gates = [replace(gate, inputs=tuple(place[signal] for signal in gate.inputs)) for gate in circuit.gates]
    outputs = [(name, Literal(place[literal.signal], literal.sign)) for name, literal in circuit.outputs]
    return Circuit(tuple(circuit.inputs[signal] for signal in kept if signal < n), tuple(gates), tuple(outputs))


def _curve(points: Sequence[Point]) -> str:
    text = f"M{points[0][0]:.1f} {points[0][1]:.1f}"
    for (x0, y0), (x1, y1) in itertools.pairwise(points):
        lift = (y1 - y0) * 0.45
        text += f"C{x0:.1f} {y0 + lift:.1f} {x1:.1f} {y1 - lift:.1f} {x1:.1f} {y1:.1f}"
    return text


def _signal(circuit: Circuit, signal: int, point: Point) -> str:
    n = len(circuit.inputs)
    if signal < n:
        return _port(signal, circuit.inputs[signal], point, above=False)
    gate = circuit.gates[signal - n]
    look, (x, y) = LOOKS[gate.kind], point
    radius = (0.3 if gate.kind not in (Kind.COPY, Kind.NOT) else 0.18) * _UNIT
    if gate.kind in (Kind.THRESHOLD, Kind.CONSTANT):
        box = f'x="{x - radius:.1f}" y="{y - radius:.1f}" width="{2 * radius:.1f}" height="{2 * radius:.1f}"'
        shape = f'<rect {box} fill="{look.colour}"/>'
    else:
        shape = f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}" fill="{look.colour}"/>'
    dark = gate.kind in (Kind.CONSTANT, Kind.THRESHOLD)
    letter = f'<text x="{x:.1f}" y="{y:.1f}" fill="{"#000" if dark else "#fff"}">{escape(inside(gate))}</text>'
    title = f"<title>{escape(gate.name or f'g{signal - n}')}: {look.label} of {len(gate.inputs)}</title>"
    return f'<g class="signal" data-node="{signal}">{title}{shape}{letter}</g>'


def _port(node: int, name: str, point: Point, above: bool) -> str:
    """An input or an output with its name, which is turned where it is long."""
    x, y = point
    shown = name if len(name) <= _LONGEST_NAME else name[: _LONGEST_NAME - 1] + "…"
    turned = len(name) > 3
    away = 0.3 if turned else 0.5
    y += (-away if above else away) * _UNIT
    anchor = ("start" if above else "end") if turned else "middle"
    turn = f' transform="rotate(-90 {x:.1f} {y:.1f})"' if turned else ""
    label = f'<text class="name" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{turn}>{escape(shown)}</text>'
    dot = f'<circle cx="{x:.1f}" cy="{point[1]:.1f}" r="{0.14 * _UNIT:.1f}" fill="#000"/>'
    kind = "signal output" if above else "signal input"
    return f'<g class="{kind}" data-node="{node}" tabindex="0"><title>{escape(name)}</title>{dot}{label}</g>'
