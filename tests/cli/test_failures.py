"""Whatever goes wrong, a command ends with one line and status 2, without a traceback."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from boolearn.cli import main
from boolearn.errors import FileError
from boolearn.model import BoolNet
from boolearn.network import layered
from boolearn.runs.checkpoints import Checkpoints, CheckpointStore
from commands import boolearn

pytestmark = pytest.mark.usefixtures("in_tmp")

LONG = "a" * 300


@pytest.fixture(autouse=True)
def _files(in_tmp: None) -> None:
    """Some files that are not what they should be, and a model."""
    BoolNet(layered(4, 4), np.ones(20)).save("good.safetensors")
    for ending in ("dat", "csv", "npz", "pla", "net", "safetensors"):
        Path(f"empty.{ending}").touch()
        Path(f"binary.{ending}").write_bytes(bytes(range(256)) * 8)
        Path(f"folder.{ending}").mkdir()
        Path(f"loop.{ending}").symlink_to(f"loop.{ending}")
    Path("unfinished").mkdir()
    Path("unfinished/config.toml").write_text('[command]\ndata = "2x2.dat"\n')


def failed(line: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> str:
    """Run a command here; what it says when it fails."""
    monkeypatch.setattr(sys, "argv", ["boolearn", *line.split()])
    with pytest.raises(SystemExit) as left:
        main()
    said = capsys.readouterr()
    assert left.value.code == 2, said
    assert "Traceback" not in said.err
    return said.err


WRONG_FILES = [f"{kind}.{ending}" for kind in ("empty", "binary", "folder", "loop") for ending in ("dat", "csv", "npz")]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        *((f"predict good.safetensors {name}", name) for name in WRONG_FILES),
        *(
            (f"predict {kind}.{ending} 2x2.dat", kind)
            for kind in ("empty", "binary", "loop")
            for ending in ("net", "sol")
        ),
        *((f"predict {kind}.safetensors 2x2.dat", kind) for kind in ("empty", "binary", "folder", "loop")),
        ("predict unfinished 2x2.dat", "has not finished. To resume it: boolearn train --resume unfinished"),
        (f"predict good.safetensors {LONG}.dat", "File name too long"),
        (f"predict good.safetensors 2x2.dat -o {LONG}", "File name too long"),
        (f"make multiplier -o {LONG}.dat", "File name too long"),
        (f"train 2x2.dat --layers 4,4 --out {LONG}", "File name too long"),
        ("train loop.dat --layers 4,4", "loop.dat"),
        ("make multiplier -o folder.dat", "folder.dat: cannot be written: Is a directory."),
        ("make multiplier -o 2x2.dat/a.dat", "2x2.dat/a.dat: cannot be written: Not a directory."),
        ("train 2x2.dat --layers 4,100000000000000000000,4", "at most 10000000 nodes"),
        ("train 2x2.dat --layers 4,1e20,4", "at most 10000000 nodes"),
        ("make network -o a.net --layers 4,1e20", "at most 10000000 nodes"),
        ("make convolution -o a.safetensors --shape 1e20", "at most 10000000 nodes"),
        ("make automaton -o a.dat --size 1e20", "must be small enough"),
        ("make vectors -o a.dat --items 1.5", "'1.5' is not a whole number"),
        ("make multiplier -o a.dat --bits 1e999999", "'1e999999' is not a whole number"),
    ],
)
def test_one_line_and_status_2(
    line: str, message: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = failed(line, monkeypatch, capsys)
    assert message in said
    assert said.startswith("Usage:") or said.count("\n") == 1


def test_errors_that_nobody_foresaw(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("a\n fault")

    monkeypatch.setattr("boolearn.data.multiplier", broken)
    assert failed("make multiplier -o a.dat", monkeypatch, capsys) == (
        "boolearn: a fault (ZeroDivisionError). boolearn --debug shows where.\n"
    )
    monkeypatch.setenv("BOOLEARN_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        main()


def test_whole_numbers_may_be_written_with_an_exponent(monkeypatch: pytest.MonkeyPatch) -> None:
    for size in ("1e2", "100"):
        monkeypatch.setattr(sys, "argv", ["boolearn", "make", "automaton", "--items", size, "-o", f"{size}.dat"])
        with pytest.raises(SystemExit) as left:
            main()
        assert left.value.code == 0
    assert Path("1e2.dat").read_bytes() == Path("100.dat").read_bytes()


def test_a_run_under_way_is_followed_and_not_resumed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("unfinished/states").mkdir()
    store = CheckpointStore(Checkpoints("unfinished/states"), {})
    if os.name == "posix":
        for line in ("predict unfinished 2x2.dat", "circuit unfinished"):
            assert "this run is under way. To follow it: boolearn report --watch unfinished" in failed(
                line, monkeypatch, capsys
            )
    store.close()
    assert "To resume it: boolearn train --resume unfinished" in failed(
        "predict unfinished 2x2.dat", monkeypatch, capsys
    )
    CheckpointStore(Checkpoints("unfinished/states"), {}).close()  # whoever asked has left the lock


posix = pytest.mark.skipif(os.name != "posix", reason="needs a shell")


def shell(line: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a line of the shell in which ``boolearn`` is this one."""
    script = f'boolearn() {{ "{sys.executable}" -m boolearn "$@"; }}; {line}'
    return subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        errors="backslashreplace",
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


@posix
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize(
    "words", ["--help", "make multiplier -o a.dat", "predict good.safetensors 2x2.dat", "circuit good.safetensors"]
)
def test_a_full_device(words: str) -> None:
    done = shell(f"boolearn {words} > /dev/full")
    said = done.stderr.splitlines()[-1]  # a slow machine may have said before what it is doing
    assert (done.returncode, said) == (2, "boolearn: No space left on device.")


@posix
@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("boolearn predict good.safetensors 2x2.dat >&-", 0),
        ("boolearn predict good.safetensors 2x2.dat 2>&-", 0),
        ("boolearn predict good.safetensors none.dat 2>&-", 2),
        ("boolearn predict good.safetensors none.dat >&- 2>&-", 2),
        ("set -o pipefail; boolearn --help | head -1", 0),
        ("set -o pipefail; boolearn make --help | true", 0),
    ],
)
def test_closed_streams(line: str, status: int) -> None:
    done = shell(line)
    assert (done.returncode, done.stderr) == (status, "")


@posix
def test_messages_for_a_closed_stream_do_not_end_up_in_the_other() -> None:
    done = shell("boolearn predict good.safetensors none.dat 2>&-")
    assert done.stdout == ""


@posix
@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
@pytest.mark.parametrize("words", ["--help", "make --help", "tune --help", "make multiplier -o ×β.dat"])
def test_narrow_encodings(words: str, encoding: str) -> None:
    done = shell(f"boolearn {words}", PYTHONIOENCODING=encoding)
    assert (done.returncode, done.stderr) == (0, "")


@posix
@pytest.mark.parametrize("seconds", [0.06, 0.1, 0.15, 0.25, 0.5])
def test_interrupted_at_any_time(seconds: float) -> None:
    """From the moment at which our first line runs; what happens before is the interpreter's.

    A shell starts its background jobs with SIGINT ignored, and tests that run in one hand that on.
    """
    script = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "print(flush=True); from boolearn.__main__ import main; main()"
    )
    words = ("make", "automaton", "--steps", "1e9", "--items", "1", "-o", "a.dat")
    process = subprocess.Popen(
        [sys.executable, "-c", script, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        try:
            _, said = process.communicate(timeout=20)
        except subprocess.TimeoutExpired:
            # One in hundreds falls into a callback of an import, where the interpreter drops it, and says so.
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=20)
            dropped, _, said = said.rpartition("KeyboardInterrupt")
            assert "Exception ignored" in dropped
    finally:
        process.kill()
        process.wait()
    assert process.returncode in (130, -signal.SIGINT)
    assert "Traceback" not in said


def test_debug_shows_where_an_error_comes_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BOOLEARN_TRACEBACK", raising=False)
    monkeypatch.setenv("BOOLEARN_TRACEBACK", "")  # restored afterwards
    with pytest.raises(FileError):
        boolearn("--debug", "train", "missing.dat", "--layers", "2,1")


def test_quiet_shows_results_only(tmp_path: Path) -> None:
    data = tmp_path / "and.csv"
    data.write_text("a,b,y\n0,0,0\n0,1,0\n1,0,0\n1,1,1\n")
    said = boolearn("--quiet", "train", str(data), "--layers", "2,1", "--out", str(tmp_path / "run"))
    assert said.stderr == ""
    assert "solved" in said.stdout


def test_a_quiet_demo_shows_formulas_only(tmp_path: Path) -> None:
    said = boolearn("--quiet", "demo", "-o", str(tmp_path / "multiplier.svg"))
    *formulas, picture = said.stdout.splitlines()
    assert all(" = " in line for line in formulas)
    assert str(tmp_path / "multiplier.svg") in picture
