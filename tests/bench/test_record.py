"""Records: what they carry, how runs are merged, and what is refused."""

from __future__ import annotations

import json
import math
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boolearn._version import __version__
from boolearn.bench.commit import source_commit
from boolearn.bench.record import Record, merged, read_record, rows_by_key, rows_with_runs
from boolearn.errors import BoolearnError, FileError

RESULTS = Path(__file__).parents[2] / "benchmarks/results"
RUN_FIELDS = {"version", "commit", "command", "seeds", "parameters", "machine", "date", "seconds"}


def document(rows: dict[int, float], command: str = "measure", benchmark: str = "b") -> dict[str, Any]:
    """A record of one run with a row for each seed."""
    rows_of_seeds = [{"seed": seed, "seconds": seconds} for seed, seconds in rows.items()]
    return {"benchmark": benchmark, "key": ["seed"], "command": command, "rows": rows_of_seeds}


def test_a_record_says_how_it_was_made(tmp_path: Path) -> None:
    record = Record("b", ("seed",), ["python", "b.py", "--only", "two words"], seeds=[3], parameters={"rounds": 2})
    record.add({"seed": 3, "status": "gelöst →", "sigma": (7, 3)})
    record.write(tmp_path / "b.json")
    found = read_record(tmp_path / "b.json")
    assert set(found) == {"benchmark", "key", "rows", *RUN_FIELDS}
    assert found["version"] == __version__
    assert found["commit"] == source_commit()
    assert found["command"] == "python b.py --only 'two words'"
    assert (found["seeds"], found["parameters"]) == ([3], {"rounds": 2})
    assert found["rows"] == [{"seed": 3, "status": "gelöst →", "sigma": [7, 3]}]
    assert 0 < found["seconds"] < 60


def test_numbers_that_json_does_not_have_are_null(tmp_path: Path) -> None:
    record = Record("b", ("seed",), ["b"])
    record.add({"seed": np.int64(1), "right": np.bool_(True), "lost": [math.nan, math.inf, {"x": np.float32("nan")}]})
    record.write(tmp_path / "b.json")
    assert read_record(tmp_path / "b.json")["rows"] == [{"seed": 1, "right": True, "lost": [None, None, {"x": None}]}]
    assert "NaN" not in (tmp_path / "b.json").read_text()


rows_of_runs = st.lists(st.dictionaries(st.integers(0, 5), st.floats(0, 9), max_size=6), min_size=1, max_size=5)


@given(rows_of_runs)
def test_merging_keeps_the_newest_row_of_every_key_and_the_run_it_comes_from(history: list[dict[int, float]]) -> None:
    record = None
    newest: dict[int, tuple[float, str]] = {}
    for number, rows in enumerate(history):
        record = merged(record, document(rows, f"run {number}"))
        newest |= {seed: (seconds, f"run {number}") for seed, seconds in rows.items()}
    assert record is not None
    found = {row["seed"]: (row["seconds"], run["command"]) for row, run in rows_with_runs(record)}
    assert found == newest
    assert len(record["rows"]) == len(newest)
    assert {run["command"] for run in record["runs"]} == {command for _, command in newest.values()}


def test_a_run_that_writes_after_every_row_stays_one_run(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    first, second = (Record("b", ("seed",), ["b", name]) for name in ("first", "second"))
    for seed in (0, 1, 2):
        first.add({"seed": seed})
        first.write_into(path)
    second.add({"seed": 1})
    second.write_into(path)
    found = read_record(path)
    assert [run["command"] for run in found["runs"]] == ["b first", "b second"]
    assert [(row["seed"], row["run"]) for row in found["rows"]] == [(0, 0), (2, 0), (1, 1)]
    assert all(set(run) == RUN_FIELDS for run in found["runs"])


def test_rows_are_not_merged_into_another_benchmark() -> None:
    with pytest.raises(BoolearnError, match="same benchmark. Got 'a' and 'b' instead"):
        merged(document({}, benchmark="a"), document({}))


def test_two_rows_of_one_key_are_refused() -> None:
    twice = {"key": ["seed"], "rows": [{"seed": 1, "x": 1}, {"seed": 1, "x": 2}]}
    with pytest.raises(BoolearnError, match="Got two rows with seed 1 instead"):
        rows_by_key(twice)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "is not JSON"),
        ("[]", "must be a JSON object"),
        ("{}", "'rows' must be a list of objects"),
        ('{"rows": [1]}', "'rows' must be a list of objects"),
        ('{"rows": [], "key": "seed"}', "'key' must be a list of names"),
        ('{"rows": [], "runs": {}}', "'runs' must be a list of objects"),
        ('{"rows": [{"run": 1}], "runs": [{}]}', "'run' of every row must be from 0 to 0"),
        ('{"rows": [{}], "runs": [{}]}', "'run' of every row must be from 0 to 0"),
    ],
)
def test_what_is_not_a_record_is_refused_with_its_name(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "r.json").write_text(text)
    with pytest.raises(FileError, match=rf"r\.json: .*{message}"):
        read_record(tmp_path / "r.json")


def test_older_records_are_read_too(tmp_path: Path) -> None:
    (tmp_path / "bench.json").write_text(json.dumps({"machine": {}, "results": [{"problem": "p"}]}))
    found = read_record(tmp_path / "bench.json")
    assert (found["benchmark"], found["rows"]) == ("bench", [{"problem": "p"}])


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.json")), ids=lambda path: path.name)
def test_every_record_in_the_repository_names_its_commit_and_has_one_row_for_each_key(path: Path) -> None:
    record = read_record(path)
    assert path.stem.startswith(record["benchmark"])  # some benchmarks have several records
    assert len(rows_by_key(record)) == len(record["rows"]) > 0
    for _, run in rows_with_runs(record):
        commit, _, dirty = run["commit"].partition("-")
        assert len(commit) == 40
        assert dirty in ("", "dirty")
        assert run["version"]
        assert run["machine"]["processor"]


def test_folders_of_a_machine_are_left_out(tmp_path: Path) -> None:
    program = tmp_path / "train"
    command = ["boolearn", "bench", "--original", str(program), "-o", "results/b.json"]
    run = Record("b", ["seed"], command, parameters={"original": str(program), "starts": 3, "only": "And/Or"}).run
    assert run["command"] == "boolearn bench --original train -o results/b.json"
    assert run["parameters"] == {"original": "train", "starts": 3, "only": "And/Or"}


@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.json")), ids=lambda path: path.name)
def test_no_record_in_the_repository_names_a_folder_of_a_machine(path: Path) -> None:
    for _, run in rows_with_runs(read_record(path)):
        words = [*shlex.split(run["command"] or ""), *map(str, run["parameters"].values())]
        assert [word for word in words if Path(word).is_absolute()] == []
