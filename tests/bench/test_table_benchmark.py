"""The tables of the benchmark are the published ones, and the page of its record says who is ahead."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(("number", "rows", "true", "true_of_all"), [(1, 124, 62, 216), (2, 169, 64, 142)])
def test_the_monk_problems_have_their_published_numbers(
    number: int, rows: int, true: int, true_of_all: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    table = importlib.import_module("table_data").monk(number)
    [(train, test)] = table.parts(3, 0)
    assert (len(train), len(test)) == (rows, 432)
    assert np.sum(table.labels[train] == "yes") == true
    assert np.sum(table.labels == "yes") == true_of_all


def test_the_page_compares_ours_with_the_best_peer_that_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    page = importlib.import_module("table_results")

    def row(method: str, accuracy: float) -> dict[str, object]:
        sizes = {"size": 3.0, "unit": "leaves", "cpu_seconds": 0.5}
        return {"table": "votes", "method": method, "accuracy": accuracy, "standard_error": 0.01, **sizes}

    rows = [row("boolearn", 0.9), row("RIPPER", 0.93), row("STreeD", 0.8), row("gradient boosting", 0.99)]
    run = {"parameters": {"folds": 3, "seed": 0}, "machine": {"processor": "P"}}
    text = page.sections({"benchmark": "tables", "key": ["table", "method"], **run, "rows": rows})
    assert "| votes | 90.00 | 93.00 (RIPPER) | -3.0 | **behind** |" in text
    assert "| votes | 90.00 ± 1.00 | – | 80.00 ± 1.00 | 93.00 ± 1.00 |" in text
