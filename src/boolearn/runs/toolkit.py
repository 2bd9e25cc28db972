"""The C toolkit's records of training: traces (.gap), runs (.run) and the command line (.cmd).

A test accuracy that does not exist is written as ``-``. The C toolkit writes it as 0.000, which
reads back as the number it is. The gap of a run that diverged is written as ``inf``.
"""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass

from boolearn.errors import FileError
from boolearn.files import PathLike, TokenReader, opened, write_text
from boolearn.solver.run import SuccessRate
from boolearn.solver.trace import TraceLine

_LARGEST = 1e50
_MOST_ITERATIONS = 10**15
_LONGEST_COMMAND = 1 << 16
_NONE = "-"


@dataclass(frozen=True)
class RunRecord:
    """One line of a .run file."""

    number: int
    iterations: int
    """How many iterations the solution took; 0 when none was found."""
    gap: float
    train_accuracy: float
    test_accuracy: float | None


def summary_of(records: Sequence[RunRecord]) -> SuccessRate:
    """What the last line of a .run file says of the others."""
    return SuccessRate.of([record.iterations for record in records if record.iterations], len(records))


def summary_text(rate: SuccessRate) -> str:
    """That line."""
    if not rate.solved:
        return " no solutions found"
    return f"{rate.solved} / {rate.starts} solutions   {rate.mean_iterations:f} +/- {rate.error:f} iterations/solution"


def write_gap(path: PathLike, trace: Sequence[TraceLine]) -> None:
    """Write the trace of one start, a line each."""
    write_text(path, "".join(map(_gap_line, trace)))


def read_gap(path: PathLike) -> list[TraceLine]:
    """The trace in a .gap file, which holds no times: ``seconds`` is 0."""
    trace: list[TraceLine] = []
    with TokenReader(path) as reader:
        least = 1
        while not trace or reader.upcoming():
            trace.append(
                TraceLine(
                    iteration=reader.integer("iteration", least, _MOST_ITERATIONS),
                    gap_w=_read_gap(reader, "gap of w"),
                    gap_x=_read_gap(reader, "gap of x"),
                    gap_y=_read_gap(reader, "gap of y"),
                    gap=_read_gap(reader, "gap"),
                    least_gap=_read_gap(reader, "least gap"),
                    train_accuracy=_read_percent(reader, "train accuracy"),
                    test_accuracy=_read_test(reader),
                    seconds=0.0,
                )
            )
            least = trace[-1].iteration + 1
    return trace


def write_run(path: PathLike, records: Sequence[RunRecord], finished: bool = True) -> None:
    """Write a line per run and, when they are all there, the summary."""
    lines = [
        f"{r.number:4d} {r.iterations:11d}{_gap(r.gap)}{_percent(r.train_accuracy)}{_percent(r.test_accuracy)}\n"
        for r in records
    ]
    if finished:
        lines.append(f"\n{summary_text(summary_of(records))}\n")
    write_text(path, "".join(lines))


def read_run(path: PathLike) -> tuple[list[RunRecord], SuccessRate | None]:
    """The runs of a .run file and its summary, None while runs are still to come."""
    records: list[RunRecord] = []
    with TokenReader(path) as reader:
        while not records or reader.upcoming():
            if records and reader.upcoming() == b"no":
                summary = SuccessRate(0, len(records), 0.0, 0.0)
                for word in ("no", "solutions", "found"):
                    reader.word(word)
                return records, _checked(reader, summary, records)
            number = reader.integer("number of the run" if not records else "number of the run or of solutions", 0)
            if records and reader.upcoming() == b"/":
                return records, _checked(reader, _read_summary(reader, number), records)
            if number != len(records) + 1:
                raise reader.error(f"runs must be numbered from 1 on, here {len(records) + 1}. Got {number} instead.")
            records.append(
                RunRecord(
                    number=number,
                    iterations=reader.integer("iterations of the run", 0, _MOST_ITERATIONS),
                    gap=_read_gap(reader, "gap"),
                    train_accuracy=_read_percent(reader, "train accuracy"),
                    test_accuracy=_read_test(reader),
                )
            )
    return records, None


def write_command(path: PathLike, arguments: Sequence[str]) -> None:
    """Write a command line, quoted so that a shell takes it back unchanged."""
    write_text(path, f"{shlex.join(arguments)}\n")


def read_command(path: PathLike) -> list[str]:
    """The program and arguments of a .cmd file."""
    with opened(path) as stream:
        content = stream.read(_LONGEST_COMMAND + 1)
    if len(content) > _LONGEST_COMMAND:
        raise FileError(path, 1, f"a command line must have at most {_LONGEST_COMMAND} characters.")
    try:
        arguments = shlex.split(content.decode())
    except ValueError as error:  # also what is not UTF-8
        raise FileError(path, 1, f"expected a command line: {error}.") from error
    if not arguments:
        raise FileError(path, 1, "expected a command line, found the end of the file.")
    return arguments


def _gap_line(c: TraceLine) -> str:
    gaps = "".join(map(_gap, (c.gap_w, c.gap_x, c.gap_y, c.gap, c.least_gap)))
    return f"{c.iteration:10d}{gaps}{_percent(c.train_accuracy)}{_percent(c.test_accuracy)}\n"


def _gap(gap: float) -> str:
    # As %14.8f, but a number too wide for the column still has a space before it.
    return f" {gap if math.isfinite(gap) else math.inf:13.8f}"


def _percent(accuracy: float | None) -> str:
    return f"{_NONE:>10} %" if accuracy is None else f"{100 * accuracy:10.3f} %"


def _read_gap(reader: TokenReader, what: str) -> float:
    if reader.upcoming() in (b"inf", b"nan", b"-nan"):
        reader.word("inf", "nan", "-nan")
        return math.inf
    return reader.number(what, 0, _LARGEST)


def _read_percent(reader: TokenReader, what: str) -> float:
    value = reader.number(what, 0, 100) / 100
    reader.word("%")
    return value


def _read_test(reader: TokenReader) -> float | None:
    if reader.upcoming() != _NONE.encode():
        return _read_percent(reader, "test accuracy")
    reader.word(_NONE)
    reader.word("%")
    return None


def _read_summary(reader: TokenReader, solved: int) -> SuccessRate:
    reader.word("/")
    runs = reader.integer("number of runs", 1)
    reader.word("solutions")
    mean = reader.number("iterations per solution", 0, _LARGEST)
    reader.word("+/-")
    if reader.upcoming() in (b"nan", b"-nan"):  # the C toolkit's root of a variance rounded below 0
        reader.word("nan", "-nan")
        error = 0.0
    else:
        error = reader.number("error of the mean", 0, _LARGEST)
    reader.word("iterations/solution")
    return SuccessRate(solved, runs, mean, error)


def _checked(reader: TokenReader, summary: SuccessRate, records: Sequence[RunRecord]) -> SuccessRate:
    """A summary that agrees with the runs above it, and has nothing behind it."""
    due = summary_of(records)
    if (summary.solved, summary.starts) != (due.solved, due.starts) or not math.isclose(
        summary.mean_iterations, due.mean_iterations, rel_tol=1e-9, abs_tol=1e-5
    ):
        raise reader.error(f"the summary must be that of the runs above, {summary_text(due).strip()!r}.")
    reader.end()
    return summary
