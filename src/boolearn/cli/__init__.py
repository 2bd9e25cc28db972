"""The command line: one file a verb. Nothing else in the package prints."""

from __future__ import annotations

import sys
import warnings
from typing import Annotated, TextIO

import typer

from boolearn._version import __version__
from boolearn.cli import bench, circuit, demo, make, predict, train, tune
from boolearn.cli.classic import classic
from boolearn.errors import BoolearnError

app = typer.Typer(
    name="boolearn",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"boolearn {__version__}")
        raise typer.Exit


@app.callback()
def about(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Learn networks of Boolean threshold functions from data and read them as logic circuits."""


app.command("demo")(demo.demo)
app.command("train")(train.train)
app.command("tune")(tune.tune)
app.command("predict")(predict.predict)
app.command("circuit")(circuit.circuit)
app.command("bench")(bench.bench)
app.add_typer(make.app, name="make")
app.add_typer(classic, name="classic")


def main() -> None:
    """Exit status: 0 done (for train: solved), 1 not solved, 2 error."""
    warnings.showwarning = _show_warning
    try:
        app()
    except BoolearnError as error:
        print(f"boolearn: {error}", file=sys.stderr)
        sys.exit(2)
    except MemoryError as error:
        print(f"boolearn: {' '.join(f'not enough memory. {error}'.split())}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Warnings are for people here: one line, without the place in the source."""
    print(f"boolearn: {message}", file=sys.stderr)
