"""Callbacks that write files: what they tell, that nothing is lost, and nothing told twice."""

from __future__ import annotations

import csv
import json
import math
import signal
import struct
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import boolearn as bl
from boolearn.errors import FileError, MissingExtraError
from boolearn.runs import Checkpoints
from boolearn.solver import Callback, CsvTable, JsonLines, Outcome, TensorBoard, Tick
from boolearn.solver.trace import TraceLine
from killable import run_case


class Traces(Callback):
    """The traces of all starts, by seed."""

    def __init__(self) -> None:
        self.of: dict[int, tuple[TraceLine, ...]] = {}
        self.ends: dict[int, Outcome] = {}

    def on_start_end(self, outcome: Outcome) -> None:
        self.of[outcome.seed] = outcome.trace
        self.ends[outcome.seed] = outcome


class Stops(Callback):
    """Fails in the middle, as a crash would."""

    def on_trace(self, tick: Tick) -> None:
        if tick.iteration > 40:
            raise RuntimeError("crash")


def json_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as stream:
        return list(csv.DictReader(stream))


def scalars(folder: Path) -> tuple[dict[int, dict[str, float]], list[int]]:
    """What TensorBoard would show for a start, and the steps from which earlier events were outdated."""
    from tensorboardX.proto.event_pb2 import Event

    shown: dict[int, dict[str, float]] = {}
    purged = []
    for path in sorted(folder.glob("events.*"), key=lambda path: path.stat().st_mtime_ns):
        content = path.read_bytes()
        while content:
            (length,) = struct.unpack("<Q", content[:8])
            event = Event.FromString(content[12 : 12 + length])
            content = content[16 + length :]
            if event.HasField("session_log"):
                purged.append(event.step)
                shown = {step: values for step, values in shown.items() if step < event.step}
            for value in event.summary.value:
                shown.setdefault(event.step, {})[value.tag] = value.simple_value
    return shown, purged


def test_every_trace_line_and_every_end_is_written(tmp_path: Path) -> None:
    traces = Traces()
    callbacks = [JsonLines(tmp_path / "log.jsonl"), CsvTable(tmp_path / "log.csv"), TensorBoard(tmp_path / "board")]
    run_case("side by side", 200, callbacks=[traces, *callbacks])
    lines = json_lines(tmp_path / "log.jsonl")
    table = rows(tmp_path / "log.csv")
    assert list(traces.of) == list(range(5))
    for seed, trace in traces.of.items():
        told = [line for line in lines if line["seed"] == seed]
        assert told[-1]["event"] == "end"
        assert told[-1]["status"] == "budget"
        assert told[-1]["train_accuracy"] == traces.ends[seed].train_accuracy
        assert told[:-1] == [{"event": "trace", "seed": seed, **asdict(line)} for line in trace]
        of_seed = [row for row in table if row["seed"] == str(seed)]
        assert [float(row["gap"]) for row in of_seed] == [line.gap for line in trace]
        assert [int(row["iteration"]) for row in of_seed] == [line.iteration for line in trace]
        assert {row["test_accuracy"] for row in of_seed} == {""}
        shown, purged = scalars(tmp_path / "board" / f"seed-{seed}")
        assert purged == []
        assert list(shown) == [line.iteration for line in trace]
        for line in trace:
            assert math.isclose(shown[line.iteration]["gap"], line.gap, rel_tol=1e-6)
            assert math.isclose(shown[line.iteration]["train_accuracy"], line.train_accuracy, rel_tol=1e-6)
    assert len(lines) == sum(map(len, traces.of.values())) + 5
    assert len(table) == sum(map(len, traces.of.values()))


@pytest.mark.parametrize("case", ["single", "side by side", "halving"])
def test_a_resumed_run_appends_to_its_files(case: str, tmp_path: Path) -> None:
    """It fails at iteration 41 or so, long after the only state that was kept, of iteration 1."""
    log, table, board = tmp_path / "log.jsonl", tmp_path / "log.csv", tmp_path / "board"

    def train_on(*more: Callback, resume: bool) -> None:
        recorders = [JsonLines(log, resume), CsvTable(table, resume), TensorBoard(board, resume)]
        kept = Checkpoints(tmp_path / "states", resume=resume)
        run_case(case, 150, checkpoint=kept, callbacks=[*recorders, *more])

    with pytest.raises(RuntimeError, match="crash"):
        train_on(Stops(), resume=False)
    assert all(len(path.read_text()) > 100 for path in (log, table)), "nothing that was known is lost"
    with log.open("a") as stream:
        stream.write('{"event": "trace", "seed": 0, "iter')  # what a killed process may leave
    with table.open("a") as stream:
        stream.write("0,7")
    train_on(resume=True)
    train_on(resume=True)
    traces = Traces()
    run_case(case, 150, callbacks=[traces])
    for seed, trace in traces.of.items():
        told = [event for event in json_lines(log) if event["seed"] == seed]
        ends = [event for event in told if event["event"] == "end"]
        # A start beside the one that failed may have been stopped in good order, with a last look and an end.
        stopped = {end["iterations"] for end in ends if end["status"] == "interrupted"}
        marks = sorted({*stopped, *(line.iteration for line in trace)})
        assert [event["iteration"] for event in told if event["event"] == "trace"] == marks
        assert [int(row["iteration"]) for row in rows(table) if row["seed"] == str(seed)] == marks
        assert len(ends) == 1 + len(stopped)
        shown, _ = scalars(board / f"seed-{seed}")
        assert sorted(shown) == marks


@pytest.mark.parametrize("kind", [JsonLines, CsvTable])
def test_files_of_others_are_left_alone(kind: Any, tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_text("a,b\n1,2\n")
    with pytest.raises(FileError, match="log: already exists; choose another file, or append to it"):
        kind(path)
    with pytest.raises(FileError, match="log:1: "):
        kind(path, resume=True)
    path.write_bytes(b"\xff\xfe\n")
    with pytest.raises(FileError, match="log: is not text"):
        kind(path, resume=True)
    assert path.read_bytes() == b"\xff\xfe\n"
    with pytest.raises(FileError, match="cannot be written: there is no directory"):
        kind(tmp_path / "none" / "log")
    with pytest.raises(FileError, match="cannot be written: it is a directory"):
        kind(tmp_path)
    kind(tmp_path / "new", resume=True).close()


def test_spoilt_lines_are_named(tmp_path: Path) -> None:
    for text in ("3\n", '{"event": "end", "seed": 1}\n', '{"event": "trace", "seed": "x", "iteration": 3}\n'):
        (tmp_path / "log").write_text('{"event": "trace", "seed": 1, "iteration": 2}\n' + text)
        with pytest.raises(FileError, match="log:2: is not a line that a run has written"):
            JsonLines(tmp_path / "log", resume=True)
    (tmp_path / "log").write_text(",".join(CsvTable.columns) + "\nx,y\n")
    with pytest.raises(FileError, match="log:2: is not a row that a run has written"):
        CsvTable(tmp_path / "log", resume=True)


def test_a_board_of_others_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    with pytest.raises(FileError, match="is not empty; choose another, or append"):
        TensorBoard(tmp_path)
    with pytest.raises(FileError, match="is not a directory"):
        TensorBoard(tmp_path / "file")


FULL_DISK = """
import resource, signal, sys
from killable import run_case
from boolearn.errors import FileError
from boolearn.solver import JsonLines
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
try:
    run_case("single", 400, callbacks=[JsonLines(sys.argv[1])])
except FileError as error:
    print(error)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="needs a limit on the size of files")
def test_a_full_disk_is_an_error_with_a_name(tmp_path: Path) -> None:
    path = tmp_path / "log"
    words = [sys.executable, "-c", FULL_DISK, str(path)]
    done = subprocess.run(words, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False)
    assert done.stdout == f"{path}: cannot be written: File too large.\n"
    assert done.stderr == ""
    assert path.stat().st_size == 4096
    JsonLines(path, resume=True)
    assert all(json_lines(path)), "the torn line is gone, the others are whole"


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device")
def test_a_device_is_not_appended_to() -> None:
    with pytest.raises(FileError, match="/dev/zero: is not a file that can be appended to"):
        JsonLines("/dev/zero", resume=True)


def test_without_the_extra_nothing_else_is_missing() -> None:
    program = (
        "import sys; sys.modules['tensorboardX'] = None\n"
        "from boolearn.solver import TensorBoard\n"
        "from boolearn.errors import MissingExtraError\n"
        "try: TensorBoard('x')\n"
        "except MissingExtraError as error: print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout == "TensorBoard needs an extra: pip install 'boolearn[tensorboard]'.\n", done.stderr
    assert MissingExtraError("x", "y").extra == "y"


@pytest.mark.parametrize("kind", [JsonLines, CsvTable])
def test_another_training_does_not_end_in_the_same_file(kind: type[JsonLines | CsvTable], tmp_path: Path) -> None:
    recorder, data = kind(tmp_path / "lines"), bl.data.multiplier(bits=2)
    bl.train([4, 4, 4, 4], data, max_iter=10, callbacks=[recorder])
    written = (tmp_path / "lines").read_text()
    with pytest.raises(FileError, match="already holds a start with seed 0"):
        bl.train([4, 4, 4, 4], data, max_iter=10, sigma=5, callbacks=[recorder])
    bl.train([4, 4, 4, 4], data, max_iter=10, seed=1, callbacks=[recorder])
    assert (tmp_path / "lines").read_text().startswith(written)
    assert len((tmp_path / "lines").read_text()) > 1.5 * len(written)
