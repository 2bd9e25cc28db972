"""Errors of the classic programs: one line and exit status 2, as scripts expect of them."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from boolearn.cli.failures import message_of
from boolearn.errors import BoolearnError


class OneLineErrors(TyperGroup):
    """Turns a wrong call, too, into one line instead of a usage text."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (BoolearnError, MemoryError) as error:
            message = message_of(error)
        except Exception as error:
            # Errors of the command line's own parser; where their class lives differs between versions.
            if not hasattr(error, "format_message"):
                raise
            message = error.format_message()
        program = f"{ctx.info_name} {ctx.invoked_subcommand or ''}".strip()
        typer.echo(f"boolearn {program}: {' '.join(message.split())}", err=True)
        raise typer.Exit(2)
