"""boolearn tune as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from boolearn.data import multiplier, write


@pytest.fixture(autouse=True)
def _in_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    write(multiplier(2), "2x2.dat")


def tune(*words: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "boolearn", "tune", "2x2.dat", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done


CHOICES = ("--layers", "4,4,4,4", "--beta", "0.5,1.5", "--gamma", "0.001", "--trials", "2", "--starts", "6")


def test_the_best_setting_as_words_and_as_json() -> None:
    said = tune(*CHOICES, "--max-iter", "5000")
    assert "--beta 0.5 --gamma 0.001 --sigma 3" in said.stdout
    assert "setting 2:" in said.stderr
    report = json.loads(tune(*CHOICES, "--max-iter", "5000", "--json").stdout)
    assert report["best"] == {"beta": 0.5, "gamma": 0.001, "sigma": 3.0}
    assert report["solved"]
    assert [row["beta"] for row in report["settings"]] == [0.5, 1.5]
    assert {"starts", "solved", "rate", "rate_error", "successes_per_second"} <= set(report["settings"][0])


def test_without_a_solution_the_status_is_1() -> None:
    report = json.loads(tune(*CHOICES, "--max-iter", "2", "--json", status=1).stdout)
    assert not report["solved"]
    assert report["settings"][0]["iterations_per_success"] is None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--beta", "a:b"), "'beta' parameter must be a number, a range LOW:HIGH"),
        (("--beta", "1:0.5"), "'beta' parameter must be a range"),
        (("--sigma", "0"), "'sigma' parameter must be"),
        (("--trials", "2", "--max-seconds", "3"), "'max_seconds' parameter must be left out"),
    ],
)
def test_bad_values_are_refused(words: tuple[str, ...], message: str) -> None:
    assert message in tune("--layers", "4,4,4,4", *words, status=2).stderr
