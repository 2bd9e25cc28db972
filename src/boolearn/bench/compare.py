"""Two records of the same benchmark side by side."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from boolearn.bench.record import Document, check_same_benchmark, rows_by_key, rows_with_runs
from boolearn.errors import BoolearnError

_WIDTH = 14


@dataclass(frozen=True)
class Pair:
    """A field of a row, old and new; None where one record does not have it."""

    field: str
    old: Any
    new: Any

    @property
    def ratio(self) -> float | None:
        """New over old, of numbers that have one."""
        if _is_number(self.old) and _is_number(self.new) and self.old:
            return float(self.new / self.old)
        return None


@dataclass(frozen=True)
class Comparison:
    """Rows by their keys, and of the rows that both records have all fields."""

    benchmark: str
    both: dict[tuple[str, ...], list[Pair]]
    only_old: list[tuple[str, ...]]
    only_new: list[tuple[str, ...]]
    old_runs: list[str]
    new_runs: list[str]

    def geometric_means(self) -> dict[str, tuple[float, int]]:
        """For each field that changed: the mean of new/old, and of how many rows. Only positive ratios have one."""
        logs: dict[str, list[float]] = {}
        for pair in (pair for pairs in self.both.values() for pair in pairs):
            if pair.ratio is not None and pair.ratio > 0:
                logs.setdefault(pair.field, []).append(math.log(pair.ratio))
        return {field: (math.exp(sum(found) / len(found)), len(found)) for field, found in logs.items() if any(found)}

    def lines(self) -> Iterator[str]:
        """The comparison as text."""
        yield f"{self.benchmark}: {len(self.both)} rows in both"
        yield from (f"old: {run}" for run in self.old_runs)
        yield from (f"new: {run}" for run in self.new_runs)
        yield ""
        yield f"{'':40}{'old':>{_WIDTH}}{'new':>{_WIDTH}}{'new/old':>{_WIDTH}}"
        same = 0
        for key, pairs in self.both.items():
            changed = [pair for pair in pairs if pair.old != pair.new]
            same += not changed
            if changed:
                yield ", ".join(key)
                yield from map(_line, changed)
        yield ""
        if same:
            yield f"rows without any change: {same}"
        yield from (f"only in old: {', '.join(key)}" for key in self.only_old)
        yield from (f"only in new: {', '.join(key)}" for key in self.only_new)
        for field, (mean, rows) in self.geometric_means().items():
            yield f"new/old of {field}, geometric mean of {rows} rows: {mean:.3g}"


def compare(old: Document, new: Document) -> Comparison:
    """Match the rows by the key of the newer record; a record from before there were keys takes the other's."""
    check_same_benchmark(old, new)
    key = new.get("key") or old.get("key")
    if key is None:
        raise BoolearnError("One of two records must name its key fields, 'key'. Got none instead.")
    before, after = (rows_by_key({**record, "key": key}) for record in (old, new))
    return Comparison(
        benchmark=new["benchmark"],
        both={
            name: _pairs(_without(row, key), _without(after[name], key))
            for name, row in before.items()
            if name in after
        },
        only_old=[name for name in before if name not in after],
        only_new=[name for name in after if name not in before],
        old_runs=_runs(old),
        new_runs=_runs(new),
    )


def _without(row: dict[str, Any], key: list[str]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in key}


def _pairs(old: dict[str, Any], new: dict[str, Any]) -> list[Pair]:
    before, after = dict(_leaves("", old)), dict(_leaves("", new))
    return [Pair(field, before.get(field), after.get(field)) for field in {**before, **after}]


def _leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Numbers and texts inside objects and lists, named as ``nanoseconds.half`` and ``cpu_seconds[0]``."""
    if isinstance(value, dict):
        for part, inner in value.items():
            yield from _leaves(f"{name}.{part}" if name else part, inner)
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            yield from _leaves(f"{name}[{place}]", inner)
    else:
        yield name, value


def _runs(record: Document) -> list[str]:
    """A line for each commit, day and machine that the record's rows come from."""
    found: dict[str, None] = {}
    for _, run in rows_with_runs(record):
        machine = run.get("machine") or {}
        where = f"{machine.get('processor', 'unknown processor')}, {machine.get('cores', '?')} cores"
        day = (run.get("date") or "unknown date").partition("T")[0]
        found[f"commit {run.get('commit') or 'unknown'}, {day}, {where}"] = None
    return list(found)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _line(pair: Pair) -> str:
    ratio = "" if pair.ratio is None else f"{pair.ratio:.3g}"
    return f"  {pair.field:38}{_shown(pair.old):>{_WIDTH}}{_shown(pair.new):>{_WIDTH}}{ratio:>{_WIDTH}}"


def _shown(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.4g}" if isinstance(value, float) else f" {value}"
