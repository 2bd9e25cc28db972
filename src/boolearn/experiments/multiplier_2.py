"""The 2-bit multiplier: how often it is learned and how fast, as what circuit, and how the weights get there."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boolearn.baselines import smallest_circuit
from boolearn.bench.record import Document, Row
from boolearn.circuit import circuit_from_formulas
from boolearn.circuit.drawing import draw as draw_circuit
from boolearn.data import multiplier
from boolearn.experiments.experiment import Comparison, Experiment, Job
from boolearn.experiments.pictures import panels, plot_trace
from boolearn.experiments.training import arrows, dashed, described, outcome, trained
from boolearn.network import layered
from boolearn.problem import Problem
from boolearn.solver import RRR, Restarts
from boolearn.solver.run import SuccessRate
from boolearn.solver.trace import trace_iterations

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DEEP, WIDE = (4, 4, 4, 4), (4, 5, 4)
SIGMA = {DEEP: 3, WIDE: 5}
MOST_STARTS = 500
"""Until one is solved, whose circuit is shown."""

TOOLKIT_SOLVED, TOOLKIT_STARTS = 50, 100
TOOLKIT_ITERATIONS, TOOLKIT_ERROR = 4736, 349
PAPER_CIRCUIT = {
    DEEP: "8 and, 1 or, 3 nots",
    WIDE: "3 majorities of 5, 5 of 3 inputs (bias included), 1 copy",
}
PAPER_SMALLEST = 8


@dataclass(frozen=True)
class Parameters:
    starts: int = 1000
    max_iter: int = 10_000
    block: int = 50
    """Starts of a job."""


def jobs(parameters: Parameters, seed: int) -> list[Job]:
    cost = parameters.block * parameters.max_iter
    found = [Job("smallest", _smallest, cost=2 * cost)]
    for widths in (DEEP, WIDE):
        common = {"widths": widths, "max_iter": parameters.max_iter}
        found.append(Job(f"{dashed(widths)}-circuit", _circuit, {**common, "seed": seed}, 4 * parameters.max_iter))
        for first in range(0, parameters.starts, parameters.block):
            count = min(parameters.block, parameters.starts - first)
            arguments = {**common, "seed": seed + first, "count": count}
            found.append(Job(f"{dashed(widths)}-starts-{first}", _starts, arguments, cost))
    return found


def _starts(widths: Sequence[int], max_iter: int, seed: int, count: int) -> Row:
    """How many starts are solved, and after how many iterations."""
    sigma = SIGMA[tuple(widths)]
    run = trained(widths, multiplier(2), sigma=sigma, seed=seed, max_iter=max_iter, restarts=Restarts(count, all=True))
    iterations = [start.iterations for start in run.starts if start.status.solved]
    return {"kind": "starts", "widths": widths, "starts": count, "solved_iterations": iterations}


def _circuit(widths: Sequence[int], max_iter: int, seed: int) -> Row:
    """The first start that is solved: its circuit, proved, and the way of its weights."""
    table, sigma = multiplier(2), SIGMA[tuple(widths)]
    run = trained(widths, table, sigma=sigma, seed=seed, max_iter=max_iter, restarts=MOST_STARTS)
    circuit = run.circuit()
    proof = circuit.prove_equal(table)
    return {
        "kind": "circuit",
        "widths": widths,
        **outcome(run),
        **described(circuit),
        "proved": run.solved and bool(proof) and bool(circuit.prove_equal(run.model)),
        "weights": weight_evolution(Problem(layered(widths), table, sigma), run.seed, run.iterations),
    }


def weight_evolution(problem: Problem, seed: int, iterations: int) -> dict[str, list[object]]:
    """All weights at the iterations of a trace, and the last one; a Run has only those of the end."""
    search = RRR().search(problem, threads=1)
    search.begin(seed)
    found: dict[str, list[object]] = {"iteration": [], "weights": []}
    before = itertools.takewhile(lambda iteration: iteration < iterations, trace_iterations())
    done = 0
    for iteration in [*before, iterations]:
        search.advance(iteration - done)
        done = iteration
        found["iteration"].append(iteration)
        found["weights"].append(search.weights().tolist())
    search.close()
    return found


def _smallest() -> Row:
    """The smallest circuit there is, with the proof that none is smaller."""
    synthesis = smallest_circuit(multiplier(2))
    return {"kind": "smallest", "gates": synthesis.gates, "at_least": synthesis.at_least}


def summary(rows: Sequence[Row]) -> list[Comparison]:
    lines = []
    for widths in (DEEP, WIDE):
        name = f"{arrows(widths)}, σ {SIGMA[widths]}"
        mine = [row for row in rows if row.get("widths") == list(widths)]
        rate = _rate(mine)
        share = rate.solved / rate.starts
        error = math.sqrt(share * (1 - share) / rate.starts)
        toolkit = widths == DEEP
        theirs = f"{TOOLKIT_SOLVED} of {TOOLKIT_STARTS} (C toolkit)" if toolkit else ""
        lines.append(
            Comparison(f"{name}: solved", f"{rate.solved} of {rate.starts}, {share:.1%} ± {error:.1%}", theirs)
        )
        theirs = f"{TOOLKIT_ITERATIONS} ± {TOOLKIT_ERROR} (C toolkit)" if toolkit else ""
        ours = f"{rate.mean_iterations:.0f} ± {rate.error:.0f}"
        lines.append(Comparison(f"{name}: iterations of a solved start", ours, theirs))
        (found,) = (row for row in mine if row["kind"] == "circuit")
        gates = ", ".join(f"{count} {kind}" for kind, count in found["gates"].items())
        text = f"{gates}, {found['nots']} nots; {'proved' if found['proved'] else 'not proved'}"
        lines.append(Comparison(f"{name}: a circuit", text, PAPER_CIRCUIT[widths]))
    (least,) = (row for row in rows if row["kind"] == "smallest")
    ours = f"{least['gates']}; that {least['at_least'] - 1} are too few is proved"
    lines.append(Comparison("gates of two inputs, exact minimum", ours, str(PAPER_SMALLEST)))
    return lines


def _rate(rows: Sequence[Row]) -> SuccessRate:
    blocks = [row for row in rows if row["kind"] == "starts"]
    iterations = [number for row in blocks for number in row["solved_iterations"]]
    return SuccessRate.of(iterations, sum(row["starts"] for row in blocks))


def pictures(record: Document) -> Mapping[str, Figure]:
    circuits = [row for row in record["rows"] if row["kind"] == "circuit"]
    figures = {"starts.png": _iterations_of_starts(record)}
    for row in circuits:
        name = dashed(row["widths"])
        figures[f"evolution-{name}.png"] = _evolution(row)
        circuit = circuit_from_formulas(row["formulas"], row["inputs"], row["outputs"])
        figures[f"circuit-{name}.png"] = draw_circuit(circuit, f"{arrows(row['widths'])}, seed {row['seed']}")
    return figures


def _iterations_of_starts(record: Document) -> Figure:
    """The share of starts that are solved, against iterations."""
    figure, (axes,) = panels(1)
    for widths in (DEEP, WIDE):
        rate_rows = [row for row in record["rows"] if row.get("widths") == list(widths) and row["kind"] == "starts"]
        starts = sum(row["starts"] for row in rate_rows)
        solved = sorted(number for row in rate_rows for number in row["solved_iterations"])
        share = [(place + 1) / starts for place in range(len(solved))]
        axes.step(solved, share, where="post", label=f"{arrows(widths)}, σ {SIGMA[widths]}")
    axes.plot([10_000], [TOOLKIT_SOLVED / TOOLKIT_STARTS], "k.", label="C toolkit, 4→4→4→4")
    axes.set(xlabel="iterations", ylabel="share of starts solved", ylim=(0, 1))
    axes.legend(fontsize=8)
    return figure


def _evolution(row: Row) -> Figure:
    """The paper's figure of one start: the gap, and every weight."""
    figure, (gap, weights) = panels(2)
    plot_trace(gap, row, "gap")
    gap.set_ylabel("gap")
    weights.plot(row["weights"]["iteration"], row["weights"]["weights"], linewidth=0.6)
    m = row["widths"][0] + 1
    for support, style in ((1, "--"), (3, ":")):
        for sign in (-1, 1):
            weights.axhline(sign * math.sqrt(m / support), color="black", linewidth=0.8, linestyle=style)
    weights.set(xscale="log", xlabel="iterations", ylabel=f"weights; dashed ±√{m}, dotted ±√({m}/3)")
    figure.suptitle(f"{arrows(row['widths'])}, seed {row['seed']}", fontsize=10)
    return figure


EXPERIMENT = Experiment(
    name="multiplier-2",
    title="The 2-bit multiplier on 4→4→4→4 (σ 3) and on 4→5→4 (σ 5)",
    paper="a circuit of 8 And, 1 Or and 3 Not; exact minimum 8 gates. C toolkit: 50 of 100 starts within 10,000",
    full=Parameters(),
    quick=Parameters(starts=100, block=25),
    jobs=jobs,
    summary=summary,
    pictures=pictures,
)
