"""Where commands are tried."""

from __future__ import annotations

from pathlib import Path

import pytest

from boolearn.data import multiplier, write


@pytest.fixture
def in_tmp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A directory of one's own with the two-bit multiplication table in it."""
    monkeypatch.chdir(tmp_path)
    write(multiplier(2), "2x2.dat")
