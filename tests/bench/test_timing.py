"""Timing: the best of rounds in turns, and rows that agree with themselves."""

from __future__ import annotations

import itertools
import json
from functools import partial
from pathlib import Path

import pytest

from boolearn.bench.clock import best_in_turns, seconds_of_one
from boolearn.bench.problems import timed_problems
from boolearn.bench.timing import KEY, Settings, run_benchmark
from boolearn.errors import ParameterError
from commands import boolearn


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_contestants_take_turns_and_the_least_counts() -> None:
    asked: list[str] = []
    times = {"a": iter([3.0, 1.0, 2.0]), "b": iter([5.0, 6.0, 4.0])}

    def contestant(name: str) -> float:
        asked.append(name)
        return next(times[name])

    assert best_in_turns({name: partial(contestant, name) for name in times}, 3) == {"a": 1.0, "b": 4.0}
    assert asked == ["a", "b"] * 3


def test_one_repetition_is_a_share_of_the_second_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock advances 1 s a repetition at first and 0.5 s later: the warm-up must not count."""
    now, speed = 0.0, itertools.chain([1.0], itertools.repeat(0.5))

    def repeat(n: int) -> None:
        nonlocal now
        now += n * next(speed)

    monkeypatch.setattr("time.perf_counter", lambda: now)
    assert seconds_of_one(repeat, 8) == 0.5


def test_names_of_timed_problems_are_unique() -> None:
    names = [task.name for task in timed_problems()]
    assert len(set(names)) == len(names)


@pytest.mark.slow
def test_a_row_agrees_with_itself() -> None:
    (row,) = run_benchmark(Settings(only="2-bit", reference=True, rounds=1))
    assert (row.problem, row.edges, row.items, row.threads) == ("2-bit multiplier", 60, 16, 1)
    assert row.nanoseconds == pytest.approx(1e9 * row.seconds / (60 * 16))
    assert row.share_of_limit == pytest.approx(row.pass_seconds / row.seconds)
    assert row.reference_seconds is not None
    assert row.reference_seconds > row.seconds
    assert row.original_seconds is row.adamw_seconds is None


@pytest.mark.slow
def test_an_adamw_step_is_timed_on_free_inputs_too() -> None:
    pytest.importorskip("torch")
    for row in run_benchmark(Settings(only="MNIST", adamw=True, rounds=1)):
        assert row.adamw_seconds is not None
        assert row.adamw_seconds > 0


def test_settings_are_checked_before_anything_is_timed() -> None:
    with pytest.raises(ParameterError, match="'only' parameter must be a part of one of the problems' names, 2-bit"):
        Settings(only="zzz")


@pytest.mark.slow
@pytest.mark.parametrize(("precision", "variables"), [("half", 4), ("single", 8), ("double", 16)])
def test_the_command_times_every_precision_and_writes_a_record(precision: str, variables: int) -> None:
    words = ("--only", "3-bit", "--rounds", "1", "--reference", "--precision", precision, "-o", "bench.json")
    assert "3-bit multiplier" in boolearn("bench", *words).stdout
    record = json.loads(Path("bench.json").read_text("utf-8"))
    (row,) = record["rows"]
    assert (record["benchmark"], record["key"]) == ("bench", list(KEY))
    assert record["machine"]["cores"] >= 1
    assert record["command"].startswith("boolearn bench --only 3-bit")
    assert record["parameters"]["precision"] == precision
    assert (row["precision"], row["items"], row["threads"]) == (precision, 64, 1)
    assert 0 < min(row["seconds"], row["reference_seconds"]) < record["seconds"]
    assert variables < row["bytes_per_variable"] < 2 * variables


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--threads", "-1"), "'threads' parameter must be an integer from 1 to 1024"),
        (("--rounds", "0"), "'rounds' parameter must be an integer of at least 1"),
        (("--only", "zzz"), "'only' parameter must be a part of one of the problems' names"),
        (("--original", "plain.txt"), "plain.txt: is not a program"),
        (("--precision", "quarter"), "'precision' parameter must be 'half', 'single' or 'double'"),
        (("-o", "missing/a.json"), "missing/a.json: cannot be written"),
        (("--only", "2-bit", "--rounds", "1", "--original", "/bin/false"), "it ended with status 1"),
        (("--only", "2-bit", "--rounds", "1", "--original", "/bin/true"), "it writes no .run file"),
    ],
)
def test_errors_of_the_command(words: tuple[str, ...], message: str) -> None:
    Path("plain.txt").write_text("no program\n")
    assert message in boolearn("bench", *words, status=2).stderr
