"""The page itself: one HTML file with its style, its script and its data inside."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from typing import Any

from boolearn._version import __version__
from boolearn.circuit import Circuit
from boolearn.circuit.drawing.symbols import LOOKS
from boolearn.errors import MissingExtraError
from boolearn.report.contents import Contents
from boolearn.report.curves import evolution, weights
from boolearn.report.picture import MOST_SIGNALS, svg

_MOST_FORMULAS = 400
_MOST_STARTS = 200
_LEARN_OPTIONS = {
    "target": "target",
    "bits": "bits",
    "outputs": "outputs",
    "valid": "valid",
    "valid_share": "valid-share",
    "test": "test",
    "max_ands": "max-ands",
    "noise_of_data": "noise",
    "gates": "gates",
}
"""Settings of a run of learn, and the options that set them."""


def render(contents: Contents, live: bool = False) -> str:
    """The HTML text. A ``live`` page asks its server for the trace again and again while the run is under way."""
    trained = None if contents.learned else contents.model
    resources, script, parts = "", "", {}
    if not contents.learned:
        resources, embed = _bokeh()
        script, parts = embed(evolution(contents.trace) | (weights(trained) if trained is not None else {}))
    sections = [
        ("Result", _result(contents)),
        ("Evolution", "" if contents.learned else _side_by_side([parts["gap"], parts["accuracy"]])),
        *_circuit_sections(contents),
        ("Weights", _weights(parts) if trained is not None else ""),
        ("Starts", _starts(contents.configuration.get("starts", []))),
        ("Repeat it", _repeat(contents.configuration)),
    ]
    body = "\n".join(
        f'<section id="{_anchor(name)}"><h2>{name}</h2>\n{text}\n</section>' for name, text in sections if text
    )
    links = " ".join(f'<a href="#{_anchor(name)}">{name}</a>' for name, text in sections if text)
    title = f"{contents.folder.resolve().name} – boolearn"
    watching = json.dumps({"live": live and not contents.finished})
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{escape(title)}</title>
<style>
{_file("page.css")}
</style>
{resources}
</head>
<body>
<header><h1>{escape(contents.folder.resolve().name)}</h1><nav>{links}</nav></header>
<main>
{"".join(f'<p class="remark">{escape(remark)}</p>' for remark in contents.remarks)}
{body}
</main>
<footer>Written by boolearn {__version__}.</footer>
<script>const watching = {watching};
{_file("page.js")}
</script>
{script}
</body>
</html>
"""


def _bokeh() -> tuple[str, Any]:
    try:
        from bokeh.embed import components
        from bokeh.resources import Resources
    except ImportError as error:
        raise MissingExtraError("a report", "report") from error
    return Resources(mode="inline", components=["bokeh"], minified=True).render(), components


def _file(name: str) -> str:
    return files("boolearn.report").joinpath(name).read_text(encoding="utf-8")


def _anchor(name: str) -> str:
    return name.lower().replace(" ", "-")


def _result(contents: Contents) -> str:
    result = contents.configuration.get("result")
    if result is None:
        iteration = contents.trace[-1]["iteration"] if contents.trace else 0
        return f'<p id="state">The run is under way, or was stopped: iteration <b id="iteration">{iteration:,}</b>.</p>'
    if contents.learned:
        return _learned(result)
    test = result.get("test_accuracy")
    rows = {
        "status": result["status"],
        "training accuracy": f"{result['train_accuracy']:.2%}",
        "test accuracy": "no test items" if test is None else f"{test:.2%}",
        "gap": f"{result['gap']:.4f}" if "gap" in result else "none",
        "iterations": f"{result['iterations']:,}",
        "seconds": f"{result['seconds']:.1f}",
        "starts": f"{result['starts']}, {result['solved_starts']} solved",
        "seed": str(result["seed"]),
    }
    proved = "<p>The data is the complete truth table and every bit is right: the fit is a proof.</p>"
    return _table(rows) + (proved if result.get("proved") else "")


def _learned(result: Mapping[str, Any]) -> str:
    low, high = result["valid_low"], result["valid_high"]
    rows = {
        "method": result["method"],
        "chosen because": result["why"],
        "training accuracy": f"{result['train_accuracy']:.2%}",
        "accuracy on unseen rows": f"{result['valid_accuracy']:.2%} ({low:.2%} to {high:.2%}), estimated",
        **({"test accuracy": f"{result['test_accuracy']:.2%}"} if "test_accuracy" in result else {}),
        "And nodes": f"{result['ands']:,}",
        "candidates": f"{result['candidates']:,}",
        "contradictory rows": f"{result['contradictory']:,}",
        "seconds": f"{result['seconds']:.1f}",
        "seed": str(result["seed"]),
    }
    cut = "<p>The search was stopped before all its work was done; more time may find more.</p>"
    return _table(rows) + (cut if result["cut"] else "")


def _circuit_sections(contents: Contents) -> list[tuple[str, str]]:
    circuit = contents.circuit
    if circuit is None:
        return []
    summary = circuit.summary()
    kinds = {LOOKS[kind].label: str(count) for kind, count in summary.counts.items()}
    counts = _table({"gates": str(summary.gates), **kinds, "Nots": str(summary.nots), "depth": str(summary.depth)})
    if circuit.n_signals + len(circuit.outputs) <= MOST_SIGNALS:
        note = '<p class="note">Click an output, a gate or an input: what it depends on stays, the rest turns pale.</p>'
        unused = len(summary.unused_inputs)
        left_out = f'<p class="note">Not drawn: {unused:,} of {summary.inputs:,} inputs, which are not used.</p>'
        picture = f'{note}<div class="picture">{svg(circuit)}</div>{left_out if unused else ""}'
    else:
        limit = f"at most {MOST_SIGNALS:,} inputs, gates and outputs are drawn"
        picture = f"<p>{summary.gates:,} gates are too many to follow in a picture; {limit}.</p>"
    evidence = [str(found) for found in (contents.proof, contents.agreement) if found is not None]
    return [
        ("Circuit", picture + counts),
        ("Formulas", _formulas(circuit)),
        ("Proof", "".join(f"<p>{escape(text)}</p>" for text in evidence)),
    ]


def _formulas(circuit: Circuit) -> str:
    formulas = list(circuit.formulas().items())
    shown = "\n".join(f"{name} = {formula}" for name, formula in formulas[:_MOST_FORMULAS])
    rest = len(formulas) - _MOST_FORMULAS
    more = f"<p>{rest:,} more are not shown.</p>" if rest > 0 else ""
    return f"<pre>{escape(shown)}</pre>{more}"


def _weights(parts: Mapping[str, str]) -> str:
    note = '<p class="note">Dashed lines: the weights of copies (red) and of gates of three inputs (green).</p>'
    return note + _side_by_side([part for name, part in parts.items() if name not in ("gap", "accuracy")])


def _starts(starts: Sequence[Mapping[str, Any]]) -> str:
    if len(starts) < 2:
        return ""
    head = "<tr><th>seed</th><th>status</th><th>iterations</th><th>gap</th><th>training</th><th>seconds</th></tr>"
    rows = [
        f"<tr><td>{start['seed']}</td><td>{escape(str(start['status']))}</td><td>{start['iterations']:,}</td>"
        f"<td>{start['gap']:.4f}</td><td>{start['train_accuracy']:.2%}</td><td>{start['seconds']:.1f}</td></tr>"
        for start in starts[:_MOST_STARTS]
    ]
    rest = len(starts) - _MOST_STARTS
    more = f"<p>{rest:,} more are not shown.</p>" if rest > 0 else ""
    return f'<table class="starts">{head}{"".join(rows)}</table>{more}'


def _repeat(configuration: Mapping[str, Any]) -> str:
    settings = _table({name: str(value) for name, value in configuration.get("settings", {}).items()})
    result = configuration.get("result", {})
    command = configuration.get("command")
    if command is None:
        return f"<pre>{escape(learn_line(configuration))}</pre>{settings}" if "method" in result else settings
    return f"<pre>{escape(command_line(command))}</pre><details><summary>All settings</summary>{settings}</details>"


def learn_line(configuration: Mapping[str, Any]) -> str:
    """The command that learns the same circuit again, unless the search was cut short by time."""
    settings, result = configuration["settings"], configuration["result"]
    words = ["boolearn", "learn", str(settings["data"])]
    for name, option in _LEARN_OPTIONS.items():
        if name in settings:
            words += [f"--{option}", str(settings[name])]
    if result["cut"] and "max_seconds" in settings:
        words += ["--max-seconds", f"{settings['max_seconds']:g}"]
    elif not result["cut"] and result["work"]:  # no work was planned where an exact class ended the matter
        words += ["--max-work", str(result["work"])]
    return shlex.join([*words, "--seed", str(result["seed"])])


def command_line(command: Mapping[str, Any]) -> str:
    """The command that gives the same result again."""
    words = ["boolearn", "stages" if "stages" in command else "train", str(command["data"])]
    for name, value in command.items():
        if name == "data" or value is False:
            continue
        words.append(f"--{name.replace('_', '-')}")
        if value is not True:
            words.append(str(value))
    return shlex.join(words)


def _table(rows: Mapping[str, str]) -> str:
    cells = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in rows.items())
    return f"<table>{cells}</table>"


def _side_by_side(parts: Iterable[str]) -> str:
    return f'<div class="figures">{"".join(f"<div>{part}</div>" for part in parts)}</div>'
