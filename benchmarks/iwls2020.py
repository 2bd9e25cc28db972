"""The functions of the IWLS 2020 contest "Logic Synthesis Meets Machine Learning", learned from their examples alone.

    python benchmarks/iwls2020.py DIRECTORY [--functions 0-89] [--max-seconds 60] [--kept build/iwls2020]
        [--published benchmarks/iwls2020_published.json] [-o benchmarks/results/iwls2020.json]
    python benchmarks/iwls2020.py DIRECTORY --without-classes [-o benchmarks/results/iwls2020_search.json]
    python benchmarks/iwls2020.py --table benchmarks/results/iwls2020.json [benchmarks/results/iwls2020_search.json]

DIRECTORY is the contest's repository, github.com/iwls2020-lsml-contest/iwls2020-lsml-contest, of which 90 functions are
complete. Circuits have at most 5,000 And nodes, as in the contest, and one setting is used for all. Learning reads
training and validation rows only, and keeps what it finds in the folder ``--kept``; a second call goes on where the
first stopped. Test rows are read once, by the part that writes the record, when all functions are learned. A decision
tree and a random forest (scikit-learn's defaults) are fitted to training and validation rows together, of any size.

The subjects of the contest are public (sums, products, comparisons, …), and classes with exact learners know such
functions. ``--without-classes`` shows what the search does without them. A table may be made of several records: the
last that has a function counts.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
from common import arguments, recording, run_script
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

from boolearn.bench.record import read_record, rows_with_runs
from boolearn.circuit import load
from boolearn.data import Dataset, read
from boolearn.errors import FileError, ParameterError
from boolearn.files import write_text
from boolearn.learning import learn

MOST_ANDS = 5000
PUBLISHED = Path(__file__).with_name("iwls2020_published.json")
GROUPS = {
    "adders": range(10),
    "dividers": range(10, 20),
    "multipliers": range(20, 30),
    "comparators": range(30, 40),
    "square roots": range(40, 50),
    "PicoJava": range(50, 60),
    "i10": range(60, 70),
    "MCNC, symmetric": range(70, 80),
    "MNIST": range(80, 90),
}


def rows_of(directory: Path, function: str, part: str) -> Dataset:
    """Training, validation or test rows; names of columns are the same for all three."""
    found = sorted(directory.rglob(f"{function}.{part}.pla"))
    if not found:
        raise FileError(directory, None, f"has no file {function}.{part}.pla, in no folder below it.")
    return replace(read(found[0]), input_names=None, output_names=None)


def learned(directory: Path, function: str, kept: Path, settings: dict[str, Any]) -> None:
    """Learn a function, unless it was learned before with the same settings."""
    record, circuit = kept / f"{function}.json", kept / f"{function}.circuit.json"
    if record.exists() and json.loads(record.read_text())["settings"] == settings:
        return
    train, valid = rows_of(directory, function, "train"), rows_of(directory, function, "valid")
    found = learn(train, valid=valid, max_ands=MOST_ANDS, **settings)
    found.circuit.save(circuit)
    result = {"inputs": train.n_inputs, **found.result()}
    tried = [asdict(one) for one in found.tried]
    write_text(record, json.dumps({"settings": settings, "result": result, "tried": tried}, indent=1) + "\n")
    print(
        f"{function} {train.n_inputs:3} inputs, validation {found.accuracy}, {found.ands} Ands, "
        f"{found.seconds:.0f} s, {found.method[:100]}",
        flush=True,
    )


def measured(directory: Path, function: str, kept: Path, published: dict[str, list[float]]) -> dict[str, Any]:
    """A row of the record: what was learned, on test rows, beside other methods."""
    result = json.loads((kept / f"{function}.json").read_text())["result"]
    circuit = load(kept / f"{function}.circuit.json")
    parts = [rows_of(directory, function, part) for part in ("train", "valid")]
    test = rows_of(directory, function, "test")
    inputs = np.concatenate([part.inputs for part in parts])
    outputs = np.concatenate([part.targets[:, 0] for part in parts])
    wanted = test.targets[:, 0]
    row: dict[str, Any] = {
        "function": function,
        **{name: result[name] for name in ("inputs", "method", "ands", "depth", "seconds", "valid_accuracy")},
        "test_accuracy": float((circuit.predict(test.inputs)[:, 0] == wanted).mean()),
    }
    row["exact"] = row["test_accuracy"] == 1
    for name, model in (
        ("decision_tree", DecisionTreeClassifier(random_state=0)),
        ("random_forest", RandomForestClassifier(random_state=0)),
    ):
        row[name] = float((model.fit(inputs, outputs).predict(test.inputs) == wanted).mean())
    if function in published:
        row["published"] = published[function]
    return row


def table(*records: dict[str, Any]) -> str:
    """The functions one by one, then groups and totals; of several records the last that has a function counts."""
    head = (
        "function",
        "inputs",
        "test %",
        "Ands",
        "s",
        "best published",
        "one portfolio",
        "tree %",
        "forest %",
        "method",
    )
    lines = [head, tuple("---" for _ in head)]
    found = {row["function"]: row for record in records for row, _ in rows_with_runs(record)}
    rows = [found[function] for function in sorted(found)]
    for row in rows:
        published = row.get("published", [float("nan")] * 4)
        method = row["method"] if len(row["method"]) <= 60 else row["method"][:57] + "…"
        lines.append(
            (
                row["function"],
                str(row["inputs"]),
                f"{'**100**' if row['exact'] else format(100 * row['test_accuracy'], '.2f')}",
                str(row["ands"]),
                f"{row['seconds']:.0f}",
                f"{published[0]:.2f}",
                f"{published[2]:.2f}",
                f"{100 * row['decision_tree']:.1f}",
                f"{100 * row['random_forest']:.1f}",
                method,
            )
        )
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n\n"
    return text + "\n".join(summed_up(name, rows, numbers) for name, numbers in {**GROUPS, "all": range(90)}.items())


def summed_up(name: str, rows: Sequence[dict[str, Any]], numbers: range) -> str:
    chosen = [row for row in rows if int(row["function"][2:]) in numbers]
    if not chosen:
        return f"- {name}: none"
    mean = {field: float(np.mean([row[field] for row in chosen])) for field in ("test_accuracy", "ands", "seconds")}
    return (
        f"- {name}: {100 * mean['test_accuracy']:.2f} %, {sum(row['exact'] for row in chosen)} of {len(chosen)} exact, "
        f"{mean['ands']:.0f} And nodes, {mean['seconds']:.0f} s on average"
    )


def function_names(text: str) -> list[str]:
    """``0-9,30`` are ex00 to ex09 and ex30."""
    names = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        if not first.isdigit() or (last and not last.isdigit()):
            raise ParameterError("functions", "numbers and ranges such as 0-9,30", text)
        names += [f"ex{number:02}" for number in range(int(first), int(last or first) + 1)]
    return names


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("directory", type=Path, nargs="?", help="the contest's repository")
    parser.add_argument("--functions", default="0-89", help="which, such as 0-9,30")
    parser.add_argument("--max-seconds", type=float, default=60.0, help="for each function")
    parser.add_argument("--max-work", type=int, help="units of work for each function, instead of seconds")
    parser.add_argument("--without-classes", action="store_true", help="search only, without exact learners")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, help="all cores by default")
    parser.add_argument("--kept", type=Path, default=Path("build/iwls2020"), help="folder for what was learned")
    parser.add_argument("--published", type=Path, default=PUBLISHED, help="results of others, for comparison")
    parser.add_argument("--table", type=Path, nargs="+", help="print these records and do nothing else")
    options = parser.parse_args()
    if options.table:
        print(table(*map(read_record, options.table)))
        return
    if options.directory is None or not options.directory.is_dir():
        raise ParameterError("directory", "the folder of the contest's repository", options.directory)
    functions = function_names(options.functions)
    settings: dict[str, Any] = {"seed": options.seed, "threads": options.threads}
    settings |= {"max_work": options.max_work} if options.max_work else {"max_seconds": options.max_seconds}
    settings |= {"classes": []} if options.without_classes else {}
    options.kept.mkdir(parents=True, exist_ok=True)
    with recording(("function",), options, options.seed, max_ands=MOST_ANDS) as record:
        begun = time.perf_counter()
        for function in functions:
            learned(options.directory, function, options.kept, settings)
        print(f"all learned, {time.perf_counter() - begun:.0f} s; nothing so far has read test rows", flush=True)
        if not options.out:
            return
        published = json.loads(options.published.read_text(encoding="utf-8"))["functions"]
        for function in functions:
            record.add(measured(options.directory, function, options.kept, published))
        print(table(record.document()))


if __name__ == "__main__":
    run_script(main)
