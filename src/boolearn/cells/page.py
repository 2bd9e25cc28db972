"""An inference as one HTML page: what was found, how sure it is, the regulation graph and the attractors."""

from __future__ import annotations

import io
from html import escape
from typing import TYPE_CHECKING

from boolearn._version import __version__
from boolearn.cells.attractor import attractors
from boolearn.cells.drawing import draw_attractors, draw_regulations
from boolearn.cells.inference import Inference, InferredRule
from boolearn.files import PathLike, write_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_STYLE = (
    "body{font:15px sans-serif;margin:2em auto;max-width:70em;padding:0 1em}td,th{padding:.2em .8em;text-align:left}"
)
_MOST_DRAWN = 12
"""Variables up to which the page shows attractors, which takes seconds for many more."""


def write_page(found: Inference, path: PathLike, title: str = "Boolean network") -> None:
    """Write the page; it needs no other file."""
    head = "".join(f"<p>{escape(line)}</p>" for line in str(found).splitlines()[: -len(found.rules)])
    columns = ("variable", "next state", "regulators", "how it was found", "other functions that fit", "held out")
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in _cells(rule))}</tr>" for rule in found.rules.values()
    )
    sections = [
        ("Rules", f"<table><tr>{''.join(f'<th>{name}</th>' for name in columns)}</tr>{rows}</table>"),
        ("Regulation graph", _svg(draw_regulations(found.network))),
    ]
    if len(found.network.names) <= _MOST_DRAWN:
        sections.append(("Attractors", _svg(draw_attractors(found.network, attractors(found.network)))))
    body = "".join(f"<h2>{name}</h2>\n{text}\n" for name, text in sections)
    write_text(
        path,
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>{escape(title)}</h1>\n{head}\n{body}"
        f"<footer>Written by boolearn {__version__}.</footer></body></html>\n",
    )


def _cells(rule: InferredRule) -> tuple[str, ...]:
    signs = {1: "→", -1: "⊣", 0: "→⊣"}
    regulators = ", ".join(f"{name} {signs[sign]}" for name, sign in rule.regulators.items())
    count = str(rule.alternatives) if rule.alternatives < 10**6 else "over a million"
    others = count if rule.complete else f"{count} or more"
    errors = f", {rule.wrong} of {rule.transitions} wrong" if rule.wrong else ""
    held = "" if rule.held_out is None else f"{rule.held_out:.1%}"
    return rule.name, rule.formula, regulators, f"{rule.method}{errors}", others, held


def _svg(figure: Figure) -> str:
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    return text.getvalue().partition("<svg")[1] + text.getvalue().partition("<svg")[2]
