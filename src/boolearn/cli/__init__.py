"""The command line: one file a verb. Nothing else in the package prints."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Annotated, Any, TextIO

import typer
from typer.core import TyperGroup

from boolearn._version import __version__
from boolearn.cli import (
    bench,
    circuit,
    demo,
    estimate,
    infer,
    learn,
    make,
    minimise,
    predict,
    report,
    reproduce,
    stages,
    theory,
    train,
    tune,
    words,
)
from boolearn.cli.classic import classic
from boolearn.cli.failures import discard_output, make_streams_safe, message_of, print_failure
from boolearn.cli.manner import be_quiet


class _Commands(TyperGroup):
    """What typer would turn into a status of its own choice reaches ``main``."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise typer.Exit(130) from None
        except BrokenPipeError:
            discard_output()
            raise typer.Exit(0) from None


app = typer.Typer(
    name="boolearn",
    cls=_Commands,
    no_args_is_help=True,
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
    debug: Annotated[bool, typer.Option("--debug", help="Show where an error comes from.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress, only results.")] = False,
) -> None:
    """Learn networks of Boolean threshold functions from data and read them as logic circuits."""
    be_quiet(quiet)
    if debug:
        os.environ["BOOLEARN_TRACEBACK"] = "1"


app.command("demo")(demo.demo)
app.command("learn")(learn.learn)
app.command("train")(train.train)
app.command("stages")(stages.train_in_stages)
app.command("tune")(tune.tune)
app.command("predict")(predict.predict)
app.command("circuit")(circuit.circuit)
app.command("minimise")(minimise.minimise)
app.command("estimate")(estimate.estimate)
app.command("infer")(infer.infer)
app.command("words")(words.words)
app.command("report")(report.report)
app.command("bench")(bench.bench)
app.command("reproduce")(reproduce.reproduce)
app.command("theory")(theory.theory)
app.add_typer(make.app, name="make")
app.add_typer(classic, name="classic")


def main() -> None:
    """Exit status: 0 done (for train: solved), 1 not solved, 2 error, 130 interrupted."""
    make_streams_safe()
    warnings.showwarning = _show_warning
    try:
        try:
            app(prog_name="boolearn")
        finally:
            sys.stdout.flush()  # while an error can still be reported
    except KeyboardInterrupt:
        status = 130
    except BrokenPipeError:  # whoever read the output, such as head, has seen enough
        status = 0
    except Exception as error:
        if os.environ.get("BOOLEARN_TRACEBACK"):
            raise
        print_failure(f"boolearn: {message_of(error)}")
        status = 2
    discard_output()
    sys.exit(status)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Warnings are for people here: one line, without the place in the source."""
    print_failure(f"boolearn: {message}")
