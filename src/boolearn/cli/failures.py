"""What a command says when it fails, and streams that take whatever is said."""

from __future__ import annotations

import contextlib
import os
import sys
from pathlib import Path

from boolearn.errors import BoolearnError


def message_of(error: Exception) -> str:
    """What to say of an error that ends a command."""
    if isinstance(error, BoolearnError):
        return str(error)
    text = " ".join(str(error).split())
    if isinstance(error, MemoryError):
        return f"not enough memory. {text}".strip()
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}." if error.filename else f"{error.strerror}."
    return f"{text or 'no message'} ({type(error).__name__}). boolearn --debug shows where."


def print_failure(message: str) -> None:
    """Print to standard error, where it is still there."""
    with contextlib.suppress(OSError):
        print(message, file=sys.stderr, flush=True)


def make_streams_safe() -> None:
    """Letters that an encoding does not have are escaped, and what is printed to a closed stream is lost."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 (for the whole process)
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def discard_output() -> None:
    """Output that cannot be written must not be tried again, and fail again, when the process ends."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
