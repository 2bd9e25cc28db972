"""Callbacks that write what happens to a file, line by line: JSON lines or a table.

A line is written unbuffered, so nothing is lost if the process dies. The file of a run that is resumed is
appended to: lines it already has, because the run was killed after its last checkpoint, are not written again.
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
from boolearn.files import PathLike, check_writable, opened, parse_json
from boolearn.solver.run import Outcome
from boolearn.solver.trace import TraceLine
from boolearn.solver.watching.callbacks import Callback, Tick


class _Lines(Callback):
    """A text file that only grows, and how far it already describes each start."""

    def __init__(self, path: PathLike, resume: bool) -> None:
        self.path = Path(path)
        self._stream: io.FileIO | None = None
        self._written: dict[int, int] = {}
        self._first: dict[int, int] = {}
        """Of each start, the first line that this object wrote."""
        check_writable(self.path)
        if not self.path.exists():
            return
        if not resume:
            raise FileError(self.path, None, "already exists; choose another file, or append to it: resume=True.")
        if not self.path.is_file():
            raise FileError(self.path, None, "is not a file that can be appended to.")
        self._drop_torn_line()

    def close(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None

    def _holds(self, seed: int, iteration: int) -> None:
        """The file has this trace line, from an earlier run."""
        self._written[seed] = max(iteration, self._written.get(seed, -1))

    def _new(self, seed: int, iteration: int) -> bool:
        """Is this trace line to be written? Those of a start come in the order of its iterations."""
        if iteration <= self._first.get(seed, -1):
            raise FileError(
                self.path, None, f"already holds a start with seed {seed}; choose another file for this one."
            )
        if iteration <= self._written.get(seed, -1):
            return False
        self._first.setdefault(seed, iteration)
        self._written[seed] = iteration
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
            raise FileError(self.path, None, f"is not text: {error}.") from error


class JsonLines(_Lines):
    """One JSON object per line, for every trace line and for the end of every start.

    A line has an ``event``, "trace" or "end", the ``seed`` of the start, and the values of a TraceLine or of a
    StartSummary. What is not finite is null.
    """

    def __init__(self, path: PathLike, resume: bool = False) -> None:
        super().__init__(path, resume)
        self._ends: set[tuple[object, ...]] = set()
        for line in self._lines() if self.path.exists() else ():
            if line["event"] == "end":
                self._ends.add((line["seed"], line["status"], line["iterations"]))
            else:
                self._holds(line["seed"], line["iteration"])

    def on_trace(self, tick: Tick) -> None:
        assert tick.last is not None
        if self._new(tick.seed, tick.last.iteration):
            self._tell({"event": "trace", "seed": tick.seed, **asdict(tick.last)})

    def on_start_end(self, outcome: Outcome) -> None:
        end = (outcome.seed, outcome.status.word, outcome.iterations)
        if end not in self._ends:
            self._ends.add(end)
            self._tell({"event": "end", **asdict(outcome.summary()), "status": outcome.status.word})

    def _tell(self, line: dict[str, object]) -> None:
        plain = {name: None if isinstance(v, float) and not math.isfinite(v) else v for name, v in line.items()}
        self._write(json.dumps(plain, allow_nan=False) + "\n")

    def _lines(self) -> Iterator[dict[str, Any]]:
        for number, text in enumerate(self._text().splitlines(), 1):
            try:
                line = parse_json(text)
                wanted = ("iterations", "status") if line["event"] == "end" else ("iteration",)
                whole = all(isinstance(line[name], int) for name in ("seed", wanted[0])) and wanted[-1] in line
            except (ValueError, KeyError, TypeError):
                whole = False
            if not whole:
                raise FileError(self.path, number, "is not a line that a run has written; choose another file.")
            yield line


class CsvTable(_Lines):
    """A table with one row for every trace line of every start: its seed, then the values of the TraceLine."""

    columns = ("seed", *(field.name for field in fields(TraceLine)))

    def __init__(self, path: PathLike, resume: bool = False) -> None:
        super().__init__(path, resume)
        rows = list(csv.reader(io.StringIO(self._text(), newline=""))) if self.path.exists() else []
        self._headed = bool(rows)
        if rows and tuple(rows[0]) != self.columns:
            raise FileError(self.path, 1, f"must have the columns {','.join(self.columns)}; choose another file.")
        for number, row in enumerate(rows[1:], 2):
            if len(row) != len(self.columns) or not (row[0].isdecimal() and row[1].isdecimal()):
                raise FileError(self.path, number, "is not a row that a run has written; choose another file.")
            self._holds(int(row[0]), int(row[1]))

    def on_trace(self, tick: Tick) -> None:
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
