"""What the benchmark scripts share: options, the record of a run, and errors without a traceback."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from boolearn.bench.record import Record
from boolearn.errors import BoolearnError, ParameterError
from boolearn.files import check_writable

T = TypeVar("T")


def arguments(description: str, *, only: bool = False) -> argparse.ArgumentParser:
    """Options that all scripts have; ``description`` is the script's docstring."""
    parser = argparse.ArgumentParser(description=description.split("\n")[0])
    if only:
        parser.add_argument("--only", default="", help="only problems whose name contains this")
    parser.add_argument("-o", "--out", type=Path, help="write the record to this file")
    return parser


def chosen(cases: Mapping[str, T], only: str) -> dict[str, T]:
    """The cases that ``--only`` asks for."""
    found = {name: case for name, case in cases.items() if only in name}
    if not found:
        raise ParameterError("only", f"a part of one of the names {'; '.join(cases)}", only)
    return found


def new_record(key: Sequence[str], options: argparse.Namespace, seeds: object, **parameters: object) -> Record:
    """The record of this run. Its parameters are the options and what else is given here."""
    if options.out:
        check_writable(options.out)
    script = Path(sys.argv[0])
    given = {name: value for name, value in vars(options).items() if not isinstance(value, Path) and name != "out"}
    command = ["python", f"benchmarks/{script.name}", *sys.argv[1:]]
    return Record(script.stem, key, command, seeds=seeds, parameters={**given, **parameters})


@contextlib.contextmanager
def recording(key: Sequence[str], options: argparse.Namespace, seeds: object, **parameters: object) -> Iterator[Record]:
    """Measure inside; the record is written at the end, when ``--out`` asks for it."""
    record = new_record(key, options, seeds, **parameters)
    yield record
    if options.out:
        record.write(options.out)


def run_script(main: Callable[[], None]) -> None:
    """Run a script; errors in its options and files are one line."""
    try:
        main()
    except BoolearnError as error:
        print(f"{Path(sys.argv[0]).name}: {error}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:  # the reader, such as head, has seen enough
        sys.stderr.close()
