"""Checkpoints of a run's starts in a folder, so that a run that was stopped, in whatever way, can be resumed.

Every start has a file of its own, which says in it of which run it is: of what data, network and settings.
Resuming something else is refused, and so is a folder that another process is using.
"""

from __future__ import annotations

import contextlib
import os
import time
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from boolearn.checks import checked_number
from boolearn.errors import FileError, ParameterError
from boolearn.files import PathLike, replacing
from boolearn.runs.checkpoint_file import read_checkpoint, write_checkpoint
from boolearn.runs.identity import plain_identity
from boolearn.solver.starts.checkpoint import Checkpoint

_SHARE_OF_TIME = 0.05
"""Writing checkpoints takes at most about this share of a run's time."""
_FILES = "start-*.npz"
OF_A_STAGE = "stage-{}"
"""The folder with the files of one stage, where a run is trained in stages."""
_PROBE = ".boolearn-can-write-here"
NOT_FREE = "holds checkpoints of a run; resume it or choose another directory."


@dataclass(frozen=True)
class Checkpoints:
    """Keep checkpoints in a folder, every ``every`` seconds and at the end."""

    folder: PathLike
    every: float = 60.0
    resume: bool = False
    """Resume the run in the folder, if there is one; otherwise a folder that holds one is refused."""

    def __post_init__(self) -> None:
        if not isinstance(self.folder, str | os.PathLike) or not os.fspath(self.folder):
            raise ParameterError("checkpoint", "a folder, or Checkpoints(folder, …)", self.folder)
        every = checked_number("every", self.every, "at least 0 seconds", lambda v: v >= 0)
        object.__setattr__(self, "every", every)
        if not isinstance(self.resume, bool):
            raise ParameterError("resume", "True or False", self.resume)


class CheckpointStore:
    """The checkpoints of one run, and the only process that writes them."""

    def __init__(self, wanted: Checkpoints, identity: Mapping[str, object]) -> None:
        self.directory = Path(wanted.folder)
        self.every = wanted.every
        self.identity = plain_identity(identity)
        self._lock: int | None = None
        try:
            self.directory.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(self.directory)
            _remove_leftovers(self.directory)
            with replacing(self.directory / _PROBE) as stream:
                stream.write(b"?")
            (self.directory / _PROBE).unlink()
            self._check_free(wanted.resume)
        except OSError as error:
            self.close()
            raise FileError(self.directory, None, f"cannot be written to: {error.strerror or error}.") from error
        except FileError:
            self.close()
            raise

    def close(self) -> None:
        """Allow other processes to use the folder."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _check_free(self, resume: bool) -> None:
        if holds_stages(self.directory):
            message = "holds checkpoints of training in stages; resume that or choose another directory."
            raise FileError(self.directory, None, message)
        if not resume and holds_checkpoints(self.directory):
            raise FileError(self.directory, None, NOT_FREE)

    def path(self, number: int) -> Path:
        return self.directory / f"start-{number}.npz"

    def keeper(self, number: int, extendable: bool) -> CheckpointFile:
        return CheckpointFile(self.path(number), self.identity, self.every, extendable)

    def load(self, number: int, seed: int) -> Checkpoint | None:
        path = self.path(number)
        if not path.exists():
            return None
        checkpoint = read_checkpoint(path, self.identity)
        if checkpoint.seed != seed:
            raise FileError(path, None, f"is of the start with seed {checkpoint.seed}. Expected seed {seed}.")
        return checkpoint

    def refuse(self, number: int, error: Exception) -> FileError:
        return FileError(self.path(number), None, f"is not a checkpoint of this run: {error}")


class CheckpointFile:
    """Writes the checkpoints of one start, one over the other."""

    def __init__(self, path: Path, identity: Mapping[str, Any], every: float, extendable: bool) -> None:
        self._path = path
        self._identity = identity
        self._every = every
        self.extendable = extendable
        self._written = time.monotonic()
        self._took = 0.0

    def due(self) -> bool:
        return time.monotonic() - self._written >= max(self._every, self._took / _SHARE_OF_TIME)

    def keep(self, checkpoint: Checkpoint) -> None:
        """Write it; where that fails, on a full disk for example, the last one stays and training continues."""
        begun = time.monotonic()
        try:
            write_checkpoint(self._path, checkpoint, self._identity)
        except FileError as error:
            warnings.warn(f"No checkpoint was written; training continues. {error}", RuntimeWarning, stacklevel=2)
        self._written = time.monotonic()
        self._took = self._written - begun


@contextlib.contextmanager
def kept_to_oneself(folder: PathLike) -> Iterator[None]:
    """Have a folder of several runs' checkpoints to oneself, between the runs too."""
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
        lock = _locked(path)
    except OSError as error:
        raise FileError(path, None, f"cannot be written to: {error.strerror or error}.") from error
    try:
        yield
    finally:
        if lock is not None:
            os.close(lock)


def holds_checkpoints(directory: PathLike) -> bool:
    return any(Path(directory).glob(_FILES))


def holds_stages(directory: PathLike) -> bool:
    """Whether it holds checkpoints of training in stages."""
    return any(Path(directory).glob(f"{OF_A_STAGE.format('*')}/{_FILES}"))


def remove_checkpoints(directory: PathLike) -> None:
    """The result of the run is saved elsewhere: its checkpoints are not needed any more."""
    path = Path(directory)
    for file in path.glob(_FILES):
        file.unlink(missing_ok=True)
    _remove_leftovers(path)
    with contextlib.suppress(OSError):  # it holds other files, or is not there
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
    for pattern in (f".{_FILES}.*.part", f".{_PROBE}.*.part", _PROBE):
        for path in directory.glob(pattern):
            path.unlink(missing_ok=True)
