"""The tables of the page on real tables, made from the record of its benchmark."""

from __future__ import annotations

from pathlib import Path

from boolearn.bench.record import Document, Row, read_record, rows_with_runs

RECORD = Path(__file__).parents[1] / "benchmarks" / "results" / "tables.json"
OURS = "boolearn"
INTERPRETABLE = ("decision tree", "STreeD", "RIPPER", "Tsetlin machine")
"""The peers whose model is a tree, rules or clauses, so that it can be read as ours can."""
METHODS = (OURS, *INTERPRETABLE, "logistic regression", "gradient boosting")


def markdown() -> str:
    if not RECORD.exists():
        return "There is no record in this checkout; `python benchmarks/tables.py` makes one.\n"
    return sections(read_record(RECORD))


def sections(record: Document) -> str:
    """Accuracy, size and time, one table each, and how ours compares."""
    run = rows_with_runs(record)[0][1]
    rows = {(row["table"], row["method"]): row for row in record["rows"]}
    names = list(dict.fromkeys(row["table"] for row in sorted(record["rows"], key=_place)))
    folds, seed, machine = run["parameters"]["folds"], run["parameters"]["seed"], run["machine"]["processor"]
    cells = {
        "Accuracy": lambda row: f"{100 * row['accuracy']:.2f} ± {100 * row['standard_error']:.2f}",
        "Size": lambda row: f"{row['size']:.0f} {row['unit']}",
        "CPU seconds of a fit": lambda row: f"{row['cpu_seconds']:.2f}",
    }
    lines = [f"Record `benchmarks/results/{RECORD.name}`: {folds} folds, seed {seed}, on {machine}.\n"]
    for title, cell in cells.items():
        lines.append(f"### {title}\n")
        lines.append("| table | " + " | ".join(METHODS) + " |")
        lines.append("| --- " * (len(METHODS) + 1) + "|")
        for name in names:
            found = [rows.get((name, method)) for method in METHODS]
            lines.append(f"| {name} | " + " | ".join("–" if row is None else cell(row) for row in found) + " |")
        lines.append("")
    lines.append("### Ours beside the best interpretable peer\n")
    lines.append("| table | ours % | best peer % | difference in standard errors | |")
    lines.append("| --- | --- | --- | --- | --- |")
    lines += [line for name in names if (line := _compared(name, rows)) is not None]
    return "\n".join(lines) + "\n"


_TABLES = (
    "MONK-1", "MONK-2", "tic-tac-toe", "mushroom", "votes", "chess", "splice", "breast cancer", "compas", "digits",
)  # fmt: skip


def _place(row: Row) -> int:
    return _TABLES.index(row["table"])


def _compared(name: str, rows: dict[tuple[str, str], Row]) -> str | None:
    """How many of the best peer's standard errors (of ours, where it has none) ours is above it."""
    ours = rows.get((name, OURS))
    peers = [row for method in INTERPRETABLE if (row := rows.get((name, method))) is not None]
    if ours is None or not peers:
        return None
    best = max(peers, key=lambda row: row["accuracy"])
    difference = ours["accuracy"] - best["accuracy"]
    error = best["standard_error"] or ours["standard_error"]
    steps = difference / error if error else 0.0
    verdict = "ahead" if steps > 0 else "equal" if steps == 0 else "within one" if steps >= -1 else "**behind**"
    who = f"{100 * best['accuracy']:.2f} ({best['method']})"
    return f"| {name} | {100 * ours['accuracy']:.2f} | {who} | {steps:+.1f} | {verdict} |"
