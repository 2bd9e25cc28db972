"""The folder of a reproduction: who it belongs to, the results of finished jobs, and at the end the record."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from boolearn.bench.record import Document, Row, read_record, write_document
from boolearn.errors import FileError
from boolearn.experiments.experiment import Job
from boolearn.files import opened, parse_json

IDENTITY, RECORD, JOBS, CHECKPOINTS = "experiment.json", "record.json", "jobs", "checkpoints"

SHARED = ("version", "commit")
"""What two folders must have in common for one to take results from the other."""


class ResultFolder:
    """Results are only kept together when they come from the same experiment, parameters, seed and source code."""

    def __init__(self, path: Path, identity: Document) -> None:
        self.path = path
        identity = json.loads(json.dumps(identity))  # as it is read back: tuples are lists
        if (path / IDENTITY).exists():
            self._check_same(_read(path / IDENTITY), identity)
        elif path.exists() and (not path.is_dir() or any(path.iterdir())):
            raise FileError(path, None, "holds something other than a reproduction; choose another --out.")
        try:
            (path / JOBS).mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FileError(path, None, f"cannot be made: {error.strerror or error}.") from error
        if not (path / IDENTITY).exists():
            write_document(path / IDENTITY, identity)

    def record(self) -> Document | None:
        """The record of a reproduction that is complete."""
        return read_record(self.path / RECORD) if (self.path / RECORD).exists() else None

    def write_record(self, record: Document) -> None:
        write_document(self.path / RECORD, record)

    def finished(self, jobs: Iterable[Job]) -> dict[str, Row]:
        """The results there are, by the names of their jobs."""
        return {job.name: _read(self._result(job))["row"] for job in jobs if self._result(job).exists()}

    def keep(self, job: Job, row: Row) -> None:
        """Write a result, whole or not at all. The job's checkpoints are not needed any more."""
        write_document(self._result(job), {**job.computation, "row": row})
        shutil.rmtree(self.scratch(job), ignore_errors=True)

    def scratch(self, job: Job) -> Path:
        """Where the trainings of a job under way keep their checkpoints."""
        return self.path / CHECKPOINTS / job.name

    def reuse(self, others: Sequence[Path], jobs: Iterable[Job]) -> None:
        """Take the results of the same computations from the folders of other reproductions of the same source."""
        ours, found = _read(self.path / IDENTITY), {}
        for other in others:
            if not (other / IDENTITY).exists():
                raise FileError(other, None, "holds no reproduction whose results could be used again.")
            theirs = _read(other / IDENTITY)
            for name in SHARED:
                if theirs.get(name) != ours[name]:
                    raise FileError(
                        other,
                        None,
                        f"holds results that cannot be used again: its {name} is {theirs.get(name)!r}, "
                        f"not {ours[name]!r}.",
                    )
            for path in sorted((other / JOBS).glob("*.json")):
                result = _read(path)
                found[_key(result)] = result["row"]
        for job in jobs:
            row = found.get(_key(job.computation))
            if row is not None and not self._result(job).exists():
                self.keep(job, {**row, "job": job.name})

    def _result(self, job: Job) -> Path:
        return self.path / JOBS / f"{job.name}.json"

    def _check_same(self, theirs: Document, ours: Document) -> None:
        for name, value in ours.items():
            if theirs.get(name) != value:
                raise FileError(
                    self.path,
                    None,
                    f"holds the results of another reproduction: its {name} is {theirs.get(name)!r}, not {value!r}. "
                    "Choose another --out.",
                )


def _key(computation: Document) -> str:
    return json.dumps([computation["work"], computation["arguments"]], sort_keys=True)


def _read(path: Path) -> Any:
    with opened(path) as stream:
        try:
            return parse_json(stream.read())
        except ValueError as error:
            raise FileError(path, None, f"is not JSON: {error}.") from error
