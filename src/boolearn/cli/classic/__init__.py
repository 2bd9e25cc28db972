"""boolearn classic: the C toolkit's six programs, with its arguments and its files."""

from __future__ import annotations

import typer

from boolearn.cli.classic.data import data
from boolearn.cli.classic.data_cellauto import data_cellauto
from boolearn.cli.classic.group import OneLineErrors
from boolearn.cli.classic.layered import layered
from boolearn.cli.classic.layered_andor import layered_andor
from boolearn.cli.classic.layered_maj import layered_maj
from boolearn.cli.classic.train import train

classic = typer.Typer(
    cls=OneLineErrors,
    no_args_is_help=True,
    rich_markup_mode=None,
    help="The C toolkit's programs, with its arguments and its files.",
)
for program in (layered, layered_andor, layered_maj, data, data_cellauto, train):
    classic.command(program.__name__)(program)

__all__ = ["classic"]
