"""Callbacks that write what happens to a file, line by line: JSON lines or a table.

A line is handed to the system as soon as it is known, so a process that dies takes none with it. A file of
a run that is resumed is gone on with: what it already tells, because the run was killed after its last
state was kept, is not told again.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from boolearn.errors import FileError
from boolearn.files import PathLike, check_writable, opened
from boolearn.solver.callbacks import Callback, Tick
from boolearn.solver.run import Run
from boolearn.solver.trace import Checkpoint


class _Lines(Callback):
    """A text file that only grows, and what of each start it already tells."""

    def __init__(self, path: PathLike, resume: bool) -> None:
        self.path = Path(path)
        self._stream: io.FileIO | None = None
        self._told: dict[int, int] = {}
        check_writable(self.path)
        if not self.path.exists():
            return
        if not resume:
            raise FileError(self.path, None, "already exists; choose another file, or go on with it: resume=True.")
        if not self.path.is_file():
            raise FileError(self.path, None, "is not a file that can be gone on with.")
        self._drop_torn_line()

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def _new(self, seed: int, iteration: int) -> bool:
        """Is this checkpoint told for the first time? Those of a start come in the order of its iterations."""
        if iteration <= self._told.get(seed, -1):
            return False
        self._told[seed] = iteration
        return True

    def _write(self, text: str) -> None:
        try:
            if self._stream is None:
                # No buffer, so that nothing waits in this process, also not for a disk that is full.
                self._stream = self.path.open("ab", buffering=0)
            rest = text.encode()
            while rest:
                rest = rest[self._stream.write(rest) :]
        except OSError as error:
            raise FileError(self.path, None, f"cannot be written: {error.strerror or error}.") from error

    def _drop_torn_line(self) -> None:
        """The last one, when a process died in the middle of it."""
        with opened(self.path) as stream:
            content = stream.read()
        whole = content.rfind(b"\n") + 1
        if whole < len(content):
            try:
                with self.path.open("r+b") as stream:
                    stream.truncate(whole)
            except OSError as error:
                raise FileError(self.path, None, f"cannot be written: {error.strerror or error}.") from error

    def _text(self) -> str:
        with opened(self.path) as stream:
            content = stream.read()
        try:
            return content.decode()
        except UnicodeDecodeError as error:
            raise FileError(self.path, None, f"is no text: {error}.") from error


class JsonLines(_Lines):
    """One JSON object per line, for every checkpoint and for the end of every start.

    A line has an ``event``, "checkpoint" or "end", the ``seed`` of the start, and the values of a
    Checkpoint or of a Start. What is not finite is null.
    """

    def __init__(self, path: PathLike, resume: bool = False) -> None:
        super().__init__(path, resume)
        self._ends: set[tuple[object, ...]] = set()
        for line in self._lines() if self.path.exists() else ():
            if line["event"] == "end":
                self._ends.add((line["seed"], line["status"], line["iterations"]))
            else:
                self._new(line["seed"], line["iteration"])

    def on_checkpoint(self, tick: Tick) -> None:
        assert tick.last is not None
        if self._new(tick.seed, tick.last.iteration):
            self._tell({"event": "checkpoint", "seed": tick.seed, **asdict(tick.last)})

    def on_run_end(self, run: Run) -> None:
        end = (run.seed, run.status.word, run.iterations)
        if end not in self._ends:
            self._ends.add(end)
            self._tell({"event": "end", **asdict(run.start()), "status": run.status.word})

    def _tell(self, line: dict[str, object]) -> None:
        plain = {name: None if isinstance(v, float) and not math.isfinite(v) else v for name, v in line.items()}
        self._write(json.dumps(plain, allow_nan=False) + "\n")

    def _lines(self) -> Iterator[dict[str, Any]]:
        for number, text in enumerate(self._text().splitlines(), 1):
            try:
                line = json.loads(text)
                wanted = ("iterations", "status") if line["event"] == "end" else ("iteration",)
                whole = all(isinstance(line[name], int) for name in ("seed", wanted[0])) and wanted[-1] in line
            except (ValueError, KeyError, TypeError):
                whole = False
            if not whole:
                raise FileError(self.path, number, "is no line that a run has written; choose another file.")
            yield line


class CsvTable(_Lines):
    """A table with one row for every checkpoint of every start: its seed, then the values of a Checkpoint."""

    columns = ("seed", *(field.name for field in fields(Checkpoint)))

    def __init__(self, path: PathLike, resume: bool = False) -> None:
        super().__init__(path, resume)
        rows = list(csv.reader(io.StringIO(self._text(), newline=""))) if self.path.exists() else []
        self._headed = bool(rows)
        if rows and tuple(rows[0]) != self.columns:
            raise FileError(self.path, 1, f"must have the columns {','.join(self.columns)}; choose another file.")
        for number, row in enumerate(rows[1:], 2):
            if len(row) != len(self.columns) or not (row[0].isdecimal() and row[1].isdecimal()):
                raise FileError(self.path, number, "is no row that a run has written; choose another file.")
            self._new(int(row[0]), int(row[1]))

    def on_checkpoint(self, tick: Tick) -> None:
        assert tick.last is not None
        if not self._new(tick.seed, tick.last.iteration):
            return
        if not self._headed:
            self._row(self.columns)
            self._headed = True
        self._row((tick.seed, *asdict(tick.last).values()))

    def _row(self, values: tuple[object, ...]) -> None:
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerow(values)
        self._write(text.getvalue())
