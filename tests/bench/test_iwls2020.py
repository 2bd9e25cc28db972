"""The benchmark of contest functions, on two small functions of our own in the contest's layout."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from boolearn.bench.record import read_record

SCRIPT = Path(__file__).parents[2] / "benchmarks/iwls2020.py"


def write_pla(path: Path, rows: int, seed: int, noisy: bool) -> None:
    rng = np.random.default_rng(seed)
    inputs = rng.random((rows, 8)) < 0.5
    outputs = (inputs[:, 0] & inputs[:, 1]) | inputs[:, 2] & inputs[:, 5]
    if noisy:
        outputs ^= rng.random(rows) < 0.2
    lines = [f"{''.join(map(str, row.astype(int)))} {int(out)}" for row, out in zip(inputs, outputs, strict=True)]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join([".i 8", ".o 1", f".p {rows}", ".type fr", *lines, ".e", ""]))


def run(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, SCRIPT, *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_functions_are_learned_once_and_test_rows_are_read_last(tmp_path: Path) -> None:
    for number, noisy in ((0, False), (81, True)):
        write_pla(tmp_path / f"data/train/ex{number:02}.train.pla", 200, 1, noisy)
        write_pla(tmp_path / f"data/validation/ex{number:02}.valid.pla", 200, 2, noisy)
    words = ("data", "--functions", "0,81", "--max-work", "20000", "--kept", "kept")
    first = run(tmp_path, *words)  # there are no test rows to read
    assert first.returncode == 0, first.stderr
    assert "ex00" in first.stdout
    missing = run(tmp_path, *words, "-o", "record.json")
    assert missing.returncode == 2
    assert "ex00.test.pla" in missing.stderr
    for number, noisy in ((0, False), (81, True)):
        write_pla(tmp_path / f"data/test/ex{number:02}.test.pla", 300, 3, noisy)
    last = run(tmp_path, *words, "-o", "record.json")
    assert last.returncode == 0, last.stderr
    assert "validation" not in last.stdout  # nothing was learned again
    rows = {row["function"]: row for row in read_record(tmp_path / "record.json")["rows"]}
    assert rows["ex00"]["exact"]
    assert rows["ex00"]["published"][0] == 99.2
    assert 0.5 < rows["ex81"]["test_accuracy"] < 1
    assert rows["ex81"]["random_forest"] > 0.5
    assert "- all: " in run(tmp_path, "--table", "record.json").stdout


@pytest.mark.slow
def test_wrong_calls_are_named(tmp_path: Path) -> None:
    for words in ((), ("nowhere",), (".", "--functions", "a-b")):
        done = run(tmp_path, *words)
        assert done.returncode == 2
        assert "must be" in done.stderr
