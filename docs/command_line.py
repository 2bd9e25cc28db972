"""The command-line reference, made from the commands themselves.

Only ``list_commands`` and ``get_command`` are asked for what there is, so commands may be loaded lazily.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from typer.main import get_command

from boolearn.cli import app

MARKUP = re.compile(r"([\\`*_<>\[\]|$#])")


def markdown() -> str:
    """A section for every command: its usage, what it does, its arguments and options."""
    return "\n\n".join(sections(get_command(app), "boolearn", None, 1))


def sections(command: Any, name: str, parent: Any, level: int) -> Iterator[str]:
    context = command.context_class(command, parent=parent, info_name=name)
    if level > 1:
        yield f"{'#' * level} {context.command_path}"
    yield f"```text\n{command.get_usage(context)}\n```"
    yield plain(command.help or "")
    yield table(command, context)
    if hasattr(command, "list_commands"):
        for child in command.list_commands(context):
            yield from sections(command.get_command(context, child), child, context, level + 1)


def table(command: Any, context: Any) -> str:
    """One row for each argument and option."""
    records = [param.get_help_record(context) for param in command.params]
    rows = [f"| `{words.replace('|', ' or ')}` | {plain(text)} |" for words, text in filter(None, records)]
    return "\n".join(["| argument or option | meaning |", "| --- | --- |", *rows]) if rows else ""


def plain(text: str) -> str:
    """Text in which nothing is markup."""
    return MARKUP.sub(r"\\\1", text.partition("\f")[0])
