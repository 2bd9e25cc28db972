"""import boolearn as bl: every public name is there, and costs nothing until it is used."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

import boolearn as bl


@pytest.mark.parametrize("name", bl.__all__)  # type: ignore[attr-defined]
def test_every_name_is_what_its_module_calls_so(name: str) -> None:
    value = getattr(bl, name)
    assert name in dir(bl)
    if name in ("cells", "circuit", "data", "errors", "network", "words"):
        assert value is importlib.import_module(f"boolearn.{name}")
    elif name != "__version__":
        assert value.__name__ == name
        assert value.__module__.startswith("boolearn.")


def test_what_is_not_public_is_not_there() -> None:
    with pytest.raises(AttributeError, match="module 'boolearn' has no attribute 'nothing'"):
        bl.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_importing_and_helping_load_nothing_heavy() -> None:
    script = """
import contextlib, io, sys
import boolearn
assert not {"numpy", "typer", "ast"} & set(sys.modules)
from boolearn.cli import main
sys.argv = ["boolearn", "--help"]
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(io.StringIO()):
    main()
assert "typer" in sys.modules
assert not {"numpy", "scipy", "rich", "matplotlib", "importlib.metadata"} & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", script], check=True)
