"""Training in stages on the paper's random circuits and on rule 30: test accuracies after each stage, and the time.

    python benchmarks/stages.py -o benchmarks/results/stages.json
    python benchmarks/stages.py --only Maj --items 256 --draws 1 --max-iter 1000
    python benchmarks/stages.py --show benchmarks/results/stages.json

Draw k has circuit, samples and start of seed k. Accuracies after the last stage are of the network of all stages; after
each stage they are of that stage's own network. Test items are used for nothing but the record. A file of an earlier
run is added to. One thread, so that several may run side by side.
"""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from statistics import mean, stdev

from circuit_accuracy import CASES, TESTED
from common import arguments, chosen, new_record, run_script

from boolearn.bench.record import Row, read_record
from boolearn.solver import Status
from boolearn.training import train_in_stages

SAMPLES = {"And/Or": (256, 512), "Maj": (256, 512), "rule 30, one step": (96, 128), "rule 30, two steps": (256, 512)}


def learn(
    problem: str, items: int, draw: int, support: float, first: list[int], width: int, stages: int, max_iter: int
) -> Row:
    _, samples = CASES[problem](items + TESTED, draw)
    begun, used = time.perf_counter(), time.process_time()
    run = train_in_stages(
        samples,
        stages=stages,
        width=width,
        first=first,
        support=support,
        items=items,
        seed=draw,
        max_iter=max_iter,
        threads=1,
    )
    if run.status is Status.INTERRUPTED:
        raise KeyboardInterrupt
    return {
        "problem": problem,
        "items": items,
        "draw": draw,
        "support": support,
        "first": "-".join(map(str, first)),
        "width": width,
        "stages": stages,
        "max_iter": max_iter,
        "status": run.status.value,
        "iterations": run.iterations,
        "train_accuracy": run.train_accuracy,
        "test_accuracy": run.test_accuracy,
        "after_stages": [start.test_accuracy for start in run.starts],
        "hidden_neurons": run.model.network.n_neurons - run.model.network.n_outputs,
        "cpu_seconds": time.process_time() - used,
        "wall_seconds": time.perf_counter() - begun,
    }


def show(rows: list[Row]) -> None:
    """Mean accuracies over draws, with their standard errors, and CPU seconds."""
    alike: dict[tuple[str, int, float, str, int, int, int], list[Row]] = {}
    for row in rows:
        kind = tuple(row[name] for name in ("problem", "items", "support", "first", "width", "stages", "max_iter"))
        alike.setdefault(kind, []).append(row)  # type: ignore[arg-type]
    for (problem, items, support, first, width, stages, max_iter), found in alike.items():
        values = [row["test_accuracy"] for row in found]
        error = f" ± {stdev(values) / len(values) ** 0.5:.2%}" if len(values) > 1 else ""
        several = itertools.zip_longest(*(row["after_stages"] for row in found))  # some fit the data sooner
        after = [mean(accuracy for accuracy in stage if accuracy is not None) for stage in several]
        about = f"{problem}, {items} items, support {support:g}, {first or width}, {stages} stages of {max_iter:,}"
        print(
            f"{about:75} test {mean(values):.2%}{error}, train {mean(row['train_accuracy'] for row in found):.2%}; "
            f"stages {', '.join(f'{accuracy:.2%}' for accuracy in after)}; {sum(value >= 0.99 for value in values)} of "
            f"{len(found)} draws at 99 %, {mean(row['cpu_seconds'] for row in found):.0f} s"
        )


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("--items", type=int, nargs="+", help="by default two numbers for each problem")
    parser.add_argument("--draws", type=int, nargs="+", default=[1, 2, 3, 4, 5])
    parser.add_argument("--supports", type=float, nargs="+", default=[6.0])
    parser.add_argument("--first", type=int, nargs="+", default=[], help="hidden layers of the first stage")
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--stages", type=int, default=3)
    parser.add_argument("--max-iter", type=int, default=10_000, help="iterations of each stage")
    parser.add_argument("--show", type=Path, metavar="FILE", help="print means of a record and do nothing else")
    options = parser.parse_args()
    if options.show:
        show(read_record(options.show)["rows"])
        return
    key = ("problem", "items", "draw", "support", "first", "width", "stages", "max_iter")
    record = new_record(key, options, "draw k has seed k")
    for draw, support in itertools.product(options.draws, options.supports):
        for problem in chosen(CASES, options.only):
            for items in options.items or SAMPLES[problem]:
                shape = (options.first, options.width, options.stages, options.max_iter)
                row = learn(problem, items, draw, support, *shape)
                record.add(row)
                if options.out:
                    record.write_into(options.out)
                after = ", ".join(f"{accuracy:.2%}" for accuracy in row["after_stages"])
                about = f"{problem}, {items} items, draw {draw}, support {support:g}"
                print(f"{about:55} test {row['test_accuracy']:.2%} ({after}), {row['cpu_seconds']:.0f} s", flush=True)


if __name__ == "__main__":
    run_script(main)
