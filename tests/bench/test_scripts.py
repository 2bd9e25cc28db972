"""Every benchmark script runs, as small as it can be, and writes a record that can be compared."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from boolearn.bench.compare import compare
from boolearn.bench.record import read_record, rows_with_runs

SCRIPTS = Path(__file__).parents[2] / "benchmarks"
QUICK = {
    "auto_settings": ("--only", "2-bit", "--cpu-seconds", "0.01"),
    "batch_metric": ("--draws", "1", "--work", "20"),
    "circuit_accuracy": ("--only", "Maj", "--items", "256", "--draws", "1", "--max-iter", "20"),
    "departures": ("--only", "mirror", "--cpu-seconds", "0.01"),
    "gate_cost": ("--only", "2×32", "--sigma", "5"),
    "gate_inputs": ("--only", "64 inputs, 6400"),
    "gate_search": ("--only", "6→12→", "--draws", "1", "--seconds", "0.2"),
    "gate_xor": ("--only", "parity of 5", "--seconds", "0.2"),
    "noise": ("--only", "Maj 8,8,8, 128 items rrr", "--draws", "1", "--max-iter", "20"),
    "restarts": ("--only", "4-5-4", "--cpu-seconds", "0.01"),
    "schedules": ("--only", "4-5-4", "--cpu-seconds", "0.01"),
    "settings": ("--only", "4-5-4", "--cpu-seconds", "0.01"),
    "solvers": ("--only", "one neuron", "--seeds", "1", "--seconds", "0.2"),
    "toolkit_curves": ("--only", "Maj", "--starts", "1", "--max-iter", "20"),
}
SLOW = {
    "batches": ("--seeds", "1", "--work", "20"),
    "calibration": ("--only", "breast cancer", "--max-work", "10000"),
    "choosing": ("--only", "heart", "--max-work", "1000"),
    "evaluate": ("--items", "2048", "--slow-items", "128", "--rounds", "1"),
    "half_precision": ("--starts", "2", "--rounds", "1"),
    "learn_known": ("--only", "parity", "--draws", "1"),
    "margins": ("--starts", "1"),
    "ranks": ("--only", "strong 16→32", "--rounds", "1"),
    "ranks_memory": ("--items", "20000"),
    "scaling": ("--rounds", "1"),
    "stages": ("--only", "one step", "--items", "96", "--draws", "3"),
    "tables": ("--only", "MONK-1"),
    "torch_engine": ("--only", "8→8→8", "--rounds", "1"),
    "weight_sharing": ("--only", "rule 30, one step", "--draws", "1"),
    "words": ("--only", "features: 4 features, 4 gates", "--seeds", "1"),
}
ELSEWHERE = {"cells_biodivine", "cells_ecoli", "iwls2020"}
"""They need data from elsewhere; tests of their own make some up."""
HELPERS = {"ambiguity", "common", "diff", "evaluate_circuits", "gate_cases", "gate_rivals", "table_data", "table_peers"}


def run_script(name: str, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, SCRIPTS / f"{name}.py", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_no_script_is_forgotten() -> None:
    assert {path.stem for path in SCRIPTS.glob("*.py")} == {*QUICK, *SLOW, *ELSEWHERE, *HELPERS}


@pytest.mark.parametrize("name", [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)])
def test_a_script_writes_a_record_of_its_own_benchmark(name: str, tmp_path: Path) -> None:
    words = {**QUICK, **SLOW}[name]
    done = run_script(name, tmp_path, *words, "-o", "record.json")
    assert done.returncode == 0, done.stderr
    record = read_record(tmp_path / "record.json")
    committed = read_record(SCRIPTS / f"results/{name}.json")
    assert (record["benchmark"], record["key"]) == (name, committed["key"])
    assert compare(committed, record).both, "no row of the committed record was measured again"
    for _, run in rows_with_runs(record):
        assert run["command"].startswith(f"python benchmarks/{name}.py {words[0]}")


@pytest.mark.parametrize("name", ["gate_search", "settings"])
def test_a_script_that_prints_records_prints_the_committed_one(name: str, tmp_path: Path) -> None:
    option = {"gate_search": "--table", "settings": "--show"}[name]
    done = run_script(name, tmp_path, option, str(SCRIPTS / f"results/{name}.json"))
    assert done.returncode == 0, done.stderr
    for problem in {row["problem"] for row in read_record(SCRIPTS / f"results/{name}.json")["rows"]}:
        assert problem in done.stdout


def test_wrong_options_get_one_clear_line(tmp_path: Path) -> None:
    for words, message in {
        ("--only", "zzz"): "gate_cost.py: The 'only' parameter must be a part of one of the names 2×32",
        ("-o", "missing/a.json"): "gate_cost.py: missing/a.json: cannot be written",
    }.items():
        done = run_script("gate_cost", tmp_path, *words)
        assert done.returncode == 2
        assert done.stderr.startswith(message)
