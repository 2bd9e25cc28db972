"""The folder of a reproduction: who it belongs to, the results of finished jobs, and at the end the record."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from boolearn.bench.record import Document, Row, read_record, write_document
from boolearn.errors import FileError
from boolearn.experiments.experiment import Job
from boolearn.files import opened

IDENTITY, RECORD, JOBS = "experiment.json", "record.json", "jobs"


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
        return {job.name: _read(self._result(job)) for job in jobs if self._result(job).exists()}

    def keep(self, job: Job, result: Row) -> None:
        """Write a result, whole or not at all."""
        write_document(self._result(job), result)

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


def _read(path: Path) -> Any:
    with opened(path) as stream:
        try:
            return json.load(stream)
        except ValueError as error:
            raise FileError(path, None, f"is not JSON: {error}.") from error
