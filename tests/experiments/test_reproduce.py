"""Reproductions: jobs run once, whatever stops them, and results of different runs are never mixed."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from counting import Parameters, computed, counting, square

from boolearn.bench.record import Document, read_record
from boolearn.cli.jobs import JobsLine
from boolearn.display import Display
from boolearn.errors import FileError, ParameterError
from boolearn.experiments import Experiment, Job, Progress, find, reproduce
from boolearn.experiments.random_logic import learn_circuit
from boolearn.experiments.spent import FILE, Spent
from boolearn.solver import Tick
from commands import PROGRAM

COMMAND = ["boolearn", "reproduce", "counting"]


def run(experiment: Experiment[Parameters], folder: Path, seed: int = 3, **options: Any) -> Document:
    return reproduce(experiment, experiment.full, seed, folder, command=COMMAND, **options)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_record_has_a_row_for_every_job_in_order(threads: int, tmp_path: Path) -> None:
    experiment = counting(tmp_path / "marks")
    record = run(experiment, tmp_path / "out", threads=threads)
    assert record == read_record(tmp_path / "out/record.json")
    assert [(row["job"], row["square"]) for row in record["rows"]] == [(f"job-{n}", (n + 3) ** 2) for n in range(5)]
    assert record["summary"] == [{"what": "sum", "ours": "135", "paper": ""}]
    assert (record["benchmark"], record["seeds"], record["parameters"]["jobs"]) == ("counting", 3, 5)
    assert {"version", "commit", "machine", "seconds", "core_seconds", "command"} <= record.keys()
    assert (tmp_path / "out/squares.png").exists()


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(("obstacle", "error"), [("stop", KeyboardInterrupt), ("fail", ZeroDivisionError)])
def test_what_is_done_is_never_done_again(
    obstacle: str, error: type[BaseException], threads: int, tmp_path: Path
) -> None:
    marks, out = tmp_path / "marks", tmp_path / "out"
    experiment = counting(marks)
    (marks / obstacle).touch()
    with pytest.raises(error):
        run(experiment, out, threads=threads)
    assert not (out / "record.json").exists()
    kept = {path: path.read_bytes() for path in (out / "jobs").iterdir()}
    first = computed(marks)
    (marks / obstacle).unlink()
    record = run(experiment, out, threads=threads)
    assert {path: path.read_bytes() for path in kept} == kept
    assert [row["square"] for row in record["rows"]] == [9, 16, 25, 36, 49]
    if threads == 1:  # of jobs side by side, one may be under way when the other fails
        assert first == [0, 1]
        assert computed(marks) == [0, 1, 2, 3, 4]
    else:
        assert len(computed(marks)) == len(first) + 5 - len(kept)


def test_a_complete_folder_is_only_drawn_again(tmp_path: Path) -> None:
    experiment = counting(tmp_path / "marks")
    first = run(experiment, tmp_path / "out", threads=1)
    picture = (tmp_path / "out/squares.png").read_bytes()
    (tmp_path / "out/squares.png").unlink()
    assert run(experiment, tmp_path / "out", threads=1) == first
    assert (tmp_path / "out/squares.png").read_bytes() == picture
    assert computed(tmp_path / "marks") == [0, 1, 2, 3, 4]


def test_results_of_another_run_are_refused(tmp_path: Path) -> None:
    experiment = counting(tmp_path / "marks")
    out = tmp_path / "out"
    run(experiment, out, threads=1)
    with pytest.raises(FileError, match="out: holds the results of another reproduction: its seeds is 3, not 4"):
        run(experiment, out, seed=4)
    with pytest.raises(FileError, match="its parameters is .*'jobs': 5.*, not .*'jobs': 6"):
        run(replace(experiment, full=replace(experiment.full, jobs=6)), out)
    with pytest.raises(FileError, match="its experiment is 'counting', not 'other'"):
        run(replace(experiment, name="other"), out)
    identity = json.loads((out / "experiment.json").read_text())
    (out / "experiment.json").write_text(json.dumps({**identity, "commit": "0123"}))
    with pytest.raises(FileError, match="its commit is '0123', not "):
        run(experiment, out)


def test_a_folder_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("x")
    with pytest.raises(FileError, match="holds something other than a reproduction"):
        run(counting(tmp_path / "marks"), tmp_path)
    with pytest.raises(FileError, match="holds something other than a reproduction"):
        run(counting(tmp_path / "marks"), tmp_path / "thesis.tex")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["marks", "thesis.tex"]


def test_progress_counts_jobs_of_earlier_runs_as_done(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    experiment = counting(marks)
    (marks / "stop").touch()
    seen: list[Progress] = []
    with pytest.raises(KeyboardInterrupt):
        run(experiment, tmp_path / "out", threads=1, watch=seen.append)
    (marks / "stop").unlink()
    run(experiment, tmp_path / "out", threads=1, watch=seen.append)
    assert [progress.done for progress in seen] == [0, 1, 2, 2, 3, 4, 5]
    assert {progress.jobs for progress in seen} == {5}
    assert seen[0].seconds_left is seen[3].seconds_left is None
    assert seen[-1].seconds_left == 0


@pytest.mark.parametrize("threads", [1, 2])
def test_progress_knows_the_trainings_under_way(threads: int, tmp_path: Path) -> None:
    starts = find("starts")
    small = replace(starts.quick, widths=(6, 6, 6), items=40, starts=2, max_iter=300)
    seen: list[Progress] = []
    reproduce(starts, small, 0, tmp_path, command=COMMAND, threads=threads, watch=seen.append)
    told = {name: tick for progress in seen for name, tick in progress.trainings.items()}
    assert set(told) == {"start-0", "start-1"}
    assert all(0 < tick.iteration < tick.max_iter == 300 for tick in told.values() if tick.max_iter)
    assert [progress.share for progress in seen] == sorted(progress.share for progress in seen)
    assert (seen[0].share, seen[-1].share, seen[-1].done, seen[-1].trainings) == (0, 1, 2, {})


def test_a_file_gets_a_line_a_minute_for_every_training(monkeypatch: pytest.MonkeyPatch) -> None:
    at = {"seconds": 0.0}
    monkeypatch.setattr(time, "monotonic", lambda: at["seconds"])
    stream = io.StringIO()
    line = JobsLine(Display(stream))
    tick = Tick(1, 1, 0, 500, 1000, None, 10.0, 0.2, 0.1, None)
    for seconds, progress in (
        (0, Progress(0, 2)),
        (59, Progress(0, 2, 0.25, 90, {"start-0": tick})),
        (60, Progress(0, 2, 0.25, 90, {"start-0": tick})),
        (61, Progress(1, 2, 0.75, 20, {"start-1": tick})),
    ):
        at["seconds"] = seconds
        line(progress)
    assert stream.getvalue().splitlines() == [
        "0 of 2 jobs",
        "0 of 2 jobs, 1.5 min left",
        "  start-0: iteration 500/1000, 50/s, gap 0.2000 (least 0.1000), at most 10.0 s left",
        "1 of 2 jobs, 20 s left",
    ]


def test_results_of_the_same_computations_are_taken_from_other_folders(tmp_path: Path) -> None:
    marks = tmp_path / "marks"
    experiment = counting(marks)
    (marks / "stop").touch()
    with pytest.raises(KeyboardInterrupt):
        run(experiment, tmp_path / "first", threads=1)
    (marks / "stop").unlink()
    assert computed(marks) == [0, 1]

    def renamed(parameters: Parameters, seed: int) -> list[Job]:
        there = {"marks": parameters.marks}
        return [Job(f"other-{n}", square, {**there, "number": n, "seed": s}) for n, s in ((1, seed), (0, seed + 1))]

    other = replace(experiment, name="other", jobs=renamed)
    record = run(other, tmp_path / "second", threads=1, reuse=[tmp_path / "first"])
    assert [(row["job"], row["square"]) for row in record["rows"]] == [("other-1", 16), ("other-0", 16)]
    assert computed(marks) == [0, 0, 1]  # with another seed the first is another computation


def test_results_of_other_source_code_are_not_used_again(tmp_path: Path) -> None:
    experiment = counting(tmp_path / "marks")
    with pytest.raises(FileError, match="empty: holds no reproduction whose results could be used again"):
        run(experiment, tmp_path / "out", reuse=[tmp_path / "empty"])
    run(experiment, tmp_path / "out", threads=1)
    identity = json.loads((tmp_path / "out/experiment.json").read_text())
    (tmp_path / "out/experiment.json").write_text(json.dumps({**identity, "version": "0.0"}))
    with pytest.raises(FileError, match="results that cannot be used again: its version is '0.0', not "):
        run(experiment, tmp_path / "other", reuse=[tmp_path / "out"])


@pytest.mark.parametrize("name", ["constrained", "starts"])
def test_experiments_on_the_same_circuit_share_jobs(name: str) -> None:
    """At full size, what other experiments repeat of ``circuits`` is computed once."""
    circuits = find("circuits")
    theirs = [job.computation for job in circuits.jobs(circuits.full, 0)]
    shared = [job.name for job in find(name).jobs(find(name).full, 0) if job.computation in theirs]
    assert shared == {"constrained": ["under-128", "over-256", "over-384"], "starts": ["start-0"]}[name]


def test_a_scale_multiplies_the_iterations_and_is_recorded(tmp_path: Path) -> None:
    experiment = find("autoencoder")
    half = experiment.scaled(experiment.full, 0.5)
    assert half == replace(experiment.full, max_iter=1_000_000, max_iter_two_layers=100_000)
    starts = find("starts")
    small = replace(starts.quick, widths=(4, 4, 4), items=8, starts=2, max_iter=40)
    record = reproduce(starts, small, 0, tmp_path, command=COMMAND, scale=0.25, threads=1)
    assert (record["scale"], record["parameters"]["max_iter"]) == (0.25, 10)
    assert max(row["iterations"] for row in record["rows"]) <= 10
    with pytest.raises(ParameterError, match="'scale' parameter must be above 0 and at most 1"):
        experiment.scaled(experiment.full, 2)
    marks = counting(tmp_path / "marks")
    with pytest.raises(ParameterError, match="counting has no limit of iterations to scale"):
        marks.scaled(marks.full, 0.5)


def test_a_killed_job_resumes_from_its_checkpoint(tmp_path: Path) -> None:
    """The program is killed in a training; what it computes afterwards is what it would have computed."""
    arguments = {"widths": (8, 8, 8), "gates": "maj", "items": 64, "circuit_seed": 0, "seed": 0}
    program = (
        "from pathlib import Path\n"
        "from boolearn.experiments import Job, training\n"
        "from boolearn.experiments.random_logic import learn_circuit\n"
        "from boolearn.runs import Checkpoints\n"
        "training.Checkpoints = lambda folder, resume: Checkpoints(folder, every=0, resume=resume)\n"
        f"Job('job', learn_circuit, {arguments | {'max_iter': 10**9}!r}).run(Path({str(tmp_path)!r}))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", program])
    checkpoint = tmp_path / "0/start-0.npz"
    try:
        _wait_until(checkpoint.exists)
    finally:
        process.kill()
        process.wait()
    done = read_iterations(checkpoint)
    assert done > 0
    job = Job("job", learn_circuit, {**arguments, "max_iter": done + 500})
    resumed, whole = job.run(tmp_path), job.run()
    for field in ("iterations", "gap", "train_accuracy", "test_accuracy", "trace", "first_layer"):
        assert resumed[field] == whole[field], field


def test_the_time_of_a_job_is_that_of_all_its_processes(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("1000.5\n")
    row = Job("one", square, {"number": 1, "seed": 0, "marks": str(tmp_path)}).run(tmp_path)
    assert 1000.5 <= row["seconds"] < 1001
    spent = Spent(tmp_path)
    spent.note()  # too soon
    assert (tmp_path / FILE).read_text() == "1000.5\n"
    spent.note(every=0)
    assert float((tmp_path / FILE).read_text()) > 1000.5


def read_iterations(checkpoint: Path) -> int:
    with np.load(checkpoint) as arrays:
        return int(json.loads(str(arrays["about"]))["iterations"])


def test_a_negative_seed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match="'seed'"):
        run(counting(tmp_path / "marks"), tmp_path / "out", seed=-1)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    "number", [signal.SIGINT, *(pytest.param(s, marks=pytest.mark.slow) for s in (signal.SIGTERM, signal.SIGKILL))]
)
def test_a_stopped_program_keeps_its_results_and_leaves_no_process_behind(number: int, tmp_path: Path) -> None:
    words = ["reproduce", "autoencoder", "--quick", "--out", str(tmp_path / "out"), "--threads", "2"]
    process = subprocess.Popen(
        [*PROGRAM, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    jobs = tmp_path / "out/jobs"
    try:
        _wait_until(lambda: jobs.exists() and any(jobs.glob("*.json")))
        if number == signal.SIGINT:
            os.killpg(process.pid, number)  # as a terminal does
        else:
            process.send_signal(number)
        _, said = process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()
    if number == signal.SIGINT:
        assert process.returncode == 130
        assert f"The jobs that are done are kept in {tmp_path / 'out'}; the same command resumes." in said
        assert "Traceback" not in said
    _wait_until(lambda: not _alive(process.pid))
    assert not (tmp_path / "out/record.json").exists()
    for result in jobs.glob("*.json"):
        assert json.loads(result.read_text())["row"]["status"] in ("solved", "budget")


def _wait_until(condition: Any) -> None:
    limit = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.02)


def _alive(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True
