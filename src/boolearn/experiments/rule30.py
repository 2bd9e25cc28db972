"""One step of the automaton rule 30 is learned on two architectures, and its formulas are read from the network."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from boolearn.bench.record import Document, Row
from boolearn.circuit import Circuit, circuit_from_formulas, trace
from boolearn.circuit.drawing import draw as draw_circuit
from boolearn.circuit.threshold.all_inputs import all_inputs
from boolearn.data import automaton, evolve
from boolearn.experiments.experiment import Comparison, Experiment, Job
from boolearn.experiments.pictures import colour, panels, plot_accuracy
from boolearn.experiments.training import arrows, dashed, described, mean_and_error, outcome, trained

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RULE = 30
TEST_ITEMS = 2000

PAPER_ENOUGH = 96
"""Items that suffice on 16→32→32→16."""
PAPER_FORMULAS = (
    "Or(And(x, −Or(y, z)), And(−x, Or(y, z)))",
    "Maj(−Maj(x, y, z), And(−x, y), Or(x, z))",
)


@dataclass(frozen=True)
class Parameters:
    networks: tuple[tuple[int, ...], ...] = ((16, 32, 32, 16), (16, 48, 16))
    items: tuple[int, ...] = (64, 96, 128, 160)
    draws: int = 3
    """Data and starts, on the first network; the paper shows one."""
    steps: int = 1
    max_iter: int = 1_000_000
    max_sweeps: int = 20_000


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    found = []
    draws = [(widths, 0) for widths in parameters.networks]
    draws += [(parameters.networks[0], draw) for draw in range(1, parameters.draws)]
    for (widths, draw), items in itertools.product(draws, parameters.items):
        common = {
            "widths": widths,
            "steps": parameters.steps,
            "items": items,
            "of": max(parameters.items),
            "seed": seed + draw,
        }
        rrr = {**common, "solver": "rrr", "stop": "gap", "max_iter": parameters.max_iter}
        gates = {**common, "solver": "gates", "stop": "fit", "max_iter": parameters.max_sweeps}
        found.append(Job(f"{dashed(widths)}-{items}-rrr-{draw}", _learn, rrr, items))
        found.append(Job(f"{dashed(widths)}-{items}-gates-{draw}", _learn, gates, items / 10))
    return found


def _learn(
    widths: Sequence[int], steps: int, items: int, of: int, seed: int, solver: str, stop: str, max_iter: int
) -> Row:
    data = automaton(RULE, widths[0], steps, of + TEST_ITEMS, seed)
    run = trained(widths, data, items=items, solver=solver, sigma=3, seed=seed, stop=stop, max_iter=max_iter)
    circuit = run.circuit()
    return {
        "widths": widths,
        "steps": steps,
        **outcome(run),
        "circuit": described(circuit),
        "exact_outputs": exact_outputs(circuit, steps),
    }


def exact_outputs(circuit: Circuit, steps: int) -> list[bool]:
    """Which outputs follow the rule in every state of the world."""
    states = all_inputs(len(circuit.inputs))
    right = (circuit.predict(states) == evolve(states, RULE, steps)).all(axis=0)
    return [bool(one) for one in right]


def summary(rows: Sequence[Row]) -> list[Comparison]:
    lines = []
    for widths, solver, items in dict.fromkeys(map(_setting, rows)):
        mine = [row for row in rows if _setting(row) == (widths, solver, items)]
        exact, cells = np.mean([sum(row["exact_outputs"]) for row in mine]), widths[0]
        ours = f"{mean_and_error([row['test_accuracy'] for row in mine])}; "
        ours += f"circuit exact in all {2**cells} states for {exact:.3g} of {cells} cells"
        known = mine[0]["steps"] == 1 and cells == 16 and len(widths) == 4 and solver == "rrr"
        paper = "sufficient to learn the rule" if known and items >= PAPER_ENOUGH else ""
        lines.append(Comparison(f"{arrows(widths)}, {items} items, {solver}: test accuracy", ours, paper))
    for place, (row, output) in enumerate(_two_formulas(rows)):
        name = f"smallest formulas: {output} on {arrows(row['widths'])}, {row['solver']}"
        paper = PAPER_FORMULAS[place] if row["steps"] == 1 else ""
        formulas = _traced(row, output).formulas(expand=True)
        lines.append(Comparison(name, "; ".join(f"{left} = {right}" for left, right in formulas.items()), paper))
    return lines


def _setting(row: Row) -> tuple[tuple[int, ...], str, int]:
    return tuple(row["widths"]), row["solver"], row["items"]


def _two_formulas(rows: Sequence[Row]) -> list[tuple[Row, str]]:
    """The two smallest among exact outputs made of different gates: a choice, not a sample of what was found.

    Where RRR and the gate search found the same gates, the output shown is that of RRR.
    """
    found: dict[tuple[str, ...], tuple[Row, str]] = {}
    for row in sorted(rows, key=lambda row: bool(row["solver"] == "gates")):
        for output, exact in zip(row["circuit"]["outputs"], row["exact_outputs"], strict=True):
            if exact:
                kinds = tuple(sorted(gate.kind.value for gate in _traced(row, output).gates))
                found.setdefault(kinds, (row, output))
    return sorted(found.values(), key=lambda pair: len(_traced(*pair).gates))[:2]


def _traced(row: Row, output: str) -> Circuit:
    """One output and the gates that lead to it."""
    circuit = row["circuit"]
    return trace(circuit_from_formulas(circuit["formulas"], circuit["inputs"], circuit["outputs"]), output)


def pictures(record: Document) -> Mapping[str, Figure]:
    rows = record["rows"]
    networks = list(dict.fromkeys(tuple(row["widths"]) for row in rows))
    figures = {}
    for solver in ("rrr", "gates"):
        figure, axes = panels(len(networks))
        for panel, widths in zip(axes, networks, strict=True):
            chosen = [row for row in rows if _setting(row)[:2] == (widths, solver) and row["seed"] == record["seeds"]]
            for place, row in enumerate(chosen):
                plot_accuracy(panel, row, f"{row['items']} items", colour(place))
            panel.set_title(f"{arrows(widths)}, {solver}", fontsize=10)
            panel.legend(fontsize=8)
        figures[f"accuracy-{solver}.png"] = figure
    for row, output in _two_formulas(rows):
        title = f"{output} on {arrows(row['widths'])}, {row['items']} items, {row['solver']}"
        figures[f"trace-{dashed(row['widths'])}-{row['solver']}-{output}.png"] = draw_circuit(
            _traced(row, output), title
        )
    return figures


EXPERIMENT = Experiment(
    name="rule30",
    title="One step of rule 30 on 16→32→32→16 and 16→48→16, from 64 to 160 samples",
    paper="96 samples suffice; single outputs show two different formulas for the rule",
    full=Parameters(),
    quick=Parameters(
        networks=((10, 20, 20, 10), (10, 30, 10)), items=(40, 80, 120), draws=1, max_iter=60_000, max_sweeps=5000
    ),
    jobs=jobs,
    summary=summary,
    pictures=pictures,
)
