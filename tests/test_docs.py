"""The README and the docs: examples run, links lead somewhere, nothing public is missing."""

from __future__ import annotations

import importlib
import json
import re
import runpy
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

import boolearn

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
BUILT = {"_build", "jupyter_execute"}
"""What `make docs` leaves behind."""
DOC_PAGES = sorted(page for page in DOCS.rglob("*.md") if not BUILT & {*page.parts})
NOTEBOOKS = sorted(page for page in DOCS.rglob("*.ipynb") if not BUILT & {*page.parts})
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *DOC_PAGES]
LONG = {"gate-search.md", "scikit-learn.md", "exact-synthesis.md", "minimise.md", "circuit-notebook.ipynb"}
"""Their examples take long enough to be slow tests."""
EXAMPLE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
TOCTREE = re.compile(r"^```\{toctree\}\n(?::[^\n]*\n)*\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def code_of(page: Path) -> str:
    """The examples of a page, or the cells of a notebook without IPython's own commands."""
    if page.suffix == ".md":
        return "\n".join(EXAMPLE.findall(page.read_text()))
    cells = [cell["source"] for cell in json.loads(page.read_text())["cells"] if cell["cell_type"] == "code"]
    lines = "\n".join("".join(source) for source in cells).splitlines()
    return "\n".join(line for line in lines if not line.startswith("%"))


def with_code() -> list[object]:
    pages = [page for page in [*PAGES, *NOTEBOOKS] if code_of(page)]
    return [
        pytest.param(page, id=name_of(page), marks=[pytest.mark.slow] if page.name in LONG else []) for page in pages
    ]


@pytest.mark.parametrize("page", with_code())
def test_examples_of_a_page_run_in_order(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "page.py"
    script.write_text(code_of(page))
    with warnings.catch_warnings():
        warnings.simplefilter("default")  # as for a reader who runs them
        runpy.run_path(str(script), run_name="__main__")


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_between_pages_lead_to_files(page: Path) -> None:
    links = LINK.findall(BLOCK.sub("", page.read_text()))
    missing = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert missing == []


def test_every_page_is_reachable_from_the_index() -> None:
    reached, waiting = set(), [DOCS / "index.md"]
    while waiting:
        page = waiting.pop()
        reached.add(page)
        entries = "\n".join(TOCTREE.findall(page.read_text())).split()
        found = [
            place
            for entry in entries
            for kind in ("md", "ipynb")
            if (place := page.parent / f"{entry}.{kind}").exists()
        ]
        assert len(found) == len(entries), page
        waiting += [place for place in found if place not in reached]
    assert reached == {*DOC_PAGES, *NOTEBOOKS}


def public_names() -> dict[str, list[str]]:
    """What the packages list, read from the source tree; the command line is not for import."""
    source = Path(boolearn.__file__).parent
    listing = [path.parent for path in source.rglob("__init__.py") if "__all__" in path.read_text()]
    packages = [".".join(("boolearn", *path.relative_to(source).parts)) for path in listing]
    return {
        package: importlib.import_module(package).__all__
        for package in packages
        if not package.startswith("boolearn.cli")
    }


def test_the_reference_has_every_public_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(DOCS)
    text = importlib.import_module("public_names").markdown()
    sections = dict(part.split("\n", 1) for part in text.split("## ")[1:])
    for package, names in public_names().items():
        described = re.findall(rf":: {re.escape(package)}\.(\w+)$", sections[package], re.MULTILINE)
        linked = re.findall(r"\{py:\w+\}`(?:\w+\.)*(\w+)[ `]", sections[package])
        assert sorted(described + linked) == sorted(names), package


def test_the_reference_has_every_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(DOCS)
    text = importlib.import_module("command_line").markdown()
    headings = re.findall(r"^#+ boolearn (.+)$", text, re.MULTILINE)
    assert {"demo", "train", "tune", "predict", "circuit", "bench", "make", "classic"} <= set(headings)
    assert {"make multiplier", "make convolution", "classic layered", "classic train"} <= set(headings)
    train = text.split("## boolearn train\n")[1].split("## boolearn")[0]
    words = "layers network items sigma beta gamma max-iter max-seconds gap-tol stop solver restarts seed threads batch"
    for word in f"{words} batch-iter out resume json".split():
        assert f"--{word}" in train


@pytest.mark.slow
def test_the_docs_build_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("furo")
    pytest.importorskip("myst_nb")
    command = [sys.executable, "-m", "sphinx", "-W", "-q", str(DOCS), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "boolearn.Dataset" in (tmp_path / "reference" / "api.html").read_text()


def test_the_comparison_ends_with_tables_of_its_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(DOCS))
    page = importlib.import_module("comparison_tables")
    monkeypatch.setattr(page, "RECORD", tmp_path / "baselines.json")
    assert "boolearn reproduce baselines" in page.markdown()
    row = {
        "family": "multiplier",
        "size_of_problem": 2,
        "method": "exact",
        "name": "SAT",
        "budget": "9 s",
        "scored": None,
    }
    row |= {"train_bits": 1.0, "train_items": 1.0, "test_bits": None, "test_items": None, "cpu_seconds": 1.5}
    row |= {"size": 8, "unit": "gates", "circuit": True}
    parameters = {"seeds": 1, "max_iter_percent": 50}
    record = {"command": "boolearn reproduce baselines", "machine": {"processor": "P"}, "parameters": parameters}
    text = page.sections({**record, "rows": [row]})
    assert "### Multiplication tables" in text
    assert "50 % of those" in text
    assert "| 2 bits | SAT | 9 s | 100.00 (100.0) |  | 1.5 | 8 gates | yes | 8 gates |" in text
