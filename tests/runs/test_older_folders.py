"""Run folders written before solvers were objects: they load, predict and resume as if nothing had changed."""

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


@pytest.mark.parametrize(("folder", "weights"), [("rrr", "6d2f1e0720432d08"), ("hybrid", "ec21eed24373e8d5")])
def test_they_resume_to_the_same_weights(folder: str, weights: str) -> None:
    """The digests are of the weights that the version which wrote the folder came to, resumed as here."""
    boolearn("train", "--resume", folder, "--max-iter", "300", status=1)
    assert hashlib.sha256(load_model(folder).weights.tobytes()).hexdigest()[:16] == weights


def test_a_finished_one_predicts_and_has_a_circuit() -> None:
    assert "accuracy by bits: 100.000 %" in boolearn("predict", "solved", "2x2.dat").stdout
    assert "nothing to resume" in boolearn("train", "--resume", "solved").stdout
    boolearn("circuit", "solved", "-o", "2x2.v")
    assert Path("2x2.v").exists()
