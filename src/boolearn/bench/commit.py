"""What git knows: the commit that the running source code is, and files as they were in a revision."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

from boolearn.errors import FileError

_HERE = Path(__file__).resolve()
_MEASURED = ("src", "native", "benchmarks", "CMakeLists.txt", "pyproject.toml", ":(exclude)benchmarks/results")
"""What a measurement depends on. Records are left out: writing the first must not make the second one dirty."""


def source_commit() -> str | None:
    """The commit of the checkout this file lies in, with ``-dirty`` behind it when the source has been changed.

    None when it is not in a checkout. An installed copy may lie below somebody else's repository,
    so this file must be tracked there.
    """
    try:
        root = Path(_git(_HERE.parent, "rev-parse", "--show-toplevel").strip())
        _git(_HERE.parent, "ls-files", "--error-unmatch", _HERE.name)
        commit = _git(root, "rev-parse", "HEAD").strip()
        changed = _git(root, "status", "--porcelain", "--", *_MEASURED)
    except (subprocess.CalledProcessError, OSError):
        return None
    return f"{commit}-dirty" if changed else commit


def file_at(place: str) -> str:
    """The text of ``REVISION:path``; the path counts from the root of the repository we are in, as git has it."""
    try:
        return _git(Path.cwd(), "show", "--end-of-options", place)
    except subprocess.CalledProcessError as error:
        said = " ".join(error.stderr.split()) or f"git ended with status {error.returncode}"
        raise FileError(place, None, f"cannot be read from git: {said}.") from error
    except OSError as error:
        raise FileError(place, None, f"cannot be read: git cannot be run: {error.strerror or error}.") from error


def _git(folder: Path, *words: str) -> str:
    # Git sets variables such as GIT_DIR for its hooks; with them it would answer for another repository.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = ["git", "-C", str(folder), *words]
    done = subprocess.run(command, check=True, capture_output=True, text=True, encoding="utf-8", env=environment)  # noqa: S603
    return done.stdout
