"""The tables of the comparison with other methods, made from its record."""

from __future__ import annotations

from pathlib import Path

from boolearn.bench.record import Document, read_record
from boolearn.experiments.compared_tables import FAMILIES, tables

RECORD = Path(__file__).parents[1] / "experiments" / "results" / "baselines.json"


def markdown() -> str:
    """A section for every family of problems, or a line that says that there is no record."""
    if not RECORD.exists():
        return "There is no record of a full run in this checkout; `boolearn reproduce baselines` makes one.\n"
    return sections(read_record(RECORD))


def sections(record: Document) -> str:
    seeds, machine = record["parameters"]["seeds"], record["machine"]["processor"]
    lines = [f"Record `experiments/results/{RECORD.name}`: `{record['command']}`, {seeds} draws each, on {machine}.\n"]
    percent = record["parameters"]["max_iter_percent"]
    if percent != 100:
        lines.append(f"All budgets were {percent} % of those of the command without `--scale`.\n")
    for family, table in tables(record["rows"]).items():
        lines.append(f"### {FAMILIES[family]}\n\n{table}\n")
        scored = {row["scored"] for row in record["rows"] if row["family"] == family}
        if "validation" in scored:
            lines.append("Scored on the benchmark's validation rows.\n")
    return "\n".join(lines)
