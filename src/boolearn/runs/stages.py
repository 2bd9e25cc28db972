"""Checkpoints of training in stages: a folder for each stage, and a file that says of which run they all are.

Without that file another run would train the first stages again, over those that are there, before a later one is
refused. Folders from before it are resumed too.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from boolearn.errors import FileError
from boolearn.files import PathLike, fault, opened, parse_json, write_text
from boolearn.runs.checkpoints import (
    NOT_FREE,
    OF_A_STAGE,
    Checkpoints,
    holds_checkpoints,
    holds_stages,
    kept_to_oneself,
    remove_checkpoints,
)
from boolearn.runs.identity import plain_identity, refuse_other

_IDENTITY = "stages-run.json"


def stage_folder(folder: PathLike, number: int) -> Path:
    """Where the checkpoints of a stage are."""
    return Path(folder) / OF_A_STAGE.format(number)


@contextlib.contextmanager
def kept_stages(wanted: Checkpoints, identity: Mapping[str, object]) -> Iterator[None]:
    """Have a folder for the checkpoints of all stages to oneself, if what is in it may be resumed as this run."""
    folder = Path(wanted.folder)
    file = folder / _IDENTITY
    with kept_to_oneself(folder):
        if holds_checkpoints(folder):
            message = "holds checkpoints of training without stages; resume that or choose another directory."
            raise FileError(folder, None, message)
        begun = holds_stages(folder)
        if begun and not wanted.resume:
            raise FileError(folder, None, NOT_FREE)
        own = plain_identity(identity)
        if not begun:
            _remove_leftovers(folder)
            write_text(file, json.dumps(own))
        elif file.exists():
            refuse_other(file, _read(file), own)
        try:
            yield
        finally:
            if not holds_stages(folder):  # refused before any start
                file.unlink(missing_ok=True)


def remove_stages(folder: PathLike) -> None:
    """The result is saved elsewhere: checkpoints of the stages are not needed any more."""
    path = Path(folder)
    for stage in path.glob(OF_A_STAGE.format("*")):
        remove_checkpoints(stage)
    (path / _IDENTITY).unlink(missing_ok=True)
    _remove_leftovers(path)
    remove_checkpoints(path)


def _read(file: Path) -> dict[str, object]:
    with opened(file) as stream:
        content = stream.read()
    try:
        identity = parse_json(content)
    except ValueError as error:
        raise FileError(file, None, f"does not say of which run the checkpoints are: {fault(error)}.") from error
    if not isinstance(identity, dict):
        raise FileError(file, None, f"does not say of which run the checkpoints are: it holds {content[:40]!r}.")
    return identity


def _remove_leftovers(folder: Path) -> None:
    """Of a process that was killed while it wrote."""
    for path in folder.glob(f".{_IDENTITY}.*.part"):
        path.unlink(missing_ok=True)
