"""How commands speak: what the options before the name of a command ask for."""

from __future__ import annotations

import sys
from contextvars import ContextVar

_QUIET = ContextVar("quiet", default=False)


def be_quiet(quiet: bool) -> None:
    """From now on: set at the beginning of every command."""
    _QUIET.set(quiet)


def is_quiet() -> bool:
    """Whether only results are wanted."""
    return _QUIET.get()


def shows_progress(as_json: bool) -> bool:
    """Whether progress is shown: with --json on a terminal only, with --quiet never."""
    return not is_quiet() and (not as_json or sys.stderr.isatty())
