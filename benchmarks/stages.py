"""Training in stages on the paper's random circuits and on rule 30: test accuracies after each stage, and the time.

    python benchmarks/stages.py -o benchmarks/results/stages.json
    python benchmarks/stages.py --only Maj --items 256 --draws 1 --max-iter 1000
    python benchmarks/stages.py --only And/Or --restarts 4 --consensus 2 --stages 6
    python benchmarks/stages.py --show benchmarks/results/stages.json

Draw k has circuit and samples of seed k, and its starts have the seeds k, k + 1, …. Accuracies after the last stage are
of the network of all stages; after each stage they are of the start that was right on the most training items. Test
items are used for nothing but the record. Iterations are those of the longest start of each stage, CPU seconds those of
all starts. A file of an earlier run is added to. One thread, so that several may run side by side.
"""

from __future__ import annotations

import argparse
import itertools
import time
from pathlib import Path
from statistics import mean, stdev

from circuit_accuracy import CASES, TESTED
from common import arguments, chosen, new_record, run_script

from boolearn.bench.record import Row, key_of, read_record
from boolearn.solver import Status
from boolearn.training import train_in_stages

KEY = ("problem", "items", "draw", "support", "first", "width", "stages", "max_iter", "restarts", "consensus")
TARGET = 0.99
SAMPLES = {"And/Or": (256, 512), "Maj": (256, 512), "rule 30, one step": (96, 128), "rule 30, two steps": (256, 512)}


def learn(problem: str, items: int, draw: int, support: float, options: argparse.Namespace) -> Row:
    _, samples = CASES[problem](items + TESTED, draw)
    begun, used = time.perf_counter(), time.process_time()
    run = train_in_stages(
        samples,
        stages=options.stages,
        width=options.width,
        first=options.first,
        support=support,
        items=items,
        seed=draw,
        max_iter=options.max_iter,
        restarts=options.restarts,
        consensus=options.consensus,
        threads=1,
    )
    if run.status is Status.INTERRUPTED:
        raise KeyboardInterrupt
    stages = [
        list(of_stage) for _, of_stage in itertools.groupby(run.starts, lambda s: (s.seed - draw) // options.restarts)
    ]
    return {
        "problem": problem,
        "items": items,
        "draw": draw,
        "support": support,
        "first": "-".join(map(str, options.first)),
        "width": options.width,
        "stages": options.stages,
        "max_iter": options.max_iter,
        "restarts": options.restarts,
        "consensus": options.consensus,
        "status": run.status.value,
        "iterations": sum(max(start.iterations for start in stage) for stage in stages),
        "train_accuracy": run.train_accuracy,
        "test_accuracy": run.test_accuracy,
        "after_stages": [max(stage, key=lambda start: start.train_accuracy).test_accuracy for stage in stages],
        "hidden_neurons": run.model.network.n_neurons - run.model.network.n_outputs,
        "cpu_seconds": time.process_time() - used,
        "wall_seconds": time.perf_counter() - begun,
    }


def first_at_target(row: Row) -> str:
    """The first stage with 99 % in the start that was right on the most training items."""
    return next((str(number) for number, accuracy in enumerate(row["after_stages"], 1) if accuracy >= TARGET), "–")


def show(rows: list[Row]) -> None:
    """Mean accuracies over draws, with their standard errors, the draws that came to 99 % and when, and CPU seconds."""
    alike: dict[tuple[str, ...], list[Row]] = {}
    for row in rows:
        alike.setdefault(key_of(row, [name for name in KEY if name != "draw"]), []).append(row)
    for found in alike.values():
        first = found[0]
        values = [row["test_accuracy"] for row in found]
        error = f" ± {stdev(values) / len(values) ** 0.5:.2%}" if len(values) > 1 else ""
        several = itertools.zip_longest(*(row["after_stages"] for row in found))  # some fit the data sooner
        after = [mean(accuracy for accuracy in stage if accuracy is not None) for stage in several]
        reached = sum(value >= TARGET for value in values)
        about = "{problem}, {items} items, support {support:g}, {hidden}, {stages} stages of {max_iter:,}"
        if first["consensus"] > 1:
            about += ", {consensus} of {restarts} starts"
        hidden = f"{first['first']} and {first['width']}" if first["first"] else first["width"]
        print(
            f"{about.format(**first, hidden=hidden):105} test {mean(values):.2%}{error}, "
            f"train {mean(row['train_accuracy'] for row in found):.2%}; "
            f"stages {', '.join(f'{accuracy:.2%}' for accuracy in after)}; {reached} of "
            f"{len(found)} draws at 99 %, first after stage {' '.join(map(first_at_target, found))}; "
            f"{mean(row['cpu_seconds'] for row in found):.0f} s"
        )


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--items", type=int, nargs="+", help="by default two numbers for each problem")
    parser.add_argument("--draws", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--supports", type=float, nargs="+", default=[6.0])
    parser.add_argument("--first", type=int, nargs="+", default=[], help="hidden layers of the first stage")
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--stages", type=int, default=3)
    parser.add_argument("--max-iter", type=int, default=10_000, help="iterations of each start")
    parser.add_argument("--restarts", type=int, default=1, help="starts of each stage")
    parser.add_argument("--consensus", type=int, default=1, help="how many of them must agree on what is passed on")
    parser.add_argument("--show", type=Path, metavar="FILE", help="print means of a record and do nothing else")
    options = parser.parse_args()
    if options.show:
        show(read_record(options.show)["rows"])
        return
    record = new_record(KEY, options, "draw k has seed k")
    for draw, support in itertools.product(options.draws, options.supports):
        for problem in chosen(CASES, options.only):
            for items in options.items or SAMPLES[problem]:
                row = learn(problem, items, draw, support, options)
                record.add(row)
                if options.out:
                    record.write_into(options.out)
                after = ", ".join(f"{accuracy:.2%}" for accuracy in row["after_stages"])
                about = f"{problem}, {items} items, draw {draw}, support {support:g}"
                print(f"{about:55} test {row['test_accuracy']:.2%} ({after}), {row['cpu_seconds']:.0f} s", flush=True)


if __name__ == "__main__":
    run_script(main)
