"""The command line, called here or, where the process itself is the point, in a process of its own."""

from __future__ import annotations

import contextlib
import io
import subprocess
import sys
import warnings
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from boolearn.cli import main

_INSTALLED = Path(sys.executable).with_name("boolearn")
PROGRAM = [str(_INSTALLED)] if _INSTALLED.exists() else [sys.executable, "-m", "boolearn"]


class Said(NamedTuple):
    stdout: str
    stderr: str


def boolearn(*words: str, status: int = 0) -> Said:
    """Call the program's entry point; its exit status must be this. What it raises besides is raised here."""
    stdout, stderr = io.StringIO(), io.StringIO()
    with (
        patch.object(sys, "argv", ["boolearn", *words]),
        contextlib.redirect_stdout(stdout),
        contextlib.redirect_stderr(stderr),
        warnings.catch_warnings(),  # the program shows them in its own way, which must not outlast it
    ):
        warnings.simplefilter("default")
        try:
            main()
            left: int | str | None = 0
        except SystemExit as end:
            left = end.code
    assert (left or 0) == status, stdout.getvalue() + stderr.getvalue()
    return Said(stdout.getvalue(), stderr.getvalue())


def boolearn_process(*words: str, status: int = 0) -> Said:
    """Run the installed program; its exit status must be this, and there must be no traceback."""
    done = subprocess.run([*PROGRAM, *words], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return Said(done.stdout, done.stderr)
