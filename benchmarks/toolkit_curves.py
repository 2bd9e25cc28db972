"""Do we and the C toolkit learn a circuit at the same pace? Gap and accuracies along the iterations, same data.

    python benchmarks/toolkit_curves.py --original train --max-iter 10000 -o benchmarks/results/toolkit_curves.json
    python benchmarks/toolkit_curves.py --only And/Or --items 64 --max-iter 1000
    python benchmarks/toolkit_curves.py --show benchmarks/results/toolkit_curves.json

Both have the paper's σ, β and γ. Draw k has circuit and samples of seed k. Our start s has seed s; the C toolkit takes
its seeds from the clock. It needs some 30 ns for each edge, item and iteration: seven minutes for a start of
10,000 iterations with 256 items. Without --original only ours are measured.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import mean, stdev

from circuit_accuracy import TESTED, circuit
from common import arguments, chosen, recording, run_script

from boolearn.bench.clock import BETA, GAMMA
from boolearn.bench.record import Row, read_record
from boolearn.bench.toolkit import Orders, Toolkit, check_program, lines_of_trace
from boolearn.runs.toolkit import read_gap
from boolearn.solver import RRR
from boolearn.solver.trace import TraceLine
from boolearn.training import train

CASES = {"And/Or": "andor", "Maj": "maj"}
OURS, ORIGINAL = "boolearn", "C toolkit"
SIGMA, GAP_TOL = 3.0, 0.01
MARKS = (100, 300, 1000, 3000, 10_000, 30_000, 100_000)


def curves(gates: str, items: int, draw: int, starts: int, max_iter: int, original: Path | None) -> Iterator[Row]:
    network, samples = circuit(CASES[gates])(items + TESTED, draw)
    problem = {"gates": gates, "items": items, "draw": draw}
    for start in range(starts):
        run = train(
            network,
            samples,
            solver=RRR(beta=BETA, gamma=GAMMA, gap_tol=GAP_TOL),
            sigma=SIGMA,
            items=items,
            seed=start,
            max_iter=max_iter,
        )
        yield {**problem, "program": OURS, "start": start, "curve": at_marks(run.trace)}
    if original is None:
        return
    orders = Orders(items, SIGMA, BETA, GAMMA, max_iter, GAP_TOL, lines=lines_of_trace(max_iter))
    for start in range(starts):
        with tempfile.TemporaryDirectory() as folder:
            Toolkit(original, network, samples, Path(folder)).run(orders)
            trace = read_gap(Path(folder) / "bench.gap")
        yield {**problem, "program": ORIGINAL, "start": start, "curve": at_marks(trace)}


def at_marks(trace: Sequence[TraceLine]) -> list[Row]:
    """The last trace line up to each mark. Both programs have their lines at the same iterations, but for the last."""
    lines = [[line for line in trace if line.iteration <= mark][-1] for mark in MARKS if trace[0].iteration <= mark]
    return [
        {
            "iteration": line.iteration,
            "gap": line.gap,
            "train_accuracy": line.train_accuracy,
            "test_accuracy": line.test_accuracy,
        }
        for line in dict.fromkeys(lines)
    ]


def show(rows: Sequence[Row]) -> None:
    """Means over starts, with their standard errors."""
    alike: dict[tuple[str, int, int, str], list[Row]] = {}
    for row in rows:
        alike.setdefault((row["gates"], row["items"], row["draw"], row["program"]), []).append(row)
    for (gates, items, draw, program), found in alike.items():
        print(f"{gates}, {items} items, draw {draw}, {program}, {len(found)} starts")
        for lines in zip(*(row["curve"] for row in found), strict=False):
            gap = with_error([line["gap"] for line in lines], "{:.3f}")
            accuracies = [
                with_error([line[f"{part}_accuracy"] for line in lines], "{:.2%}") for part in ("train", "test")
            ]
            print(f"{lines[0]['iteration']:9,}  gap {gap}  training {accuracies[0]}  test {accuracies[1]}")


def with_error(values: Sequence[float], form: str) -> str:
    error = f" ± {form.format(stdev(values) / len(values) ** 0.5)}" if len(values) > 1 else ""
    return form.format(mean(values)) + error


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--items", type=int, nargs="+", default=[256])
    parser.add_argument("--draw", type=int, default=0)
    parser.add_argument("--starts", type=int, default=2)
    parser.add_argument("--max-iter", type=int, default=10_000)
    parser.add_argument("--original", type=Path, help="the C toolkit's train program")
    parser.add_argument("--show", type=Path, metavar="FILE", help="print means of a record and do nothing else")
    options = parser.parse_args()
    if options.show:
        show(read_record(options.show)["rows"])
        return
    if options.original:
        check_program(options.original)
    key = ("gates", "items", "draw", "program", "start")
    with recording(key, options, seeds="draw k has seed k; our start s has seed s") as record:
        for gates in chosen(CASES, options.only):
            for items in options.items:
                before = len(record.rows)
                for row in curves(gates, items, options.draw, options.starts, options.max_iter, options.original):
                    record.add(row)
                show(record.rows[before:])


if __name__ == "__main__":
    run_script(main)
