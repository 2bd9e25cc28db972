"""What each kind of gate looks like in a picture: shape, colour, sign and legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from boolearn.circuit.circuit import Circuit
from boolearn.circuit.gate import Gate, Kind

if TYPE_CHECKING:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

LINE, NOT, FAINT = "#4d4d4d", "#d62728", "#c8c8c8"
_RADIUS = 0.3


@dataclass(frozen=True)
class _Look:
    label: str
    colour: str
    sign: str


LOOKS = {
    Kind.AND: _Look("And", "#4a78c4", "∧"),
    Kind.OR: _Look("Or", "#e0645c", "∨"),
    Kind.MAJ: _Look("Maj", "#3f9e62", "M"),
    Kind.XOR: _Look("Xor", "#8e5bb5", "⊕"),
    Kind.THRESHOLD: _Look("threshold", "#e3a52b", "T"),
    Kind.COPY: _Look("copy", "#b5b5b5", ""),
    Kind.NOT: _Look("copy", "#b5b5b5", ""),
    Kind.CONSTANT: _Look("constant", "#ffffff", ""),
}


def pale(colour: str) -> tuple[float, float, float]:
    from matplotlib.colors import to_rgb

    red, green, blue = (0.3 * part + 0.7 for part in to_rgb(colour))
    return red, green, blue


def shape(gate: Gate, point: tuple[float, float], **style: Any) -> Patch:
    from matplotlib.patches import Circle, Polygon, Rectangle

    x, y = point
    if gate.kind is Kind.MAJ:
        r = _RADIUS * 1.3
        return Polygon([(x - r, y), (x, y + r), (x + r, y), (x, y - r)], closed=True, **style)
    if gate.kind in (Kind.THRESHOLD, Kind.CONSTANT):
        r = _RADIUS * 0.95
        return Rectangle((x - r, y - r), 2 * r, 2 * r, **style)
    return Circle(point, _RADIUS if gate.kind in (Kind.AND, Kind.OR, Kind.XOR) else _RADIUS * 0.6, **style)


def inside(gate: Gate) -> str:
    if gate.kind is Kind.CONSTANT:
        return "1" if gate.bias > 0 else "0"
    if gate.kind is Kind.THRESHOLD:
        return f"{gate.bias:+d}" if gate.bias else "0"
    return LOOKS[gate.kind].sign


def legend(circuit: Circuit, signs: Sequence[int]) -> list[Line2D]:
    from matplotlib.lines import Line2D

    looks: dict[str, Line2D] = {}
    markers = {Kind.MAJ: "D", Kind.THRESHOLD: "s", Kind.CONSTANT: "s"}
    for kind, look in LOOKS.items():
        if circuit.counts.get(kind):
            looks[look.label] = Line2D(
                *([], []),
                linestyle="none",
                marker=markers.get(kind, "o"),
                markersize=8,
                markeredgewidth=0.8,
                markerfacecolor=look.colour,
                markeredgecolor="black",
                label=look.label,
            )
    for label, colour, shown in (("as it is", LINE, 1), ("Not", NOT, -1)):
        if any(sign * shown > 0 for sign in signs):
            looks[label] = Line2D([], [], color=colour, linewidth=1.3, label=label)
    return list(looks.values())
