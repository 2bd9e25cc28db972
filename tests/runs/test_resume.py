"""Checkpoints: what is kept of a run, what resumes from it, and what is refused."""

from __future__ import annotations

import io
import json
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boolearn.data import Dataset, automaton
from boolearn.errors import FileError, ParameterError
from boolearn.network import layered
from boolearn.runs import Checkpoints, CheckpointStore, remove_checkpoints
from boolearn.solver import Callback, Restarts, Run, Status, Tick
from boolearn.training import train
from killable import CASES, outcome, run_case

NETWORK = layered(4, 4, 4, 4)


def learn(
    dataset: Dataset, directory: Path | None, *, resume: bool = False, network: Any = NETWORK, **options: Any
) -> Run:
    kept = None if directory is None else Checkpoints(directory, resume=resume)
    exact = {} if options.get("solver") == "gates" else {"gap_tol": 0}
    return train(network, dataset, checkpoint=kept, **{**exact, "max_iter": 120, **options})


def contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir()}


@pytest.mark.parametrize("case", [case for case in CASES if case != "halving"])
def test_a_larger_budget_is_as_good_as_one_from_the_start(case: str, tmp_path: Path) -> None:
    run_case(case, 150, checkpoint=tmp_path)
    more = run_case(case, 400, checkpoint=Checkpoints(tmp_path, resume=True))
    assert outcome(more) == outcome(run_case(case, 400))
    assert all(start.iterations == 400 for start in more.starts)


@pytest.mark.parametrize("case", CASES)
def test_resuming_what_has_ended_gives_it_back(case: str, tmp_path: Path) -> None:
    once = run_case(case, 150, checkpoint=tmp_path)
    again = run_case(case, 150, checkpoint=Checkpoints(tmp_path, resume=True))
    assert outcome(again) == outcome(once)
    assert [start.seconds for start in again.starts] == [start.seconds for start in once.starts]


@pytest.mark.parametrize("case", CASES)
def test_keeping_everything_changes_nothing(case: str, tmp_path: Path) -> None:
    """A state at every look up, also before the first checkpoint."""
    assert outcome(run_case(case, 60, checkpoint=Checkpoints(tmp_path, every=0))) == outcome(run_case(case, 60))


@pytest.mark.parametrize("case", CASES)
def test_stopped_before_the_first_checkpoint(case: str, tmp_path: Path) -> None:
    class StopsOnce(Callback):
        stopped = False

        def on_tick(self, tick: Tick) -> None:
            if not self.stopped:
                self.stopped = True
                signal.raise_signal(signal.SIGINT)

    run_case(case, 60, checkpoint=tmp_path, callbacks=[StopsOnce()])
    assert outcome(run_case(case, 60, checkpoint=Checkpoints(tmp_path, resume=True))) == outcome(run_case(case, 60))


def test_more_starts_may_be_asked_for(tmp_path: Path) -> None:
    run_case("side by side", 100, checkpoint=tmp_path, restarts=2)
    more = run_case("side by side", 100, restarts=4, checkpoint=Checkpoints(tmp_path, resume=True))
    assert outcome(more) == outcome(run_case("side by side", 100, restarts=4))


def test_a_solved_run_is_kept_until_the_caller_has_it(two_bit_multiplier: Dataset, tmp_path: Path) -> None:
    options: dict[str, Any] = {"gap_tol": 0.01, "max_iter": 5000, "restarts": Restarts(50, side_by_side=False)}
    once = learn(two_bit_multiplier, tmp_path, **options)
    assert once.solved

    class Ticks(Callback):
        count = 0

        def on_tick(self, tick: Tick) -> None:
            self.count += 1

    ticks = Ticks()
    again = learn(two_bit_multiplier, tmp_path, **options, resume=True, callbacks=[ticks])
    assert outcome(again) == outcome(once)
    assert ticks.count == 0
    remove_checkpoints(tmp_path)
    assert not tmp_path.exists()


def test_where_nothing_was_kept_a_run_begins(two_bit_multiplier: Dataset, tmp_path: Path) -> None:
    fresh = learn(two_bit_multiplier, tmp_path / "new" / "states", resume=True)
    assert outcome(fresh) == outcome(learn(two_bit_multiplier, None))


def test_leftovers_of_a_killed_process_are_cleared_away(two_bit_multiplier: Dataset, tmp_path: Path) -> None:
    for name in (".start-0.npz.abc.part", "..boolearn-can-write-here.abc.part", ".boolearn-can-write-here"):
        (tmp_path / name).write_bytes(b"half")
    learn(two_bit_multiplier, tmp_path)
    assert set(contents(tmp_path)) == {"start-0.npz"}


def test_a_run_is_not_begun_over_another(two_bit_multiplier: Dataset, tmp_path: Path) -> None:
    learn(two_bit_multiplier, tmp_path)
    before = contents(tmp_path)
    with pytest.raises(FileError, match="holds checkpoints of a run; resume it"):
        learn(two_bit_multiplier, tmp_path)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("folder", [1, "", None, b"x"])
def test_checkpoints_need_a_folder(two_bit_multiplier: Dataset, folder: Any) -> None:
    with pytest.raises(ParameterError, match="'checkpoint' parameter must be a folder, or Checkpoints"):
        Checkpoints(folder)
    if folder is not None:
        with pytest.raises(ParameterError, match="'checkpoint' parameter must be a folder, or Checkpoints"):
            train(NETWORK, two_bit_multiplier, checkpoint=folder)


def test_checkpoints_have_a_pace() -> None:
    with pytest.raises(ParameterError, match="'every' parameter must be at least 0"):
        Checkpoints("run", every=-1)


@pytest.mark.parametrize(
    ("name", "change", "old", "new"),
    [
        ("sigma", {"sigma": 4}, "3.0", "4.0"),
        ("seed", {"seed": 1}, "0", "1"),
        ("precision", {"precision": "double"}, "'single'", "'double'"),
        ("engine", {"engine": "reference"}, "'native'", "'reference'"),
        ("items", {"items": 12}, "16", "12"),
        ("beta", {"beta": 0.3}, "0.2", "0.3"),
        ("gap_tol", {"gap_tol": 0.1}, "0.0", "0.1"),
        ("noise", {"noise": 0.1}, "0.0", "0.1"),
        ("batch", {"batch": 4}, "None", "4"),
        ("stop", {"stop": "fit=3"}, "'gap'", "'fit=3'"),
        ("halving", {"restarts": Restarts(1, halving=2)}, "None", "2"),
        ("solver", {"solver": "gates"}, "'rrr'", "'gates'"),
        ("trace_ratio", {"trace_ratio": 2}, "1.12", "2.0"),
    ],
)
def test_another_run_is_refused_by_what_differs(
    two_bit_multiplier: Dataset, tmp_path: Path, name: str, change: dict[str, Any], old: str, new: str
) -> None:
    learn(two_bit_multiplier, tmp_path)
    before = contents(tmp_path)
    with pytest.raises(FileError, match=f"start-0.npz: is of a run whose '{name}' is {old}.*Got {new}"):
        learn(two_bit_multiplier, tmp_path, **change, resume=True)
    assert contents(tmp_path) == before
    assert learn(two_bit_multiplier, tmp_path, max_iter=200, resume=True).iterations == 200


def test_other_data_and_other_networks_are_refused(two_bit_multiplier: Dataset, tmp_path: Path) -> None:
    learn(two_bit_multiplier, tmp_path)
    before = contents(tmp_path)
    outputs = two_bit_multiplier.outputs.copy()
    outputs[3, 1] *= -1
    with pytest.raises(FileError, match="whose 'data' is '[0-9a-f]{16}'.*Got '[0-9a-f]{16}'"):
        learn(Dataset(two_bit_multiplier.inputs, outputs), tmp_path, resume=True)
    with pytest.raises(FileError, match="whose 'network' is '[0-9a-f]{16}'.*Got '[0-9a-f]{16}'"):
        learn(two_bit_multiplier, tmp_path, network=layered(4, 5, 4, 4), resume=True)
    assert contents(tmp_path) == before


def test_halving_shares_its_budget_out_once_and_for_all(tmp_path: Path) -> None:
    run_case("halving", 150, checkpoint=tmp_path)
    with pytest.raises(FileError, match="whose 'max_iter' is 150.*Got 200"):
        run_case("halving", 200, checkpoint=Checkpoints(tmp_path, resume=True))
    with pytest.raises(FileError, match="whose 'restarts' is 6.*Got 8"):
        run_case("halving", 150, restarts=Restarts(8, halving=2), checkpoint=Checkpoints(tmp_path, resume=True))


def test_what_another_process_is_at_is_left_alone(two_bit_multiplier: Dataset, tmp_path: Path) -> None:
    learn(two_bit_multiplier, tmp_path)
    other = CheckpointStore(Checkpoints(tmp_path, resume=True), {})
    with pytest.raises(FileError, match="is in use"):
        learn(two_bit_multiplier, tmp_path, resume=True)
    other.close()
    assert learn(two_bit_multiplier, tmp_path, resume=True).status is Status.BUDGET


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_places_that_cannot_be_written_to(two_bit_multiplier: Dataset, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    for place in (tmp_path / "file", tmp_path / "file" / "below", Path("/proc/states"), Path("/proc/self")):
        with pytest.raises(FileError, match=f"^{place}.*cannot be written"):
            learn(two_bit_multiplier, place, max_iter=10**9)
    assert (tmp_path / "file").read_text() == "kept"


FULL_DISK = """
import json, resource, signal, sys
from killable import outcome, run_case
from boolearn.runs import Checkpoints
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
print(json.dumps(outcome(run_case("single", 400, checkpoint=Checkpoints(sys.argv[1], every=0, resume=True)))))
"""


@pytest.mark.skipif(not hasattr(signal, "SIGXFSZ"), reason="needs a limit on the size of files")
def test_a_full_disk_costs_checkpoints_and_nothing_else(tmp_path: Path) -> None:
    """Training continues to the same result with a warning; the checkpoint that was there stays."""
    run_case("single", 150, checkpoint=tmp_path)
    before = contents(tmp_path)
    words = [sys.executable, "-c", FULL_DISK, str(tmp_path)]
    done = subprocess.run(words, cwd=Path(__file__).parents[1], capture_output=True, text=True, check=False)
    whole = outcome(run_case("single", 400))
    assert json.loads(done.stdout) == whole
    wanted = (
        f"No checkpoint was written; training continues. {tmp_path / 'start-0.npz'}: cannot be written: File too large."
    )
    assert wanted in done.stderr
    assert contents(tmp_path) == before
    assert outcome(run_case("single", 400, checkpoint=Checkpoints(tmp_path, resume=True))) == whole


def resumes_or_refuses(directory: Path, whole: dict[str, Any]) -> bool:
    """Nothing but a FileError may come of a spoilt file; one that still can be read gives the right outcome."""
    try:
        run = run_case("single", 80, checkpoint=Checkpoints(directory, resume=True))
    except FileError as error:
        if error.path.name != "start-0.npz":
            raise
        return False
    assert outcome(run) == whole
    return True


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("states")
    run_case("single", 50, checkpoint=directory)
    return directory


@pytest.fixture(scope="module")
def whole() -> dict[str, Any]:
    return outcome(run_case("single", 80))


@given(data=st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_flipped_bytes(kept: Path, whole: dict[str, Any], tmp_path: Path, data: st.DataObject) -> None:
    good = (kept / "start-0.npz").read_bytes()
    spoilt = bytearray(good)
    # Archives are read from their end; flips there and in the first header go deepest.
    places = st.one_of(st.integers(0, len(good) - 1), st.integers(0, 300), st.integers(len(good) - 600, len(good) - 1))
    for place in data.draw(st.lists(places, min_size=1, max_size=4)):
        spoilt[place] ^= data.draw(st.integers(1, 255))
    (tmp_path / "start-0.npz").write_bytes(spoilt)
    resumes_or_refuses(tmp_path, whole)


@given(share=st.floats(0, 1, exclude_max=True))
@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_truncated_files(kept: Path, whole: dict[str, Any], tmp_path: Path, share: float) -> None:
    good = (kept / "start-0.npz").read_bytes()
    (tmp_path / "start-0.npz").write_bytes(good[: int(share * len(good))])
    assert not resumes_or_refuses(tmp_path, whole)


def foreign_files() -> dict[str, bytes]:
    array, archive, text = io.BytesIO(), io.BytesIO(), io.BytesIO()
    np.save(array, np.arange(3))
    np.savez(archive, about=np.array('{"identity": 3}'))
    with zipfile.ZipFile(text, "w") as stream:
        stream.writestr("about.npy", "hello")
    return {
        "nothing": b"",
        "text": b"hello",
        "array": array.getvalue(),
        "archive": archive.getvalue(),
        "zip": text.getvalue(),
        "pickle": b"\x80\x04N.",
    }


@pytest.mark.parametrize("kind", foreign_files())
def test_foreign_files(whole: dict[str, Any], tmp_path: Path, kind: str) -> None:
    (tmp_path / "start-0.npz").write_bytes(foreign_files()[kind])
    assert not resumes_or_refuses(tmp_path, whole)


def rewritten(path: Path, **changes: Any) -> None:
    with np.load(path) as archive:
        arrays = {name: archive[name] for name in archive.files}
    for name, change in changes.items():
        if change is None:
            del arrays[name]
        else:
            arrays[name] = change(arrays[name]) if callable(change) else change
    np.savez(path, **arrays)


@pytest.mark.parametrize("case", ["single", "oldest item, codes", "noise", "gates", "reference"])
def test_arrays_of_a_wrong_shape_are_refused(case: str, tmp_path: Path) -> None:
    """Well-formed archives, each with one array that cannot be of this run."""
    options: dict[str, Any] = {"engine": "reference"} if case == "reference" else {}
    case = "single" if case == "reference" else case
    run_case(case, 30, checkpoint=tmp_path, **options)
    path = tmp_path / "start-0.npz"
    good = path.read_bytes()
    with np.load(path) as archive:
        names = archive.files
    for name in names:
        for change in (None, lambda a: np.zeros((2, 3), np.float16), lambda a: np.array("x")):
            if name == "best.doubted_inputs" and change is None:
                continue  # nobody can tell that it was there
            path.write_bytes(good)
            rewritten(path, **{name: change})
            if name == "best.line" and change is None:
                continue  # as for a start that has not been looked at
            spoilt = path.read_bytes()
            with pytest.raises(FileError, match="start-0.npz: is not a checkpoint"):
                run_case(case, 60, checkpoint=Checkpoints(tmp_path, resume=True), **options)
            assert path.read_bytes() == spoilt


def test_the_state_of_another_start_is_refused(tmp_path: Path) -> None:
    run_case("side by side", 30, checkpoint=tmp_path)
    (tmp_path / "start-1.npz").replace(tmp_path / "start-0.npz")
    with pytest.raises(FileError, match="start-0.npz: is of the start with seed 1. Expected seed 0."):
        run_case("side by side", 30, checkpoint=Checkpoints(tmp_path, resume=True))


@pytest.mark.parametrize("restarts", [Restarts(3, side_by_side=False), Restarts(3, all=True)])
def test_starts_that_their_time_has_cut_off_go_on_where_they_stood(tmp_path: Path, restarts: Restarts) -> None:
    class First(Callback):
        def __init__(self) -> None:
            self.iterations: dict[int, int] = {}

        def on_trace(self, tick: Tick) -> None:
            self.iterations.setdefault(tick.seed, tick.iteration)

    options: dict[str, Any] = {"gap_tol": 0, "max_iter": 20_000, "restarts": restarts, "threads": 1}
    data = automaton(30, 8, 1, 60, seed=1)
    network, first = layered(8, 24, 8), First()
    cut = train(network, data, **options, max_seconds=0.05, checkpoint=tmp_path)
    assert [start.status for start in cut.starts] == [Status.TIME] * 3
    resumed = train(network, data, **options, checkpoint=Checkpoints(tmp_path, resume=True), callbacks=[first])
    for start in cut.starts:
        assert first.iterations[start.seed] > start.iterations > 0
    assert outcome(resumed) == outcome(train(network, data, **options))
