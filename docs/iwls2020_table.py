"""The table of the IWLS 2020 functions, made from its record."""

from __future__ import annotations

import sys
from pathlib import Path

from boolearn.bench.record import read_record

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
sys.path.insert(0, str(BENCHMARKS))

from iwls2020 import table  # noqa: E402


def markdown() -> str:
    """One row for each function, then groups and the total."""
    return table(read_record(BENCHMARKS / "results" / "iwls2020.json")) + "\n"
