"""The benchmarks of Boolean networks of cells, on made-up copies of the repositories that they read."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from boolearn.bench.record import read_record, rows_with_runs

SCRIPTS = Path(__file__).parents[2] / "benchmarks"


def run_script(name: str, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, SCRIPTS / f"{name}.py", *words], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.slow
def test_published_models_are_measured_once_and_drawn(tmp_path: Path) -> None:
    model = tmp_path / "models" / "[id-007]__[var-3]__[in-1]__[TOY]"
    model.mkdir(parents=True)
    (model / "model.bnet").write_text("targets,factors\na, b & !c\nb, a | in\nc, !a\n")
    words = ("models", "--transitions", "64", "-o", "record.json")
    done = run_script("cells_biodivine", tmp_path, *words)
    assert "007 TOY, 64 transitions: 3 of 3 exact, 3 of 3 with at most 5 regulators" in done.stdout, done.stderr
    assert run_script("cells_biodivine", tmp_path, *words).stdout == ""
    rows = [row for row, _ in rows_with_runs(read_record(tmp_path / "record.json"))]
    assert [(row["model"], row["exact_by_regulators"]) for row in rows] == [("007 TOY", {"1": [1, 1], "2": [2, 2]})]
    drawn = run_script("cells_biodivine", tmp_path, "models", "-o", "record.json", "--plot", "plot.svg")
    assert "| 64 | 1 | 100.0% of 3 | 100.00% of 3 | 1 of 1 models |" in drawn.stdout, drawn.stderr
    assert (tmp_path / "plot.svg").exists()
    wrong = run_script("cells_biodivine", tmp_path, "models/nothing")
    assert wrong.returncode == 2
    assert "holds no models" in wrong.stderr


@pytest.mark.slow
def test_series_are_scored_like_the_published_methods(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    for size in (16, 32, 64):
        data, results = (tmp_path / kind / "EcoliExtractedNetworks" / str(size) for kind in ("data", "results"))
        (results / "GABNI").mkdir(parents=True)
        data.mkdir(parents=True)
        driver = np.repeat(rng.random((560 // 8, 1)) < 0.5, 8, axis=0)
        states = np.where(np.arange(size) < 4, driver, rng.random((560, size)) < 0.5)
        np.savetxt(results / "Ecoli-1_dream4_timeseries.tsv", states, "%d", "\t")
        names = [f"gene{k}" for k in range(size)]
        (data / "Ecoli-1_dream4_timeseries.tsv").write_text('"Time"\t' + "\t".join(names) + "\n")
        (data / "Ecoli-1_goldstandard.tsv").write_text("gene0\tgene1\t1\ngene0\tgene2\t0\n")
        (results / "GABNI" / "results_network_1.tsv").write_text(f"time\terrors\n1\t{55 * size // 5}\n")
        (results / "GABNI" / "results_structure_network_1.tsv").write_text("Accuracy\tF1\n0\t0.25\n")
    done = run_script("cells_ecoli", tmp_path, str(tmp_path), "--networks", "1", "-o", "record.json")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("GABNI                    0.800  0.250") == 3
    rows = json.loads((tmp_path / "record.json").read_text())["rows"]
    ours = [row for row in rows if row["method"] == "boolearn, formulas"]
    assert [row["genes"] for row in ours] == [16, 32, 64]
    assert all(0.4 < row["dynamic_accuracy"] < 1 for row in ours)
