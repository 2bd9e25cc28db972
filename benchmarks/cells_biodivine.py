"""Published Boolean models of cells, inferred from random transitions: which update functions come back exactly.

    git clone https://github.com/sybila/biodivine-boolean-models
    python benchmarks/cells_biodivine.py biodivine-boolean-models -o benchmarks/results/cells_biodivine.json

Every model of up to 150 variables is inferred from 64, 128, 256, 512 and 1,024 transitions of random states (seed 0;
inputs are random too and keep their value). A function is exact when it is proved equal to the published one: by trying
all states of the variables of both formulas or, beyond 16 of them, by SAT. Models and numbers of transitions that the
record holds already are skipped, so that an interrupted benchmark goes on. Seconds are of the processor, on one core.
With --plot nothing is measured: the record is drawn and its summary printed.
"""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path
from statistics import median

import numpy as np
from common import arguments, new_record, run_script
from matplotlib.figure import Figure

from boolearn.bench.record import Row, key_of, read_record, rows_by_key, rows_with_runs
from boolearn.cells import CellNetwork, infer_network, read_bnet
from boolearn.circuit import prove_equal
from boolearn.circuit.drawing import save_figure
from boolearn.errors import FileError

TRANSITIONS = [512, 256, 128, 64, 1024]
MOST_VARIABLES = 150
FEW = 5
KEY = ("model", "transitions")


def main() -> None:
    parser = arguments(__doc__, only=True)
    parser.add_argument("directory", type=Path, help="a copy of the repository, or its folder models")
    parser.add_argument("--transitions", type=int, nargs="*", default=TRANSITIONS)
    parser.add_argument("--plot", type=Path, help="draw the record to this file")
    options = parser.parse_args()
    if options.plot:
        summarise([row for row, _ in rows_with_runs(read_record(options.out))], options.plot)
        return
    models = find_models(options.directory, options.only)
    done = rows_by_key(read_record(options.out)) if options.out and options.out.exists() else {}
    for count in options.transitions:
        for name, path in models.items():
            if key_of({"model": name, "transitions": count}, KEY) in done:
                continue
            record = new_record(KEY, options, 0)
            row = one_model(name, path, count)
            record.add(row)
            if options.out:
                record.write_into(options.out)
            print(
                f"{name}, {count} transitions: {row['exact']} of {row['functions']} exact, "
                f"{row['few_exact']} of {row['few']} with at most {FEW} regulators, {row['seconds']:.1f} s",
                flush=True,
            )


def find_models(directory: Path, only: str) -> dict[str, Path]:
    """The models that are small enough, the smallest first; folders are called [id-005]__[var-28]__[in-0]__[NAME]."""
    found = {}
    for path in sorted(directory.glob("**/model.bnet"), key=lambda path: (path.stat().st_size, path)):
        parts = re.fullmatch(r"\[id-(\d+)\]__\[var-(\d+)\]__\[in-\d+\]__\[(.*)\]", path.parent.name)
        if parts and int(parts[2]) <= MOST_VARIABLES and only in parts[1]:
            found[f"{parts[1]} {parts[3]}"] = path
    if not found:
        raise FileError(
            directory, None, "holds no models; expected folders such as [id-005]__[var-28]__[in-0]__[NAME]."
        )
    return found


def one_model(name: str, path: Path, count: int) -> dict[str, object]:
    truth = read_bnet(path)
    begun = time.process_time()
    inference = infer_network(truth.random_transitions(count), hold_out=False)
    seconds = time.process_time() - begun
    regulators = {rule: sum(target == rule for _, target in truth.regulations) for rule in truth.rules}
    exact = {rule for rule in truth.rules if is_same(truth, inference.network, rule)}
    sizes: dict[str, list[int]] = {}
    for rule, size in sorted(regulators.items(), key=lambda pair: pair[1]):
        pair = sizes.setdefault(str(size), [0, 0])
        pair[0] += rule in exact
        pair[1] += 1
    few = {rule for rule, size in regulators.items() if size <= FEW}
    return {
        "model": name,
        "transitions": count,
        "variables": len(truth.names),
        "functions": len(truth.rules),
        "exact": len(exact),
        "few": len(few),
        "few_exact": len(few & exact),
        "sure": sum(inference.rules[rule].sure for rule in truth.rules),
        "sure_and_wrong": sum(inference.rules[rule].sure and rule not in exact for rule in truth.rules),
        "exact_by_regulators": sizes,
        "seconds": round(seconds, 3),
    }


def summarise(rows: list[Row], picture: Path) -> None:
    """A table for people, and the plot, of the models that were measured at every number of transitions."""
    figure = Figure(figsize=(5.2, 3.4), dpi=150, layout="constrained")
    axes = figure.add_subplot()
    counts = sorted({row["transitions"] for row in rows})
    print("| transitions | models | functions exact | of at most 5 regulators | all of these in | median seconds |")
    print("| --- | --- | --- | --- | --- | --- |")
    for count in counts:
        some = [row for row in rows if row["transitions"] == count]
        exact, functions, few_exact, few = (
            sum(row[f] for row in some) for f in ("exact", "functions", "few_exact", "few")
        )
        whole = sum(row["few"] == row["few_exact"] for row in some)
        print(
            f"| {count:,} | {len(some)} | {exact / functions:.1%} of {functions:,} | "
            f"{few_exact / few:.2%} of {few:,} | {whole} of {len(some)} models | "
            f"{median(row['seconds'] for row in some):.2f} |"
        )
    models = [{row["model"] for row in rows if row["transitions"] == count} for count in counts]
    rows = [row for row in rows if all(row["model"] in some for some in models)]
    groups = {"1–2": range(3), "3": [3], "4": [4], "5": [5], "6": [6], "7–8": [7, 8], "9 and more": range(9, 200)}
    for label, sizes in groups.items():
        shares = []
        for count in counts:
            pairs = [
                pair
                for row in rows
                if row["transitions"] == count
                for size, pair in row["exact_by_regulators"].items()
                if int(size) in sizes
            ]
            shares.append(sum(pair[0] for pair in pairs) / max(1, sum(pair[1] for pair in pairs)))
        axes.plot(counts, shares, marker="o", label=label)
    axes.set_xscale("log", base=2)
    axes.set_xticks(counts, [str(count) for count in counts])
    axes.set(xlabel="random transitions", ylabel="functions recovered exactly", ylim=(-0.03, 1.03))
    axes.legend(title="regulators", fontsize=8, title_fontsize=8)
    axes.set_title(f"{len(set.intersection(*models))} models", fontsize=9)
    save_figure(figure, picture)


def is_same(truth: CellNetwork, found: CellNetwork, rule: str) -> bool:
    """Whether a rule is the same function in both networks, on all states."""
    mine, theirs = truth.rule_circuit(rule), found.rule_circuit(rule)
    names = sorted({*mine.inputs, *theirs.inputs})
    few = len(names) <= 16
    count = 1 << len(names) if few else 4096
    numbers = np.arange(count) if few else np.random.default_rng(0).integers(0, 1 << 62, count)
    states = ((numbers[:, None] >> np.arange(len(names)) % 62) & 1).astype(bool)
    answers = [circuit.predict(states[:, [names.index(name) for name in circuit.inputs]]) for circuit in (mine, theirs)]
    if few or (answers[0] != answers[1]).any():
        return bool((answers[0] == answers[1]).all())
    whole = [
        replace(net.circuit, outputs=tuple(o for o in net.circuit.outputs if o[0] == rule)) for net in (truth, found)
    ]
    return bool(prove_equal(whole[0], whole[1], method="sat"))


if __name__ == "__main__":
    run_script(main)
