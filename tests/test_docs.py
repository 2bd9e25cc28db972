"""Every Python example in the README and the docs runs."""

from __future__ import annotations

import re
import runpy
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
EXAMPLE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", [page for page in PAGES if EXAMPLE.search(page.read_text())], ids=lambda p: p.name)
def test_examples_of_a_page_run_in_order(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "page.py"
    script.write_text("\n".join(EXAMPLE.findall(page.read_text())))
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # as for a reader who runs them
        runpy.run_path(str(script), run_name="__main__")
