"""Two records side by side: rows matched by key, ratios, what only one has."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from boolearn.bench.compare import Comparison, Pair, compare
from boolearn.bench.record import merged
from boolearn.errors import BoolearnError

ROOT = Path(__file__).parents[2]
RUN = {"commit": "0" * 40, "date": "2026-01-01", "machine": {"processor": "P", "cores": 2}}
OLD: dict[str, Any] = {
    "benchmark": "b",
    "key": ["problem", "sigma"],
    **RUN,
    "rows": [
        {"problem": "x", "sigma": [3, 3], "seconds": 2.0, "status": "budget", "parts": [1, {"a": 4.0}], "solved": True},
        {"problem": "x", "sigma": [7, 3], "seconds": 2.0},
        {"problem": "y", "seconds": 4.0},
    ],
}


def changed(**fields: Any) -> dict[str, Any]:
    """The record, a later commit, with other fields in its first row."""
    record = {**copy.deepcopy(OLD), "commit": "1" * 40}
    record["rows"][0] |= fields
    return record


def pairs(comparison: Comparison) -> dict[str, Pair]:
    first = next(iter(comparison.both.values()))
    return {pair.field: pair for pair in first}


def test_a_record_against_itself_shows_no_change() -> None:
    comparison = compare(OLD, copy.deepcopy(OLD))
    assert len(comparison.both) == 3
    assert all(pair.old == pair.new for found in comparison.both.values() for pair in found)
    assert comparison.geometric_means() == {}
    assert list(comparison.lines())[-1] == "rows without any change: 3"


def test_numbers_have_ratios_and_other_values_stand_side_by_side() -> None:
    found = pairs(compare(OLD, changed(seconds=3.0, status="solved", parts=[1, {"a": 2.0}], solved=False)))
    assert found["seconds"] == Pair("seconds", 2.0, 3.0)
    assert found["seconds"].ratio == 1.5
    assert found["parts[1].a"].ratio == 0.5
    assert (found["status"].old, found["status"].new, found["status"].ratio) == ("budget", "solved", None)
    assert found["solved"].ratio is None


def test_key_fields_are_matched_not_compared() -> None:
    assert not {"problem", "sigma"} & set(pairs(compare(OLD, OLD)))


def test_rows_are_matched_by_key_whatever_their_order() -> None:
    new = changed(seconds=3.0)
    expected = compare(OLD, new).both
    new["rows"].reverse()
    assert compare(OLD, new).both == expected


def test_rows_of_one_record_only_are_named() -> None:
    new = copy.deepcopy(OLD)
    new["rows"][2]["problem"] = "z"
    comparison = compare(OLD, new)
    assert (comparison.only_old, comparison.only_new) == ([("problem y",)], [("problem z",)])
    assert {"only in old: problem y", "only in new: problem z"} <= set(comparison.lines())


def test_a_field_of_one_record_only_is_shown_without_a_ratio() -> None:
    pair = pairs(compare(OLD, changed(extra=1.0)))["extra"]
    assert (pair.old, pair.new, pair.ratio) == (None, 1.0, None)


@pytest.mark.parametrize(("old", "new"), [(0, 1), (0.0, 0.0), (None, 1), ("1", 1)])
def test_no_ratio_where_there_is_none(old: Any, new: Any) -> None:
    assert Pair("x", old, new).ratio is None


def test_the_mean_ratio_is_geometric_and_over_rows() -> None:
    new = changed(seconds=8.0)  # ratios 4, 1 and 1
    mean, rows = compare(OLD, new).geometric_means()["seconds"]
    assert rows == 3
    assert mean == pytest.approx(4 ** (1 / 3))


def test_different_benchmarks_are_refused() -> None:
    with pytest.raises(BoolearnError, match="same benchmark. Got 'b' and 'c' instead"):
        compare(OLD, {**OLD, "benchmark": "c"})


def test_a_record_without_a_key_takes_the_other_ones() -> None:
    keyless = {name: value for name, value in OLD.items() if name != "key"}
    assert compare(keyless, OLD).both == compare(OLD, keyless).both == compare(OLD, OLD).both
    with pytest.raises(BoolearnError, match="must name its key fields"):
        compare(keyless, keyless)


def test_the_place_of_a_run_is_no_result_and_every_commit_is_named() -> None:
    several = merged(merged(None, changed(seconds=1.0)), {**OLD, "rows": OLD["rows"][1:]})
    comparison = compare(OLD, several)
    assert "run" not in pairs(comparison)
    assert [run.split(",")[0] for run in comparison.new_runs] == [f"commit {'1' * 40}", f"commit {'0' * 40}"]


def run_diff(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    script = ROOT / "benchmarks/diff.py"
    return subprocess.run([sys.executable, script, *words], cwd=folder, capture_output=True, text=True, check=False)


def test_the_script_compares_a_revision_with_a_file(tmp_path: Path) -> None:
    def git(*words: str) -> None:
        subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=e", *words], cwd=tmp_path, check=True)

    git("init", "--quiet")
    (tmp_path / "b.json").write_text(json.dumps(OLD))
    git("add", ".")
    git("commit", "--quiet", "-m", "record")
    (tmp_path / "b.json").write_text(json.dumps(changed(seconds=3.0)))
    done = run_diff(tmp_path, "HEAD:b.json", "b.json")
    assert done.returncode == 0, done.stderr
    assert f"old: commit {'0' * 40}" in done.stdout
    (line,) = (line for line in done.stdout.splitlines() if line.startswith("  seconds"))
    assert line.split() == ["seconds", "2", "3", "1.5"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("b.json", "c.json"), "Both records must be of the same benchmark. Got 'b' and 'c' instead."),
        (("b.json", "missing.json"), "missing.json: cannot be read"),
        (("b.json", "HEAD:b.json"), "HEAD:b.json: cannot be read from git"),
    ],
)
def test_errors_of_the_script(tmp_path: Path, words: tuple[str, str], message: str) -> None:
    for name in ("b", "c"):
        (tmp_path / f"{name}.json").write_text(json.dumps({**OLD, "benchmark": name}))
    done = run_diff(tmp_path, *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
