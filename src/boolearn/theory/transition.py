"""How many items it takes until a random circuit is learned exactly, against the information estimate.

The estimate h/s (``boolearn.information``) is the number of items from which one circuit could be told from all others.
Circuits are so small that an answer is compared for all inputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boolearn.bench.record import Document, Row
from boolearn.data.signs import as_signs
from boolearn.experiments import Comparison, Experiment, Job
from boolearn.experiments.pictures import colour, panels
from boolearn.experiments.training import trained
from boolearn.information import description_bits, output_entropy
from boolearn.model import random_model
from boolearn.theory.logistic import Transition, fit_transition
from boolearn.theory.problems import every_input

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SIGMA = 3
Setting = tuple[int, int, str, float]
"""Width, depth, kind of gates, share of nodes that are gates."""
TITLES = {"andor": "And/Or", "maj": "Maj"}


@dataclass(frozen=True)
class Parameters:
    settings: tuple[Setting, ...] = (
        (8, 2, "andor", 0.5),
        (6, 2, "andor", 0.5),
        (12, 2, "andor", 0.5),
        (8, 1, "andor", 0.5),
        (8, 3, "andor", 0.5),
        (8, 2, "andor", 1.0),
        (8, 2, "maj", 0.5),
        (8, 2, "maj", 1.0),
        (8, 3, "maj", 0.5),
    )
    """The first, and others that differ from it in width, depth or gates."""
    draws: int = 5
    """Circuits of each setting."""
    ratios: tuple[float, ...] = (0.25, 0.5, 0.75, 1.0, 1.5, 2.5, 4.0)
    """Items, in units of the estimate."""
    max_iter: int = 10_000
    max_iter_gates: int = 1000


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    found = []
    for width, depth, gates, share in parameters.settings:
        for draw in range(parameters.draws):
            for solver, max_iter in (("gates", parameters.max_iter_gates), ("rrr", parameters.max_iter)):
                arguments = {
                    "width": width,
                    "depth": depth,
                    "gates": gates,
                    "share": share,
                    "ratios": parameters.ratios,
                    "solver": solver,
                    "seed": seed + draw,
                    "max_iter": max_iter,
                }
                name = f"{width}-{depth}-{gates}-{share:g}-{solver}-{draw}"
                found.append(Job(name, learn_from_few, arguments, width**2 * depth))
    return found


def learn_from_few(
    width: int, depth: int, gates: str, share: float, ratios: Sequence[float], solver: str, seed: int, max_iter: int
) -> Row:
    """One circuit from more and more of its samples. An output counts as exact when it is right for all inputs."""
    circuit = random_model(*[width] * (depth + 1), gates=gates, gate_probability=share, seed=seed)
    inputs = every_input(width)
    answers = as_signs(circuit.predict(inputs), "outputs")
    s = output_entropy(answers).plug_in  # of all inputs, so it is no estimate
    h = description_bits(circuit.network, SIGMA)
    row: Row = {"width": width, "depth": depth, "gates": gates, "share": share, "solver": solver, "seed": seed}
    row |= {"h": h, "s": s, "ratios": list(ratios), "items": [], "fits": [], "exact_outputs": [], "accuracy": []}
    # A circuit whose outputs are all constant gives no information; one item then says all there is to say.
    estimate = h / s if s > 0 else 1.0
    sample = circuit.sample(max(1, round(max(ratios) * estimate)), seed)
    for ratio in ratios:
        data = sample.take(slice(0, max(1, round(ratio * estimate))))
        run = trained(circuit.network, data, solver=solver, sigma=SIGMA, seed=seed, max_iter=max_iter)
        right = run.model.predict(inputs) == answers
        row["items"].append(len(data))
        row["fits"].append(run.train_accuracy == 1)
        row["exact_outputs"].append(float(right.all(axis=0).mean()))
        row["accuracy"].append(float(right.mean()))
    return {**row, "estimate": estimate}


def summary(rows: Sequence[Row]) -> list[Comparison]:
    lines = []
    for solver in dict.fromkeys(row["solver"] for row in rows):
        mine = [row for row in rows if row["solver"] == solver]
        lines += [
            _line(f"{_title(setting)}, {solver}", [row for row in mine if _setting(row) == setting])
            for setting in dict.fromkeys(map(_setting, mine))
        ]
        lines.append(_line(f"all circuits, {solver}", mine))
    return lines


def _line(title: str, rows: Sequence[Row]) -> Comparison:
    outputs, whole = fitted(rows), fitted(rows, whole=True)
    estimate = np.mean([row["estimate"] for row in rows])
    text = (
        f"half of the outputs exact {_times(outputs, rows)}, half of the circuits {_times(whole, rows)}; in estimates"
    )
    seconds = sum(row["seconds"] for row in rows) / sum(len(row["ratios"]) for row in rows)
    return Comparison(title, f"{text}; {seconds:.2f} CPU s a circuit", f"1; the estimate is {estimate:.0f} items")


def _times(found: Transition, rows: Sequence[Row]) -> str:
    """Where the middle is; outside of what was tried the curve is a guess, and only the side is told."""
    tried = [ratio for row in rows for ratio in row["ratios"]]
    if found.middle > max(tried):
        return f"beyond {max(tried):g}"
    if found.middle < min(tried):
        return f"below {min(tried):g}"
    return f"at {found.middle:.2f} ({found.low:.2f} to {found.high:.2f})"


def fitted(rows: Sequence[Row], whole: bool = False) -> Transition:
    """The transition in items over the estimate, of outputs or of whole circuits; a group is a circuit."""
    points = [
        (items / row["estimate"], float(exact == 1) if whole else exact, place)
        for place, row in enumerate(rows)
        for items, exact in zip(row["items"], row["exact_outputs"], strict=True)
    ]
    x, success, group = zip(*points, strict=True)
    return fit_transition(x, success, group)


def _setting(row: Row) -> Setting:
    return row["width"], row["depth"], row["gates"], row["share"]


def _title(setting: Setting) -> str:
    width, depth, gates, share = setting
    return f"{depth} × {width}, {share:.0%} {TITLES[gates]}"


def pictures(record: Document) -> Mapping[str, Figure]:
    solvers = list(dict.fromkeys(row["solver"] for row in record["rows"]))
    figure, axes = panels(len(solvers))
    for panel, solver in zip(axes, solvers, strict=True):
        rows = [row for row in record["rows"] if row["solver"] == solver]
        ratios = np.array(rows[0]["ratios"])
        fine = np.geomspace(ratios.min(), ratios.max(), 100)
        for place, setting in enumerate(dict.fromkeys(map(_setting, rows))):
            mine = [row for row in rows if _setting(row) == setting]
            share = np.mean([row["exact_outputs"] for row in mine], axis=0)
            panel.plot(ratios, share, ".", color=colour(place), label=_title(setting))
            panel.plot(fine, fitted(mine).at(fine), color=colour(place), linewidth=0.8)
        panel.axvline(1, color="black", linewidth=0.8, linestyle=":")
        panel.set(xscale="log", xlabel="items / estimate", ylabel="outputs learned exactly", ylim=(-0.03, 1.05))
        panel.set_xticks(ratios, [f"{ratio:g}" for ratio in ratios])
        panel.minorticks_off()
        panel.set_title(solver, fontsize=10)
    axes[0].legend(fontsize=6)
    return {"transition.png": figure}


EXPERIMENT = Experiment(
    name="transition",
    title="Items until random circuits are learned exactly, in units of the information estimate",
    paper="how many items does perfect generalisation take",
    full=Parameters(),
    quick=Parameters(
        settings=((8, 2, "andor", 0.5), (8, 2, "maj", 0.5)), draws=3, ratios=(0.5, 1.0, 2.0, 4.0), max_iter=3000
    ),
    jobs=jobs,
    summary=summary,
    pictures=pictures,
)
