"""Records: the rows that a benchmark measured, and what is needed to measure them again.

A record is a JSON object. ``benchmark`` is its name and ``key`` the fields that say what a row
measured; all other fields of a row are results. A record of one run has the run's fields beside them:
version, commit, command, seeds, parameters, machine, date and seconds. A record that several
runs have built up has a list ``runs`` of such objects instead, and every row the place of its run in it.
"""

from __future__ import annotations

import json
import math
import shlex
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from boolearn._version import __version__
from boolearn.bench.commit import file_at, source_commit
from boolearn.bench.machine import machine
from boolearn.errors import BoolearnError, FileError
from boolearn.files import PathLike, opened, parse_json, write_text

Document = dict[str, Any]
Row = dict[str, Any]


class Record:
    """One run of a benchmark. Make it before the measuring: its clock runs, and the commit is that of the beginning."""

    def __init__(
        self,
        benchmark: str,
        key: Sequence[str],
        command: Sequence[str],
        *,
        seeds: object = None,
        parameters: Mapping[str, object] | None = None,
    ) -> None:
        self.benchmark, self.key = benchmark, list(key)
        self.rows: list[Row] = []
        self.run: Document = {
            "version": __version__,
            "commit": source_commit(),
            "command": shlex.join(map(_without_folder, command)),
            "seeds": seeds,
            "parameters": {name: _without_folder(value) for name, value in (parameters or {}).items()},
            "machine": machine(),
            "date": datetime.now(UTC).isoformat(timespec="seconds"),
        }
        self._begun = time.perf_counter()

    def add(self, row: Row) -> None:
        self.rows.append(row)

    def document(self) -> Document:
        run = {**self.run, "seconds": time.perf_counter() - self._begun}
        return {"benchmark": self.benchmark, "key": self.key, **run, "rows": self.rows}

    def write(self, path: PathLike) -> None:
        """Write the record, whole or not at all."""
        write_document(path, self.document())

    def write_into(self, path: PathLike) -> None:
        """Put the rows into the record that is there already: older rows of the same key are replaced, others kept."""
        older = read_record(path) if Path(path).exists() else None
        write_document(path, merged(older, self.document()))


def _without_folder(word: Any) -> Any:
    """A file by its name where it was given from the root: the folders of one machine mean nothing on another."""
    return Path(word).name if isinstance(word, str) and Path(word).is_absolute() else word


def merged(older: Document | None, newer: Document) -> Document:
    """A record of several runs: the newer rows, and the older ones with other keys. Only runs with rows are kept."""
    pairs = rows_with_runs(newer)
    if older is not None:
        check_same_benchmark(older, newer)
        replaced = rows_by_key(newer)
        kept = [pair for pair in rows_with_runs(older) if key_of(pair[0], newer["key"]) not in replaced]
        pairs = [*kept, *pairs]
    runs: list[Document] = []
    rows: list[Row] = []
    for row, run in pairs:
        if run not in runs:
            runs.append(run)
        rows.append({**row, "run": runs.index(run)})
    return {"benchmark": newer["benchmark"], "key": newer["key"], "runs": runs, "rows": rows}


def rows_with_runs(record: Document) -> list[tuple[Row, Document]]:
    """Every row with the run that it comes from."""
    if "runs" in record:
        return [(_without(row, "run"), record["runs"][row["run"]]) for row in record["rows"]]
    run = _without(record, "benchmark", "key", "rows")
    return [(row, run) for row in record["rows"]]


def _without(fields: Document, *names: str) -> Document:
    return {name: value for name, value in fields.items() if name not in names}


def rows_by_key(record: Document) -> dict[tuple[str, ...], Row]:
    """The rows, without the place of their run, by the values of their key fields."""
    found: dict[tuple[str, ...], Row] = {}
    for row, _ in rows_with_runs(record):
        key = key_of(row, record["key"])
        if key in found:
            raise BoolearnError(f"A record must have one row for each key. Got two rows with {', '.join(key)} instead.")
        found[key] = row
    return found


def key_of(row: Row, key: Sequence[str]) -> tuple[str, ...]:
    """The key fields and their values as text. A field that the row does not have is left out."""
    values = ((name, row[name]) for name in key if name in row)
    return tuple(f"{name} {value if isinstance(value, str) else json.dumps(value)}" for name, value in values)


def check_same_benchmark(older: Document, newer: Document) -> None:
    names = older["benchmark"], newer["benchmark"]
    if names[0] != names[1]:
        raise BoolearnError("Both records must be of the same benchmark. Got {!r} and {!r} instead.".format(*names))


def read_record(place: PathLike) -> Document:
    """A record from a file, or from a revision of one, written ``REVISION:path``."""
    name = str(place)
    if ":" in name and not Path(name).exists():
        text = file_at(name)
    else:
        with opened(name) as stream:
            text = stream.read().decode("utf-8", "replace")
    try:
        record = parse_json(text)
    except ValueError as error:
        raise FileError(name, None, f"is not JSON: {error}.") from error
    if not isinstance(record, dict):
        raise FileError(name, None, "is not a record: it must be a JSON object.")
    record.setdefault("benchmark", Path(name).stem)  # the oldest records carry no name
    if "results" in record:  # and those of ``boolearn bench`` called their rows results
        record["rows"] = record.pop("results")
    _check(name, record)
    return record


def _check(place: str, record: Document) -> None:
    rows, runs, key = record.get("rows"), record.get("runs"), record.get("key")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise FileError(place, None, "is not a record: its 'rows' must be a list of objects.")
    if key is not None and not (isinstance(key, list) and all(isinstance(name, str) for name in key)):
        raise FileError(place, None, "is not a record: its 'key' must be a list of names of fields.")
    if runs is None:
        return
    if not isinstance(runs, list) or not all(isinstance(run, dict) for run in runs):
        raise FileError(place, None, "is not a record: its 'runs' must be a list of objects.")
    if not all(isinstance(row.get("run"), int) and 0 <= row["run"] < len(runs) for row in rows):
        raise FileError(place, None, f"is not a record: the 'run' of every row must be from 0 to {len(runs) - 1}.")


def write_document(path: PathLike, document: Document) -> None:
    text = json.dumps(_as_json(document), indent=2, ensure_ascii=False, allow_nan=False)
    write_text(path, text + "\n")


def _as_json(value: Any) -> Any:
    """NumPy's numbers as plain ones; NaN and the infinities, which JSON does not have, as null."""
    if isinstance(value, dict):
        return {name: _as_json(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_as_json(inner) for inner in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not math.isfinite(value) else value
