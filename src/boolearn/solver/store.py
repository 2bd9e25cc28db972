"""States of a run's starts on disk, so that a run that was stopped, in whatever way, can go on.

Every start has a file of its own, written whole or not at all, and says in it of which run it is: of what
data, network and settings. Continuing something else is refused, and so is what another process is at.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import time
from collections.abc import Mapping
from dataclasses import astuple, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from boolearn.data import Dataset
from boolearn.engine import Progress
from boolearn.errors import FileError
from boolearn.files import PathLike, opened, replacing
from boolearn.problem import Problem
from boolearn.solver.attempt import State
from boolearn.solver.status import Status
from boolearn.solver.trace import Checkpoint
from boolearn.solver.watch import Seen

FORMAT = 1
_SHARE_OF_TIME = 0.05
"""Writing states takes at most about this share of a run's time."""
_FREE = ("max_iter", "max_seconds", "restarts", "threads", "version")
"""Settings that may change when a run goes on."""
_SHARED_OUT = ("max_iter", "restarts")
"""Settings that halving shares out among starts from the beginning, so with it they may not change."""
_ROWS_AT_A_TIME = 1 << 16
_STATES = "start-*.npz"
_PROBE = "writable"


class Store:
    """The states of one run, in a directory."""

    def __init__(self, directory: PathLike, identity: Mapping[str, object], every: float) -> None:
        self.directory = Path(directory)
        self.every = every
        self.identity: dict[str, Any] = json.loads(json.dumps({"format": FORMAT, **identity}))
        self._lock: int | None = None
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(self.directory)
            _remove_leftovers(self.directory)
            with replacing(self.directory / _PROBE) as stream:
                stream.write(b"?")
            (self.directory / _PROBE).unlink()
        except OSError as error:
            self.close()
            raise FileError(self.directory, None, f"cannot be written to: {error.strerror or error}.") from error
        except FileError:
            self.close()
            raise

    def close(self) -> None:
        """Let others at the directory."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def path(self, number: int) -> Path:
        return self.directory / f"start-{number}.npz"

    @property
    def empty(self) -> bool:
        return not any(self.directory.glob(_STATES))

    def keeper(self, number: int, extendable: bool) -> StateFile:
        """What keeps the states of one start; where it is not ``extendable`` an ended one need not go on."""
        return StateFile(self.path(number), self.identity, self.every, extendable)

    def load(self, number: int, seed: int) -> State | None:
        """The state of a start, or None where none was kept yet."""
        path = self.path(number)
        if not path.exists():
            return None
        state = read_state(path, self.identity)
        if state.seed != seed:
            raise FileError(path, None, f"is of the start with seed {state.seed}. Expected seed {seed}.")
        return state


def remove_states(directory: PathLike) -> None:
    """What a run came to is saved elsewhere: its states are of no more use."""
    path = Path(directory)
    for state in path.glob(_STATES):
        state.unlink(missing_ok=True)
    _remove_leftovers(path)
    with contextlib.suppress(OSError):  # it holds what is not ours, or is not there
        path.rmdir()


def _locked(directory: Path) -> int | None:
    """Have a directory to oneself, until the process ends in whatever way."""
    try:
        import fcntl
    except ImportError:  # Windows
        return None
    handle = os.open(directory, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise FileError(directory, None, "is in use: the run in it is under way in another process.") from None
    except OSError:  # a file system without locks
        os.close(handle)
        return None
    return handle


def _remove_leftovers(directory: Path) -> None:
    """Of a process that was killed while it wrote."""
    for pattern in (f".{_STATES}.*.part", f".{_PROBE}.*.part", _PROBE):
        for path in directory.glob(pattern):
            path.unlink(missing_ok=True)


class StateFile:
    """Writes the states of one start, now and then."""

    def __init__(self, path: Path, identity: Mapping[str, Any], every: float, extendable: bool) -> None:
        self._path = path
        self._identity = identity
        self._every = every
        self.extendable = extendable
        self._written = time.monotonic()
        self._took = 0.0

    def due(self) -> bool:
        return time.monotonic() - self._written >= max(self._every, self._took / _SHARE_OF_TIME)

    def keep(self, state: State) -> None:
        begun = time.monotonic()
        write_state(self._path, state, self._identity)
        self._written = time.monotonic()
        self._took = self._written - begun


def write_state(path: Path, state: State, identity: Mapping[str, Any]) -> None:
    """Write a state to a NumPy archive, one array after another, so that no second copy is in memory."""
    about = {
        "identity": identity,
        "seed": state.seed,
        "status": None if state.status is None else state.status.word,
        "seconds": state.seconds,
        "iterations": state.progress.iterations,
        "max_iter": state.max_iter,
    }
    arrays: dict[str, npt.NDArray[Any]] = {
        "about": np.array(json.dumps(about)),
        "gaps": np.array(state.progress[1:], np.float64),
        "trace": _table(list(state.trace)),
    }
    if state.best is not None:
        arrays["best.line"] = _table([state.best.line])
        arrays["best.finite"] = np.array(state.best.finite)
        for name in ("weights", "codes", "doubted_inputs"):
            if (array := getattr(state.best, name)) is not None:
                arrays[f"best.{name}"] = array
    arrays |= {f"search/{name}": array for name, array in state.search.items()}
    with replacing(path) as stream:
        np.savez(stream, **arrays)  # type: ignore[arg-type]


def read_state(path: Path, identity: Mapping[str, Any]) -> State:
    """Read a state, when it is of the same run."""
    try:
        with opened(path) as stream, np.load(stream, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        about = json.loads(str(arrays["about"]))
        _check_same(path, about["identity"], identity)
        best = None
        if "best.line" in arrays:
            best = Seen(
                weights=arrays["best.weights"],
                codes=arrays.get("best.codes"),
                doubted_inputs=arrays.get("best.doubted_inputs"),
                line=_lines(arrays["best.line"])[0],
                finite=_flag(arrays["best.finite"]),
            )
        return State(
            seed=int(about["seed"]),
            status=None if about["status"] is None else Status[about["status"].upper()],
            seconds=float(about["seconds"]),
            progress=Progress(int(about["iterations"]), *(float(gap) for gap in arrays["gaps"])),
            trace=tuple(_lines(arrays["trace"])),
            best=best,
            search={name.removeprefix("search/"): a for name, a in arrays.items() if name.startswith("search/")},
            max_iter=None if about["max_iter"] is None else int(about["max_iter"]),
        )
    except FileError:
        raise
    except Exception as error:  # a spoilt archive can fail in any way at all
        raise FileError(path, None, f"is no state of a run: {error or type(error).__name__}.") from error


def fingerprint(problem: Problem, *datasets: Dataset | None) -> dict[str, str]:
    """What tells networks, margins and data from others."""
    network = problem.network
    wiring = hashlib.sha256(f"{network.n_inputs} {network.n_outputs}".encode())
    for array in (network.start, network.sender, network.tie):
        wiring.update(np.ascontiguousarray(array, np.int64).tobytes())
    content = hashlib.sha256()
    for dataset in datasets:
        if dataset is None:
            continue
        content.update(f"{dataset.input_kind.value} {dataset.classes} {dataset.inputs.shape}".encode())
        for first in range(0, len(dataset), _ROWS_AT_A_TIME):
            rows = slice(first, first + _ROWS_AT_A_TIME)
            content.update(np.ascontiguousarray(dataset.inputs[rows]).data)
            content.update(np.ascontiguousarray(dataset.outputs[rows]).data)
    margins = hashlib.sha256(problem.margins.tobytes())
    return {
        name: digest.hexdigest()[:16] for name, digest in (("network", wiring), ("data", content), ("margins", margins))
    }


def _check_same(path: Path, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    free = _FREE if new.get("halving") is None else [name for name in _FREE if name not in _SHARED_OUT]
    for name in (*new, *old):
        if name not in free and old.get(name) != new.get(name):
            raise FileError(
                path,
                None,
                f"is of a run whose {name!r} is {old.get(name)!r}; only the same can go on. "
                f"Got {new.get(name)!r} instead.",
            )


def _flag(array: npt.NDArray[Any]) -> bool:
    if array.dtype != np.bool_ or array.shape:
        raise ValueError(f"'best.finite' must be one truth value. Got {array.dtype} {array.shape} instead")
    return bool(array)


def _table(lines: list[Checkpoint]) -> npt.NDArray[np.float64]:
    rows = [[np.nan if value is None else value for value in astuple(line)] for line in lines]
    return np.array(rows, np.float64).reshape(len(lines), len(fields(Checkpoint)))  # there may be none yet


def _lines(table: npt.NDArray[np.float64]) -> list[Checkpoint]:
    names = [field.name for field in fields(Checkpoint)]
    lines = [dict(zip(names, row, strict=True)) for row in table.tolist()]
    return [
        replace(
            Checkpoint(**line),
            iteration=int(line["iteration"]),
            test_accuracy=None if math.isnan(line["test_accuracy"]) else line["test_accuracy"],
        )
        for line in lines
    ]
