"""Real ranks of a real MPI: the same bits as one process, one message for a mistake, and no hang when one is killed."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from boolearn.data import multiplier, write
from boolearn.errors import MissingExtraError, ParameterError
from boolearn.ranks import ALONE, as_ranks
from boolearn.training import train
from commands import boolearn

_HERE = Path(__file__).parent
_MPIEXEC = Path(sys.executable).with_name("mpiexec")
needs_mpi = pytest.mark.skipif(
    importlib.util.find_spec("mpi4py") is None or not _MPIEXEC.exists(), reason="the extra 'mpi' is not installed"
)


def start(ranks: int, *words: str) -> subprocess.Popen[str]:
    program = [str(_MPIEXEC), "-n", str(ranks), sys.executable, *words]
    paths = [str(_HERE.parent), str(_HERE.parent / "engine"), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"BOOLEARN_THREADS": "1", "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    return subprocess.Popen(program, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run_tasks(ranks: int, *tasks: str) -> dict[str, Any]:
    process = start(ranks, str(_HERE / "ranked.py"), *tasks)
    out, err = process.communicate(timeout=240)
    assert process.returncode == 0, err
    results: dict[str, Any] = json.loads(out)
    return results


@pytest.fixture(scope="module")
def of_three_ranks() -> dict[str, Any]:
    """All tasks in one job: most of the time is Python's start on every rank."""
    tasks = ("engines", "short_messages", "late_messages", "trainings", "gates", "mistakes", "watched", "large_data")
    return run_tasks(3, *tasks)


def command(*words: str) -> dict[str, Any]:
    """In one process, which is this one."""
    result: dict[str, Any] = json.loads(boolearn(*words, "--json", status=1).stdout)
    return result


def ranked_command(ranks: int, *words: str) -> dict[str, Any]:
    process = start(ranks, "-m", "boolearn", *words, "--distributed", "--json")
    out, err = process.communicate(timeout=240)
    assert process.returncode == 1, err
    result: dict[str, Any] = json.loads(out)
    return result


@pytest.fixture
def table(tmp_path: Path) -> str:
    write(multiplier(3), tmp_path / "table.dat")
    return str(tmp_path / "table.dat")


@needs_mpi
@pytest.mark.parametrize("task", ["engines", "short_messages", "late_messages"])
def test_engines_that_share_the_items_compute_the_same_bits_as_one(of_three_ranks: dict[str, Any], task: str) -> None:
    assert {name: found for name, found in of_three_ranks[task].items() if found} == {}


@needs_mpi
@pytest.mark.slow
@pytest.mark.parametrize("ranks", [2, 4])
def test_as_many_ranks_as_cores_and_more_compute_the_same_bits_with_long_messages_too(ranks: int) -> None:
    results = run_tasks(ranks, "engines", "long_messages")
    assert {name: found for task in results.values() for name, found in task.items() if found} == {}


@needs_mpi
def test_trainings_of_every_kind_come_to_the_same_as_in_one_process(of_three_ranks: dict[str, Any]) -> None:
    trainings = of_three_ranks["trainings"]
    assert {name for name, (_, same) in trainings.items() if not same} == set()
    rules = ("fit", "target", "a rule of the user")
    assert [trainings[name][0] for name in rules] == ["fit", "target", "stagnated"]


@needs_mpi
def test_the_gate_search_shares_its_replicas(of_three_ranks: dict[str, Any]) -> None:
    assert of_three_ranks["gates"] == {"solved": True, "same": True}


@needs_mpi
def test_ranks_that_do_not_agree_are_told_before_the_first_iteration(of_three_ranks: dict[str, Any]) -> None:
    said = of_three_ranks["mistakes"]
    for rank in range(3):
        for name in ("data", "network", "seed"):
            assert f"Got another {name!r} on rank 1" in said[f"{name}, rank {rank}"]
        assert "Got another 'beta' on rank 1 instead: 0.3, where rank 0 has 0.2." in said[f"parameter, rank {rank}"]
        assert "at most 1 ranks, one for each item. Got 3" in said[f"items, rank {rank}"]
        assert "'engine' parameter must be 'native'" in said[f"engine, rank {rank}"]
    for rank in (0, 2):
        assert said[f"one is wrong, rank {rank}"].startswith("Rank 1 cannot go on: The 'sigma' parameter")
    assert said["one is wrong, rank 1"].startswith("The 'sigma' parameter")


@needs_mpi
def test_callbacks_are_rank_0s_and_all_ranks_end_together(of_three_ranks: dict[str, Any]) -> None:
    result = of_three_ranks["watched"]
    (status, iterations, lines), *others = result["ended"]
    assert others == [[status, iterations, 0]] * 2
    assert status == "time"
    assert lines == result["lines"] > 5


@needs_mpi
def test_large_data_are_read_once_and_mapped_by_all_ranks(of_three_ranks: dict[str, Any]) -> None:
    found = of_three_ranks["large_data"]
    assert [found[kind] for kind in ("boolean", "analog", "classes", "free")] == [True] * 4
    assert found["command"] == [True] * 2
    assert found["left"].startswith("Rank 1 cannot go on:")
    assert "copy.npz: cannot be read" in found["left"]


@needs_mpi
def test_a_run_resumes_on_any_number_of_ranks(table: str, tmp_path: Path) -> None:
    words = [
        "train",
        table,
        "--layers",
        "6,8,6",
        "--gap-tol",
        "0",
        "--seed",
        "3",
        "--batch",
        "40",
        "--batch-iter",
        "25",
    ]
    ranked_command(3, *words, "--max-iter", "40", "--out", str(tmp_path / "several"))
    ranked_command(2, "train", "--resume", str(tmp_path / "several"), "--max-iter", "80")
    last = command("train", "--resume", str(tmp_path / "several"), "--max-iter", "120")
    whole = command(*words, "--max-iter", "120", "--out", str(tmp_path / "alone"))
    assert {**last, "seconds": 0, "out": ""} == {**whole, "seconds": 0, "out": ""}
    models = [(tmp_path / name / "model.safetensors").read_bytes() for name in ("several", "alone")]
    assert models[0] == models[1]


@needs_mpi
def test_a_killed_rank_ends_the_job_at_once_and_the_run_resumes(table: str, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    words = ["train", table, "--layers", "6,8,6", "--gap-tol", "0", "--out", str(folder), "--checkpoint-seconds", "0"]
    process = start(2, "-m", "boolearn", *words, "--max-iter", "100000000", "--distributed")
    kept = folder / "states" / "start-0.npz"
    deadline = time.monotonic() + 120
    while not kept.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    victim = max(_ranks_of(process.pid))
    killed = time.monotonic()
    os.kill(victim, signal.SIGKILL)
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - killed < 10
    assert process.returncode != 0
    assert "BAD TERMINATION" in out + err
    assert f"resume on any number: boolearn train --resume {folder} --distributed" in err
    reached = _iterations(kept)
    limit = str(reached + 50)
    last = command("train", "--resume", str(folder), "--max-iter", limit)
    whole = command(*words[:6], "--out", str(tmp_path / "whole"), "--max-iter", limit)
    assert {**last, "seconds": 0, "out": ""} == {**whole, "seconds": 0, "out": ""}


@needs_mpi
def test_a_mistake_on_the_command_line_is_told_once(tmp_path: Path) -> None:
    process = start(2, "-m", "boolearn", "train", str(tmp_path / "none.dat"), "--layers", "4,4", "--distributed")
    out, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert (out + err).count("none.dat: cannot be read") == 1


def test_one_process_needs_no_mpi_and_several_name_what_to_install(monkeypatch: pytest.MonkeyPatch, table: str) -> None:
    assert as_ranks(None) is ALONE
    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'boolearn\[mpi\]'"):
        train([4, 4], multiplier(2), comm="MPI.COMM_WORLD")  # type: ignore[arg-type]
    said = boolearn("train", table, "--layers", "6,8,6", "--distributed", status=2)
    assert "pip install 'boolearn[mpi]'" in said.stderr


@needs_mpi
def test_what_is_no_communicator_is_refused() -> None:
    with pytest.raises(ParameterError, match="'comm' parameter must be None or an MPI communicator"):
        train([4, 4], multiplier(2), comm=4)  # type: ignore[arg-type]


def _iterations(checkpoint: Path) -> int:
    import numpy as np

    with np.load(checkpoint) as archive:
        return int(json.loads(str(archive["about"]))["iterations"])


def _ranks_of(mpiexec: int) -> list[int]:
    """The processes below mpiexec that are Python's."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
                parents[int(entry.name)] = (int(fields[1]), (entry / "cmdline").read_bytes())
            except OSError:  # it has ended
                continue
    below = {mpiexec}
    for _ in range(4):
        below |= {process for process, (parent, _) in parents.items() if parent in below}
    return [process for process in below if parents[process][1].startswith(sys.executable.encode())]
