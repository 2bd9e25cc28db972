"""Run folders written before solvers were objects: they load, predict and, but for one kind, resume."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import pytest

from boolearn.data import multiplier, write
from boolearn.runs import load_model
from commands import boolearn

FOLDERS = Path(__file__).parent / "format1"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(FOLDERS, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    write(multiplier(2), "2x2.dat")


def test_they_resume_to_the_same_weights() -> None:
    """The digest is of the weights that the version which wrote the folder came to, resumed as here."""
    boolearn("train", "--resume", "rrr", "--max-iter", "300", status=1)
    assert hashlib.sha256(load_model("rrr").weights.tobytes()).hexdigest()[:16] == "6d2f1e0720432d08"


def test_one_in_which_the_gate_search_had_the_first_turn_is_refused_and_kept() -> None:
    before = {path: path.read_bytes() for path in Path("hybrid").rglob("*") if path.is_file()}
    refused = boolearn("train", "--resume", "hybrid", "--max-iter", "300", status=2)
    assert "is of a run whose 'solvers' is ['gates', 'rrr']; only the same run can be resumed." in refused.stderr
    assert {path: path.read_bytes() for path in Path("hybrid").rglob("*") if path.is_file()} == before


def test_a_finished_one_predicts_and_has_a_circuit() -> None:
    assert "accuracy by bits: 100.000 %" in boolearn("predict", "solved", "2x2.dat").stdout
    assert "nothing to resume" in boolearn("train", "--resume", "solved").stdout
    boolearn("circuit", "solved", "-o", "2x2.v")
    assert Path("2x2.v").exists()
