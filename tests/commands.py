"""Commands run as a user runs them."""

from __future__ import annotations

import subprocess
import sys


def boolearn(*words: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    """Run a command; its status must be this, and there must be no traceback."""
    done = subprocess.run([sys.executable, "-m", "boolearn", *words], capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done
